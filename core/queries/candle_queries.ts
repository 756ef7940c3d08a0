// What may be asked for candles, and what no data means: the route and the in-process call ask alike.
import type { UtcMillis } from "../brand.ts";
import { INTERVALS } from "../market/candles.ts";
import { failure, quote } from "../http/errors.ts";
import type { Failure } from "../http/errors.ts";
import type { TimeWindow } from "../ports.ts";
import { err, ok } from "../result.ts";
import type { Result } from "../result.ts";
import { MINUTE_MS } from "../time/durations.ts";
import { ceilMillis, isBefore, parseTimestamp } from "../time/timestamps.ts";
import type { Instant } from "../time/timestamps.ts";

/** What a request for candles gives, as text; what is missing is `undefined`. */
interface CandleTexts {
  readonly interval: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** A request for candles, checked. */
export interface CandleRequest {
  readonly interval: string;
  readonly widthMs: number;
  readonly from: Instant;
  readonly to: Instant;
  /** The whole buckets whose start is not before `from` and before `to`. */
  readonly window: TimeWindow;
}

/** Reads a request for at most `maxCandles` candles. Source: contract, Endpoints 6. */
export function readCandleRequest(texts: CandleTexts, maxCandles: number): Result<CandleRequest, Failure> {
  const { interval } = texts;
  if (interval === undefined) return err(failure("MISSING_PARAMETER", "interval is missing: one of 15m, 1h, 4h, 1d"));
  const widthMs = INTERVALS.get(interval);
  if (widthMs === undefined) {
    return err(failure("INVALID_INTERVAL", `interval is one of ${[...INTERVALS.keys()].join(", ")}: received ${quote(interval)}`));
  }
  const from = readInstant("from", texts.from);
  if (!from.ok) return from;
  const to = readInstant("to", texts.to);
  if (!to.ok) return to;
  if (!isBefore(from.value, to.value)) return err(failure("INVALID_OHLC_RANGE"));
  const asked = { interval, widthMs, from: from.value, to: to.value };
  const window = bucketWindow(asked, maxCandles);
  return window.ok ? ok({ ...asked, window: window.value }) : window;
}

/** The candles there are of some asked for; none at all is a failure. */
export function someCandles<Candles extends { readonly length: number }>(found: Candles): Result<Candles, Failure> {
  return found.length > 0 ? ok(found) : err(failure("OHLC_NOT_FOUND"));
}

function readInstant(name: string, text: string | undefined): Result<Instant, Failure> {
  if (text === undefined) return err(failure("MISSING_PARAMETER", `${name} is missing: a time in UTC, e.g. 2026-01-31T00:00:00Z`));
  // A plus sign that was not percent-encoded arrives as a blank.
  const spelled = text.replace(/ (?=\d\d:\d\d$)/, "+");
  const instant = /(?:Z|\+00:00)$/.test(spelled) ? parseTimestamp(spelled) : undefined;
  if (instant) return ok(instant);
  return err(failure("INVALID_TIMESTAMP", `${name} must be ISO 8601 in UTC, e.g. 2026-01-31T00:00:00Z: received ${quote(text)}`));
}

/** Whole buckets, so that a bucket reads the same in every answer. */
function bucketWindow({ interval, widthMs, from, to }: Omit<CandleRequest, "window">, maxCandles: number): Result<TimeWindow, Failure> {
  const first = Math.ceil(ceilMillis(from) / widthMs);
  const end = Math.ceil(ceilMillis(to) / widthMs);
  if (end - first > maxCandles) {
    const longest = `${maxCandles} candles, for ${interval} that is ${spellOut(maxCandles * widthMs)}`;
    return err(failure("INVALID_OHLC_RANGE", `The range is too long: an answer holds at most ${longest}`));
  }
  return ok({ from: (first * widthMs) as UtcMillis, to: (end * widthMs) as UtcMillis });
}

/** E.g. `104 days and 4 hours`, without parts that are zero. */
function spellOut(ms: number): string {
  const minutes = ms / MINUTE_MS;
  const parts = [
    [Math.floor(minutes / 1_440), "day"],
    [Math.floor(minutes / 60) % 24, "hour"],
    [minutes % 60, "minute"],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? "" : "s"}`)
    .join(" and ");
}
