import { after } from "../async.ts";
import type { Asset } from "../market/assets.ts";
import { readDatesBody } from "../http/body.ts";
import type { DatesBody } from "../http/body.ts";
import { failure } from "../http/errors.ts";
import type { Failure } from "../http/errors.ts";
import { findAsset } from "../queries/find_asset.ts";
import type { Answer, Call, Context, Keep } from "./handler.ts";
import type { Observation } from "../market/observation.ts";
import type { MaybePromise } from "../ports.ts";
import { dayEdges } from "../market/range.ts";
import type { DateRange } from "../market/range.ts";
import { chooseAssets, oneRecord, readDate, readRange, someRecords } from "../queries/value_queries.ts";
import { recordBytes, recordListBytes } from "./record_json.ts";
import { err, ok } from "../result.ts";
import type { Result } from "../result.ts";
import { parseQuery } from "../http/target.ts";

type Outcome = Result<Answer, Failure>;

const MAX_CODES = 200;

/** Latest records of all assets, or of those in `codes`. Source: contract, Endpoints 1. */
export function allLatest(context: Context, call: Call): MaybePromise<Outcome> {
  const query = parseQuery(call.query, call.route.query);
  if (!query.ok) return query;
  const codes = query.value.get("codes");
  const assets = codes === undefined ? ok([...context.assets.values()]) : parseCodes(codes, context);
  if (!assets.ok) return assets;
  return after(context.observations.version(), (version) =>
    after(context.observations.latest(assets.value.map((asset) => asset.code)), (found) => {
      const records = someRecords(found);
      return records.ok ? ok(listAnswer(context, { version }, records.value)) : records;
    }),
  );
}

/** Latest record of one asset. Source: contract, Endpoints 3. */
export function latest(context: Context, call: Call): MaybePromise<Outcome> {
  const asset = findAsset(context, call.params[0]!);
  if (!asset.ok) return asset;
  const { code } = asset.value;
  return after(context.observations.version(code), (version) =>
    after(context.observations.latest([code]), ([observation]) => {
      const record = oneRecord(code, observation);
      return record.ok ? ok(recordAnswer(context, { code, version }, record.value)) : record;
    }),
  );
}

/** The last record of one asset on one market day. Source: contract, Endpoints 4. */
export function onDate(context: Context, call: Call): MaybePromise<Outcome> {
  const asset = findAsset(context, call.params[0]!);
  if (!asset.ok) return asset;
  const date = readDate("date", call.params[1]!);
  if (!date.ok) return date;
  const { code } = asset.value;
  return after(context.observations.version(code), (version) => {
    const edges = dayEdges({ from: date.value, to: date.value }, context.marketZone);
    return after(context.observations.lastOfEach(code, edges), ([observation]) => {
      const record = oneRecord(code, observation, date.value);
      return record.ok ? ok(recordAnswer(context, { code, version }, record.value)) : record;
    });
  });
}

/** The last record of each market day of a range in the query. Source: contract, Endpoints 5. */
export function historyByQuery(context: Context, call: Call): MaybePromise<Outcome> {
  const asset = findAsset(context, call.params[0]!);
  if (!asset.ok) return asset;
  const query = parseQuery(call.query, call.route.query);
  if (!query.ok) return query;
  const range = readRange(["from", query.value.get("from")], ["to", query.value.get("to")]);
  return range.ok ? history(context, asset.value, range.value) : range;
}

/** As `historyByQuery`, with the range in a JSON body. Source: contract, Endpoints 7. */
export function historyByBody(context: Context, call: Call): MaybePromise<Outcome> {
  const asset = findAsset(context, call.params[0]!);
  if (!asset.ok) return asset;
  return after<Result<DatesBody, Failure>, Outcome>(readDatesBody(call.request), (body) => {
    if (!body.ok) return body;
    const range = readRange(["fromDate", body.value.fromDate], ["toDate", body.value.toDate]);
    return range.ok ? history(context, asset.value, range.value) : range;
  });
}

function history(context: Context, { code }: Asset, range: DateRange): MaybePromise<Outcome> {
  return after(context.observations.version(code), (version) =>
    after(context.observations.lastOfEach(code, dayEdges(range, context.marketZone)), (found) =>
      ok(listAnswer(context, { code, version }, found)),
    ),
  );
}

function recordAnswer({ heads }: Context, keep: Keep, observation: Observation): Answer {
  return { body: recordBytes(heads, observation), tag: { stem: keep.version }, keep };
}

function listAnswer({ heads }: Context, keep: Keep, observations: readonly Observation[]): Answer {
  return { body: recordListBytes(heads, observations), tag: { stem: keep.version }, keep };
}

function parseCodes(text: string, context: Context): Result<readonly Asset[], Failure> {
  const codes = text.split(",").map((code) => code.trim());
  if (codes.length > MAX_CODES) return err(failure("INVALID_CODES", `codes takes at most ${MAX_CODES} codes`));
  return chooseAssets(context, codes);
}
