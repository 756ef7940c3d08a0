import type { Asset } from "./assets.ts";
import type { CalendarDate } from "./brand.ts";
import { readDatesBody } from "./body.ts";
import { parseDate } from "./dates.ts";
import { failure, quote } from "./errors.ts";
import type { Failure } from "./errors.ts";
import { findAsset, unknownCode } from "./find_asset.ts";
import type { Answer, Call, Context } from "./handler.ts";
import { recordJson } from "./json.ts";
import type { Observation } from "./observation.ts";
import { dateRange, dayEdges } from "./range.ts";
import type { DateRange } from "./range.ts";
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
  const records = found.filter((observation) => observation !== undefined);
  if (records.length === 0) return err(failure("ASSET_NOT_FOUND", "None of these assets has a record yet"));
  return ok(listAnswer(context, version, records));
}

/** Latest record of one asset. Source: contract, Endpoints 3. */
export async function latest(context: Context, call: Call): Promise<Result<Answer, Failure>> {
  const asset = findAsset(context, call.params[0]!);
  if (!asset.ok) return asset;
  const { code } = asset.value;
  const version = await context.observations.version(code);
  const [observation] = await context.observations.latest([code]);
  if (!observation) return err(failure("ASSET_NOT_FOUND", `There is no record for ${code} yet`));
  return ok(recordAnswer(context, version, observation));
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
  if (!observation) return err(failure("ASSET_NOT_FOUND", `There is no record for ${code} on ${date.value}`));
  return ok(recordAnswer(context, version, observation));
}

/** The last record of each market day of a range in the query. Source: contract, Endpoints 5. */
export async function historyByQuery(context: Context, call: Call): Promise<Result<Answer, Failure>> {
  const asset = findAsset(context, call.params[0]!);
  if (!asset.ok) return asset;
  const query = parseQuery(call.query, call.route.query);
  if (!query.ok) return query;
  const range = readRange("from", query.value.get("from"), "to", query.value.get("to"));
  return range.ok ? history(context, asset.value, range.value) : range;
}

/** As `historyByQuery`, with the range in a JSON body. Source: contract, Endpoints 7. */
export async function historyByBody(context: Context, call: Call): Promise<Result<Answer, Failure>> {
  const asset = findAsset(context, call.params[0]!);
  if (!asset.ok) return asset;
  const body = await readDatesBody(call.request);
  if (!body.ok) return body;
  const range = readRange("fromDate", body.value.fromDate, "toDate", body.value.toDate);
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
  for (const code of codes) {
    if (code === "") return err(failure("INVALID_CODES"));
    if (!context.assets.has(code)) return err(failure("INVALID_CODES", unknownCode(context, code)));
  }
  const wanted = new Set(codes);
  return ok([...context.assets.values()].filter((asset) => wanted.has(asset.code)));
}

function readRange(
  fromName: string,
  fromText: string | undefined,
  toName: string,
  toText: string | undefined,
): Result<DateRange, Failure> {
  const from = readDate(fromName, fromText);
  if (!from.ok) return from;
  const to = readDate(toName, toText);
  return to.ok ? dateRange(from.value, to.value) : to;
}

function readDate(name: string, text: string | undefined): Result<CalendarDate, Failure> {
  if (text === undefined) return err(failure("MISSING_PARAMETER", `${name} is missing: a day written YYYY-MM-DD`));
  const date = parseDate(text);
  if (date !== undefined) return ok(date);
  return err(failure("INVALID_DATE", `${name} must be a real Gregorian day written YYYY-MM-DD: received ${quote(text)}`));
}
