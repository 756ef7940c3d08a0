import type { UtcMillis } from "../branded_types.ts";
import type { Failure } from "../http/errors.ts";
import { parseQuery } from "../http/request_target.ts";
import type { Answer } from "../http/respond.ts";
import type { Asset } from "../market/assets.ts";
import { isComplete } from "../market/candles.ts";
import type { MaybePromise } from "../ports.ts";
import { findAsset } from "../queries/asset_queries.ts";
import { type CandleRequest, parseCandleRequest, readCandles } from "../queries/candle_queries.ts";
import { ok, type Result } from "../result.ts";
import { formatTimestamp } from "../time/timestamps.ts";
import { writeCandleLines, writeCandles } from "./candle_bytes.ts";
import type { Context, RouteRequest } from "./handler.ts";

/** The candles of one asset that start in [from, to). Source: contract, Endpoints 6. */
export function ohlc(context: Context, request: RouteRequest): MaybePromise<Result<Answer, Failure>> {
  const found = findAsset(context, request.params[0]!);
  if (!found.ok) return found;
  const query = parseQuery(request.query, request.route.query);
  if (!query.ok) return query;
  const [interval, from, to] = ["interval", "from", "to"].map((name) => query.value.get(name));
  const asked = parseCandleRequest({ interval, from, to }, context.maxCandles);
  return asked.ok ? answerCandles(context, found.value, { asked: asked.value, now: request.now }) : asked;
}

async function answerCandles(context: Context, asset: Asset, { asked, now }: { asked: CandleRequest; now: UtcMillis }) {
  const found = await readCandles(context, asset.code, asked);
  if (!found.ok) return found;
  const { version, value } = found.value;
  const { candles, availableFrom } = value;
  let complete = candles.length;
  while (complete > 0 && !isComplete(candles.at(complete - 1)!, now)) complete--;
  const incomplete = candles.at(complete);
  // While the data version is the same, the body changes only if a candle becomes complete.
  const freshness = { codes: [asset.code], version, ...(incomplete && { expiresAt: incomplete.end }) };
  return ok({
    body: () => writeCandles(headJson(asset, asked, availableFrom), candles, complete),
    tag: `${version}.${complete}`,
    freshness,
    csv: () => writeCandleLines([asset.code, asset.quoteUnit, asked.interval], candles, complete),
  });
}

/** The JSON of the answer up to the list of candles. */
function headJson(asset: Asset, asked: CandleRequest, availableFrom: UtcMillis | undefined): string {
  const { code, baseCode, labelEn, labelFa, quoteUnit } = asset;
  const { interval } = asked;
  const [from, to] = [formatTimestamp(asked.from.millis), formatTimestamp(asked.to.millis)];
  const begin = availableFrom === undefined ? null : formatTimestamp(availableFrom);
  const fields = { code, baseCode, labelEn, labelFa, quoteUnit, interval, from, to, availableFrom: begin };
  return `${JSON.stringify(fields).slice(0, -1)},"candles":[`;
}
