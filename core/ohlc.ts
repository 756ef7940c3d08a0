import type { Asset } from "./assets.ts";
import type { UtcMillis } from "./brand.ts";
import { INTERVALS, isComplete } from "./candles.ts";
import { failure, quote } from "./errors.ts";
import type { Failure } from "./errors.ts";
import { findAsset } from "./find_asset.ts";
import type { Answer, Call, Context } from "./handler.ts";
import { candleJson, timestampJson } from "./json.ts";
import type { TimeWindow } from "./ports.ts";
import { err, ok } from "./result.ts";
import type { Result } from "./result.ts";
import { parseQuery } from "./target.ts";
import type { Query } from "./target.ts";
import { ceilMillis, formatTimestamp, isBefore, parseTimestamp } from "./timestamps.ts";
import type { Instant } from "./timestamps.ts";

/** Candles of one asset whose start lies in [from, to). Source: contract, Endpoints 6. */
export async function ohlc(context: Context, call: Call): Promise<Result<Answer, Failure>> {
  const asset = findAsset(context, call.params[0]!);
  if (!asset.ok) return asset;
  const query = parseQuery(call.query, call.route.query);
  if (!query.ok) return query;
  const asked = readRequest(query.value);
  if (!asked.ok) return asked;
  const window = bucketWindow(asked.value, context.maxCandles);
  if (!window.ok) return window;

  const { code } = asset.value;
  const version = await context.observations.version(code);
  const candles = await context.observations.candles(code, window.value, asked.value.widthMs);
  if (candles.length === 0) return err(failure("OHLC_NOT_FOUND"));
  const [coverage] = await context.observations.coverage([code]);
  const complete = candles.map((candle) => isComplete(candle, call.now));
  const rendered = candles.map((candle, index) => candleJson(candle, complete[index]!));
  return ok({
    body: `${headJson(asset.value, asked.value, coverage?.availableFrom)},"candles":[${rendered.join(",")}]}`,
    // With time, candles of one data version only become complete: their number tells which ones are.
    tag: { stem: `${version}.${complete.filter(Boolean).length}` },
  });
}

/** What a candle request asks for. */
interface OhlcRequest {
  readonly interval: string;
  readonly widthMs: number;
  readonly from: Instant;
  readonly to: Instant;
}

function readRequest(query: Query): Result<OhlcRequest, Failure> {
  const interval = query.get("interval");
  if (interval === undefined) return err(failure("MISSING_PARAMETER", "interval is missing: one of 15m, 1h, 4h, 1d"));
  const widthMs = INTERVALS.get(interval);
  if (widthMs === undefined) {
    return err(failure("INVALID_INTERVAL", `interval is one of ${[...INTERVALS.keys()].join(", ")}: received ${quote(interval)}`));
  }
  const from = readInstant("from", query.get("from"));
  if (!from.ok) return from;
  const to = readInstant("to", query.get("to"));
  if (!to.ok) return to;
  if (!isBefore(from.value, to.value)) return err(failure("INVALID_OHLC_RANGE"));
  return ok({ interval, widthMs, from: from.value, to: to.value });
}

function readInstant(name: string, text: string | undefined): Result<Instant, Failure> {
  if (text === undefined) return err(failure("MISSING_PARAMETER", `${name} is missing: a time in UTC, e.g. 2026-01-31T00:00:00Z`));
  // A plus sign that was not percent-encoded arrives as a blank.
  const spelled = text.replace(/ (?=\d\d:\d\d$)/, "+");
  const instant = /(?:Z|\+00:00)$/.test(spelled) ? parseTimestamp(spelled) : undefined;
  if (instant) return ok(instant);
  return err(failure("INVALID_TIMESTAMP", `${name} must be ISO 8601 in UTC, e.g. 2026-01-31T00:00:00Z: received ${quote(text)}`));
}

/** The whole buckets whose start is not before `from` and before `to`: a bucket reads the same in every answer. */
function bucketWindow({ interval, widthMs, from, to }: OhlcRequest, maxCandles: number): Result<TimeWindow, Failure> {
  const first = Math.ceil(ceilMillis(from) / widthMs);
  const end = Math.ceil(ceilMillis(to) / widthMs);
  if (end - first > maxCandles) {
    const longest = `${maxCandles} candles, for ${interval} that is ${spellOut(maxCandles * widthMs)}`;
    return err(failure("INVALID_OHLC_RANGE", `The range is too long: an answer holds at most ${longest}`));
  }
  return ok({ from: (first * widthMs) as UtcMillis, to: (end * widthMs) as UtcMillis });
}

function headJson(asset: Asset, asked: OhlcRequest, availableFrom: UtcMillis | undefined): string {
  const { code, baseCode, labelEn, labelFa, quoteUnit } = asset;
  const { interval } = asked;
  const [from, to] = [formatTimestamp(asked.from.millis), formatTimestamp(asked.to.millis)];
  const fields = { code, baseCode, labelEn, labelFa, quoteUnit, interval, from, to };
  return `${JSON.stringify(fields).slice(0, -1)},"availableFrom":${timestampJson(availableFrom)}`;
}

/** E.g. `104 days and 4 hours`, without parts that are zero. */
function spellOut(ms: number): string {
  const minutes = ms / 60_000;
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
