import type { AssetCode, CalendarDate } from "../brand.ts";
import type { Asset } from "../market/assets.ts";
import type { Observation } from "../market/observation.ts";
import { dayEdges } from "../market/range.ts";
import type { DateRange } from "../market/range.ts";
import { readDatesBody } from "../http/body.ts";
import { failure } from "../http/errors.ts";
import type { Failure } from "../http/errors.ts";
import { parseQuery } from "../http/target.ts";
import type { MaybePromise } from "../ports.ts";
import { findAsset, findAssets } from "../queries/asset_queries.ts";
import { emptyRangeNotice, noRecordOn, parseDateRange, parseRequiredDate, requireRecord, requireRecords } from "../queries/value_queries.ts";
import { err, ok } from "../result.ts";
import type { Result } from "../result.ts";
import type { Answer, Context, Freshness, RouteRequest } from "./handler.ts";
import { recordBytes, recordListBytes } from "./record_json.ts";

// Requests are checked synchronously; only the store is awaited.
type Outcome = Result<Answer, Failure>;

const MAX_CODES = 200;
/** A common slip for `codes`. */
const CODE_PARAMETER = /(?:^|&)code=/;

/** Latest records of all assets, or of those in `codes`. Source: contract, Endpoints 1. */
export function allLatest(context: Context, request: RouteRequest): MaybePromise<Outcome> {
  const query = parseQuery(request.query, request.route.query);
  if (!query.ok) return query;
  const codes = query.value.get("codes");
  const asked = codes === undefined ? ok(context.codes) : parseCodes(codes, context);
  const notice = codes === undefined && CODE_PARAMETER.test(request.query) ? "The parameter code is not read; codes selects assets" : undefined;
  return asked.ok ? readLatestOf(context, asked.value, notice) : asked;
}

async function readLatestOf(context: Context, codes: readonly AssetCode[], notice: string | undefined): Promise<Outcome> {
  const { version, value } = await context.observations.latest(codes);
  const records = requireRecords(value);
  return records.ok ? ok({ ...listAnswer(context, { codes, version }, records.value), ...noticed(notice) }) : records;
}

/** Latest record of one asset. Source: contract, Endpoints 3. */
export function latest(context: Context, { params }: RouteRequest): MaybePromise<Outcome> {
  const asset = findAsset(context, params[0]!);
  return asset.ok ? readLatest(context, asset.value) : asset;
}

async function readLatest(context: Context, { code }: Asset): Promise<Outcome> {
  const codes = [code];
  const { version, value } = await context.observations.latest(codes);
  const record = requireRecord(code, value[0]);
  return record.ok ? ok(recordAnswer(context, { codes, version }, record.value)) : record;
}

/** The last record of one asset on one market day. Source: contract, Endpoints 4. */
export function onDate(context: Context, { params }: RouteRequest): MaybePromise<Outcome> {
  const asset = findAsset(context, params[0]!);
  if (!asset.ok) return asset;
  const date = parseRequiredDate("date", params[1]!);
  return date.ok ? readDay(context, asset.value, date.value) : date;
}

async function readDay(context: Context, { code }: Asset, date: CalendarDate): Promise<Outcome> {
  const { version, value } = await context.observations.lastOfEach(code, dayEdges({ from: date, to: date }, context.marketZone));
  const [found] = value;
  return found ? ok(recordAnswer(context, { codes: [code], version }, found)) : err(await noRecordOn(context, code, date));
}

/** The last record of each market day of a range in the query. Source: contract, Endpoints 5. */
export function historyByQuery(context: Context, request: RouteRequest): MaybePromise<Outcome> {
  const asset = findAsset(context, request.params[0]!);
  if (!asset.ok) return asset;
  const query = parseQuery(request.query, request.route.query);
  if (!query.ok) return query;
  const range = parseDateRange(["from", query.value.get("from")], ["to", query.value.get("to")]);
  return range.ok ? readHistory(context, asset.value, range.value) : range;
}

/** As `historyByQuery`, with the range in a JSON body. Source: contract, Endpoints 7. */
export async function historyByBody(context: Context, { params, request }: RouteRequest): Promise<Outcome> {
  const asset = findAsset(context, params[0]!);
  if (!asset.ok) return asset;
  const body = await readDatesBody(request);
  if (!body.ok) return body;
  const range = parseDateRange(["fromDate", body.value.fromDate], ["toDate", body.value.toDate]);
  return range.ok ? readHistory(context, asset.value, range.value) : range;
}

async function readHistory(context: Context, { code }: Asset, range: DateRange): Promise<Outcome> {
  const { version, value } = await context.observations.lastOfEach(code, dayEdges(range, context.marketZone));
  const answer = listAnswer(context, { codes: [code], version }, value);
  // Only an empty answer asks the store from when to when there are records.
  return ok(value.length > 0 ? answer : { ...answer, ...noticed(await emptyRangeNotice(context, code, range)) });
}

/** What the client should know of an answer that is not what it may expect. Printable ASCII. */
function noticed(notice: string | undefined): Pick<Answer, "fields"> {
  return { fields: notice === undefined ? undefined : ["X-Notice", notice] };
}

function recordAnswer({ heads }: Context, freshness: Freshness, observation: Observation): Answer {
  return { body: recordBytes(heads, observation), tag: { stem: freshness.version }, freshness };
}

function listAnswer({ heads }: Context, freshness: Freshness, observations: readonly Observation[]): Answer {
  return { body: recordListBytes(heads, observations), tag: { stem: freshness.version }, freshness };
}

function parseCodes(text: string, context: Context): Result<readonly AssetCode[], Failure> {
  const codes = text.split(",").map((code) => code.trim());
  if (codes.length > MAX_CODES) return err(failure("INVALID_CODES", `codes takes at most ${MAX_CODES} codes`));
  const assets = findAssets(context, codes);
  return assets.ok ? ok(assets.value.map(({ code }) => code)) : assets;
}
