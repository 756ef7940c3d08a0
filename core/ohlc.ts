import type { Asset } from "./assets.ts";
import type { UtcMillis } from "./brand.ts";
import { isComplete } from "./candles.ts";
import type { Failure } from "./errors.ts";
import { findAsset } from "./find_asset.ts";
import type { Answer, Call, Context } from "./handler.ts";
import { candleJson, timestampJson } from "./json.ts";
import { readCandleRequest, someCandles } from "./read_candles.ts";
import type { CandleRequest } from "./read_candles.ts";
import { ok } from "./result.ts";
import type { Result } from "./result.ts";
import { parseQuery } from "./target.ts";
import { formatTimestamp } from "./timestamps.ts";

/** Candles of one asset whose start lies in [from, to). Source: contract, Endpoints 6. */
export async function ohlc(context: Context, call: Call): Promise<Result<Answer, Failure>> {
  const asset = findAsset(context, call.params[0]!);
  if (!asset.ok) return asset;
  const query = parseQuery(call.query, call.route.query);
  if (!query.ok) return query;
  const given = query.value;
  const asked = readCandleRequest({ interval: given.get("interval"), from: given.get("from"), to: given.get("to") }, context.maxCandles);
  if (!asked.ok) return asked;

  const { code } = asset.value;
  const version = await context.observations.version(code);
  const found = await context.observations.candles(code, asked.value.window, asked.value.widthMs);
  const some = someCandles(found);
  if (!some.ok) return some;
  const candles = some.value;
  const [coverage] = await context.observations.coverage([code]);
  const complete = candles.map((candle) => isComplete(candle, call.now));
  const rendered = candles.map((candle, index) => candleJson(candle, complete[index]!));
  return ok({
    body: `${headJson(asset.value, asked.value, coverage?.availableFrom)},"candles":[${rendered.join(",")}]}`,
    // With time, candles of one data version only become complete: their number tells which ones are.
    tag: { stem: `${version}.${complete.filter(Boolean).length}` },
  });
}

function headJson(asset: Asset, asked: CandleRequest, availableFrom: UtcMillis | undefined): string {
  const { code, baseCode, labelEn, labelFa, quoteUnit } = asset;
  const { interval } = asked;
  const [from, to] = [formatTimestamp(asked.from.millis), formatTimestamp(asked.to.millis)];
  const fields = { code, baseCode, labelEn, labelFa, quoteUnit, interval, from, to };
  return `${JSON.stringify(fields).slice(0, -1)},"availableFrom":${timestampJson(availableFrom)}`;
}
