import { createZone, dayNumber, jalaliHint, parseDate, parseTimestamp } from "../../core/internal.ts";
import type { UtcMillis } from "../../core/mod.ts";
import { wrongUsage } from "./failure.ts";

/** The rule of these bounds, for the help of a command. */
export const BOUNDS_RULE = `A bound is a day, YYYY-MM-DD, of the market's time zone, or a time with a zone, e.g.
2026-01-31T12:00:00Z. The day of --to is included whole; a time of --to is not included.`;

/**
 * Reads the two bounds of a span of time: from `from`, included, to `to`, excluded. Throws a usage failure for texts
 * that are none, and where nothing lies between them.
 *
 * @param zone The time zone of days.
 */
export function readBounds({ from, to }: { readonly from: string; readonly to: string }, zone: string): { readonly from: UtcMillis; readonly to: UtcMillis } {
  const bounds = { from: readBound("--from", from, zone), to: readBound("--to", to, zone) };
  if (bounds.from >= bounds.to) throw wrongUsage(`--to must be after --from: received "${from}" and "${to}"`);
  return bounds;
}

/** Reads one bound, as `readBounds` does. */
export function readBound(option: "--from" | "--to", text: string, zone: string): UtcMillis {
  const date = parseDate(text);
  if (date) return createZone(zone).startOfDay(dayNumber(date) + (option === "--to" ? 1 : 0));
  const time = parseTimestamp(text);
  if (!time) throw wrongUsage(`${option} must be a day, e.g. 2026-01-31, or a time with a zone, e.g. 2026-01-31T12:00:00Z: received "${text}"${jalaliHint(text)}`);
  return time.millis;
}
