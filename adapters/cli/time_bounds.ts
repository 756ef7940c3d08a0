import { createZone, dayNumber, jalaliHint, parseDate, parseTimestamp } from "../../core/internal.ts";
import type { CalendarDate, UtcMillis } from "../../core/mod.ts";
import { wrongUsage } from "./command_failure.ts";

interface Bounds<Bound> {
  readonly from: Bound;
  readonly to: Bound;
}

/** The first and the last time that a record may have. */
export const [FIRST_TIME, LAST_TIME] = ["0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"].map(
  (time) => Date.parse(time) as UtcMillis,
) as [UtcMillis, UtcMillis];

/** The rule for `--from` and `--to`, for the help of a command. */
export const BOUNDS_RULE = `A bound is a day, YYYY-MM-DD, of the market's time zone, or a time with a zone, e.g.
2026-01-31T12:00:00Z. If --to is a day, that day is included; if it is a time, that time is not.`;

/**
 * Reads a span of time from `from` (included) to `to` (excluded). Without one of them, the span is open at that end.
 * Throws a usage failure for a wrong bound and for an empty span.
 *
 * @param zone The time zone for bounds that are days.
 */
export function readBounds({ from, to }: Partial<Bounds<string | undefined>>, zone: string): Bounds<UtcMillis> {
  demandGregorian({ from, to });
  const bounds = { from: readBound("--from", from, zone) ?? FIRST_TIME, to: readBound("--to", to, zone) ?? LAST_TIME };
  if (bounds.from >= bounds.to) throw wrongUsage(`--to must be after --from: received "${from}" and "${to}"`);
  return bounds;
}

/** Throws a usage failure for a Jalali day, which as a Gregorian day would be long before all records. */
export function demandGregorian(bounds: Partial<Bounds<string | undefined>>): void {
  for (const name of ["from", "to"] as const) {
    const text = bounds[name] ?? "";
    const hint = jalaliHint(text) || jalaliHint(text.slice(0, "1405-05-30".length));
    if (hint !== "") throw wrongUsage(`--${name} must be a Gregorian day: received "${text}"${hint}`);
  }
}

/** Reads a day, `YYYY-MM-DD`; throws a usage failure for any other text. */
export function readDay(option: string, text = ""): CalendarDate {
  const day = parseDate(text);
  if (!day) throw wrongUsage(`${option} must be a day, e.g. 2026-01-31: received "${text}"`);
  return day;
}

function readBound(option: "--from" | "--to", text: string | undefined, zone: string): UtcMillis | undefined {
  if (text === undefined) return undefined;
  const date = parseDate(text);
  if (date) return createZone(zone).startOfDay(dayNumber(date) + (option === "--to" ? 1 : 0));
  const time = parseTimestamp(text);
  if (!time)
    throw wrongUsage(
      `${option} must be a day, e.g. 2026-01-31, or a time with a zone, e.g. 2026-01-31T12:00:00Z: received "${text}"`,
    );
  return time.millis;
}
