// Parses requests for candles and reads the candles, for the route and for createPrices.
import type { AssetCode, UtcMillis } from "../branded_types.ts";
import { type Failure, failure, quote } from "../http/errors.ts";
import { INTERVALS } from "../market/candles.ts";
import type { CandleRange, TimeWindow, Versioned } from "../ports.ts";
import { err, ok, type Result } from "../result.ts";
import { DAY_MS } from "../time/durations.ts";
import { jalaliHint } from "../time/jalali.ts";
import { ceilMillis, formatTimestamp, type Instant, isBefore, parseTimestamp } from "../time/timestamps.ts";
import type { PriceContext } from "./price_settings.ts";

/** The parameters of a request for candles, each `undefined` if missing. */
type CandleParameters = Readonly<Record<"interval" | "from" | "to", string | undefined>>;

/** A valid request for candles. */
export interface CandleRequest {
  readonly interval: string;
  readonly widthMs: number;
  readonly from: Instant;
  readonly to: Instant;
  /** The whole buckets whose start is in [from, to). */
  readonly window: TimeWindow;
}

/** Parses a request for at most `maxCandles` candles. Source: contract, Endpoints 6. */
export function parseCandleRequest(parameters: CandleParameters, maxCandles: number): Result<CandleRequest, Failure> {
  const { interval } = parameters;
  if (interval === undefined) return err(failure("MISSING_PARAMETER", "interval is missing: one of 15m, 1h, 4h, 1d"));
  const widthMs = INTERVALS.get(interval);
  if (widthMs === undefined) {
    const message = `interval is one of ${[...INTERVALS.keys()].join(", ")}: received ${quote(interval)}`;
    return err(failure("INVALID_INTERVAL", message));
  }
  const from = parseRequiredInstant("from", parameters.from);
  if (!from.ok) return from;
  const to = parseRequiredInstant("to", parameters.to);
  if (!to.ok) return to;
  if (!isBefore(from.value, to.value)) return err(failure("INVALID_OHLC_RANGE"));
  // Buckets are never cut, so they are the same in every answer.
  const first = Math.ceil(ceilMillis(from.value) / widthMs);
  const end = Math.ceil(ceilMillis(to.value) / widthMs);
  if (end - first > maxCandles) {
    const days = (maxCandles * widthMs) / DAY_MS;
    const longest = days < 2 ? `${days * 24} hours` : `${Math.floor(days)} days`;
    const limit = `an answer holds at most ${maxCandles} candles, for ${interval} that is ${longest}`;
    return err(failure("INVALID_OHLC_RANGE", `The range is too long: ${limit}`));
  }
  const window = { from: (first * widthMs) as UtcMillis, to: (end * widthMs) as UtcMillis };
  return ok({ interval, widthMs, from: from.value, to: to.value, window });
}

/** Reads candles. Fails if there are no candles. The message has the times of the first and the last record. */
export async function readCandles(
  { observations }: PriceContext,
  code: AssetCode,
  asked: CandleRequest,
): Promise<Result<Versioned<CandleRange>, Failure>> {
  const found = await observations.candles(code, asked.window, asked.widthMs);
  if (found.value.candles.length > 0) return ok(found);
  const [known] = (await observations.coverage([code])).value;
  const missing = (text: string): Result<never, Failure> =>
    err({ ...failure("OHLC_NOT_FOUND", text), freshness: { codes: [code], version: found.version } });
  if (!known) return missing(`There is no record for ${code} yet`);
  const [first, last, from] = [known.availableFrom, known.latest.businessTime, asked.from.millis].map(formatTimestamp);
  return missing(
    `There are no candles for ${code} in this range; its records run from ${first} to ${last}${jalaliHint(from!.slice(0, 10))}`,
  );
}

function parseRequiredInstant(name: string, text: string | undefined): Result<Instant, Failure> {
  if (text === undefined)
    return err(failure("MISSING_PARAMETER", `${name} is missing: a time in UTC, e.g. 2026-01-31T00:00:00Z`));
  // A plus sign that a client does not percent-encode arrives as a space.
  const withPlus = text.replace(/ (?=\d\d:\d\d$)/, "+");
  const instant = /(?:Z|\+00:00)$/.test(withPlus) ? parseTimestamp(withPlus) : undefined;
  if (instant) return ok(instant);
  const rule = `${name} must be ISO 8601 in UTC, e.g. 2026-01-31T00:00:00Z`;
  return err(failure("INVALID_TIMESTAMP", `${rule}: received ${quote(text)}${jalaliHint(text.slice(0, 10))}`));
}
