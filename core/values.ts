import type { Asset } from "./assets.ts";
import { readDatesBody } from "./body.ts";
import { failure } from "./errors.ts";
import type { Failure } from "./errors.ts";
import { findAsset } from "./find_asset.ts";
import type { Answer, Call, Context } from "./handler.ts";
import { recordJson } from "./json.ts";
import type { Observation } from "./observation.ts";
import { dayEdges } from "./range.ts";
import type { DateRange } from "./range.ts";
import { chooseAssets, oneRecord, readDate, readRange, someRecords } from "./read_values.ts";
import { err, ok } from "./result.ts";
import type { Result } from "./result.ts";
import { parseQuery } from "./target.ts";

const MAX_CODES = 200;

/** Latest records of all assets, or of those in `codes`. Source: contract, Endpoints 1. */
export async function allLatest(context: Context, call: Call): Promise<Result<Answer, Failure>> {
  const query = parseQuery(call.query, call.route.query);
  if (!query.ok) return query;
  const codes = query.value.get("codes");
  const assets = codes === undefined ? ok([...context.assets.values()]) : parseCodes(codes, context);
  if (!assets.ok) return assets;
  const version = await context.observations.version();
  const found = await context.observations.latest(assets.value.map((asset) => asset.code));
  const records = someRecords(found);
  return records.ok ? ok(listAnswer(context, version, records.value)) : records;
}

/** Latest record of one asset. Source: contract, Endpoints 3. */
export async function latest(context: Context, call: Call): Promise<Result<Answer, Failure>> {
  const asset = findAsset(context, call.params[0]!);
  if (!asset.ok) return asset;
  const { code } = asset.value;
  const version = await context.observations.version(code);
  const [observation] = await context.observations.latest([code]);
  const record = oneRecord(code, observation);
  return record.ok ? ok(recordAnswer(context, version, record.value)) : record;
}

/** The last record of one asset on one market day. Source: contract, Endpoints 4. */
export async function onDate(context: Context, call: Call): Promise<Result<Answer, Failure>> {
  const asset = findAsset(context, call.params[0]!);
  if (!asset.ok) return asset;
  const date = readDate("date", call.params[1]!);
  if (!date.ok) return date;
  const { code } = asset.value;
  const version = await context.observations.version(code);
  const edges = dayEdges({ from: date.value, to: date.value }, context.marketZone);
  const [observation] = await context.observations.lastOfEach(code, edges);
  const record = oneRecord(code, observation, date.value);
  return record.ok ? ok(recordAnswer(context, version, record.value)) : record;
}

/** The last record of each market day of a range in the query. Source: contract, Endpoints 5. */
export async function historyByQuery(context: Context, call: Call): Promise<Result<Answer, Failure>> {
  const asset = findAsset(context, call.params[0]!);
  if (!asset.ok) return asset;
  const query = parseQuery(call.query, call.route.query);
  if (!query.ok) return query;
  const range = readRange(["from", query.value.get("from")], ["to", query.value.get("to")]);
  return range.ok ? history(context, asset.value, range.value) : range;
}

/** As `historyByQuery`, with the range in a JSON body. Source: contract, Endpoints 7. */
export async function historyByBody(context: Context, call: Call): Promise<Result<Answer, Failure>> {
  const asset = findAsset(context, call.params[0]!);
  if (!asset.ok) return asset;
  const body = await readDatesBody(call.request);
  if (!body.ok) return body;
  const range = readRange(["fromDate", body.value.fromDate], ["toDate", body.value.toDate]);
  return range.ok ? history(context, asset.value, range.value) : range;
}

async function history(context: Context, asset: Asset, range: DateRange): Promise<Result<Answer, Failure>> {
  const version = await context.observations.version(asset.code);
  const found = await context.observations.lastOfEach(asset.code, dayEdges(range, context.marketZone));
  return ok(listAnswer(context, version, found));
}

function recordAnswer(context: Context, version: string, observation: Observation): Answer {
  return { body: recordJson(context.heads.get(observation.code)!, observation), tag: { stem: version } };
}

function listAnswer(context: Context, version: string, observations: readonly Observation[]): Answer {
  const records = observations.map((observation) => recordJson(context.heads.get(observation.code)!, observation));
  return { body: `[${records.join(",")}]`, tag: { stem: version } };
}

function parseCodes(text: string, context: Context): Result<readonly Asset[], Failure> {
  const codes = text.split(",").map((code) => code.trim());
  if (codes.length > MAX_CODES) return err(failure("INVALID_CODES", `codes takes at most ${MAX_CODES} codes`));
  return chooseAssets(context, codes);
}
