import { after } from "../async.ts";
import type { Asset } from "../market/assets.ts";
import type { AssetCode, UtcMillis } from "../brand.ts";
import { toColumns } from "../series/candle_columns.ts";
import type { CandleColumns } from "../series/candle_columns.ts";
import { writeCandles } from "./candle_json.ts";
import type { Failure } from "../http/errors.ts";
import { findAsset } from "../queries/find_asset.ts";
import type { Answer, Call, Context, Keep } from "./handler.ts";
import { timestampJson } from "../bytes/json.ts";
import type { MaybePromise, Observations, TimeWindow } from "../ports.ts";
import { readCandleRequest, someCandles } from "../queries/candle_queries.ts";
import type { CandleRequest } from "../queries/candle_queries.ts";
import { ok } from "../result.ts";
import type { Result } from "../result.ts";
import { parseQuery } from "../http/target.ts";
import { formatTimestamp } from "../time/timestamps.ts";

/** Candles of one asset whose start lies in [from, to). Source: contract, Endpoints 6. */
export function ohlc(context: Context, call: Call): MaybePromise<Result<Answer, Failure>> {
  const found = findAsset(context, call.params[0]!);
  if (!found.ok) return found;
  const query = parseQuery(call.query, call.route.query);
  if (!query.ok) return query;
  const given = query.value;
  const asked = readCandleRequest({ interval: given.get("interval"), from: given.get("from"), to: given.get("to") }, context.maxCandles);
  if (!asked.ok) return asked;

  const asset = found.value;
  const { code } = asset;
  const { window, widthMs } = asked.value;
  return after(context.observations.version(code), (version) =>
    after(readColumns(context.observations, code, window, widthMs), (columns) => {
      const some = someCandles(columns);
      if (!some.ok) return some;
      return after(context.observations.coverage([code]), ([coverage]) => {
        const { bytes, complete } = writeCandles(headJson(asset, asked.value, coverage?.availableFrom), columns, call.now);
        // With time, candles of one data version only become complete: their number tells which ones are.
        return ok({ body: bytes, tag: { stem: `${version}.${complete}` }, keep: { code, version, ...nextChange(columns, complete) } });
      });
    }),
  );
}

function readColumns(observations: Observations, code: AssetCode, window: TimeWindow, widthMs: number): MaybePromise<CandleColumns> {
  if (observations.candleColumns) return observations.candleColumns(code, window, widthMs);
  return after(observations.candles(code, window, widthMs), (candles) => toColumns(candles, widthMs));
}

/** When the first candle that is not complete yet will be. */
function nextChange({ length, starts, widthMs }: CandleColumns, complete: number): Pick<Keep, "until"> {
  return complete < length ? { until: (starts[complete]! + widthMs) as UtcMillis } : {};
}

/** The answer as far as the list of candles. */
function headJson(asset: Asset, asked: CandleRequest, availableFrom: UtcMillis | undefined): string {
  const { code, baseCode, labelEn, labelFa, quoteUnit } = asset;
  const { interval } = asked;
  const [from, to] = [formatTimestamp(asked.from.millis), formatTimestamp(asked.to.millis)];
  const fields = { code, baseCode, labelEn, labelFa, quoteUnit, interval, from, to };
  return `${JSON.stringify(fields).slice(0, -1)},"availableFrom":${timestampJson(availableFrom)},"candles":[`;
}
