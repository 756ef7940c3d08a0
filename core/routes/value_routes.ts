import type { AssetCode } from "../branded_types.ts";
import { readDatesBody } from "../http/dates_body.ts";
import { type Failure, failure } from "../http/errors.ts";
import { parseQuery } from "../http/request_target.ts";
import type { Answer } from "../http/respond.ts";
import type { DateRange } from "../market/date_range.ts";
import type { MaybePromise } from "../ports.ts";
import { findAsset, findAssets } from "../queries/asset_queries.ts";
import { assetValue } from "../queries/price_values.ts";
import {
  emptyRangeNotice,
  parseDateRange,
  parseRequiredDate,
  type Records,
  readDay,
  readHistory,
  readLatest,
} from "../queries/value_queries.ts";
import { err, ok, type Result } from "../result.ts";
import { csvTable } from "./csv_answer.ts";
import type { Context, RouteRequest } from "./handler.ts";
import { recordBytes, recordListBytes } from "./record_json.ts";

// Requests are checked synchronously, so that most failures need no promise.
type Outcome = Result<Answer, Failure>;

const MAX_CODES = 200;
const VALUE_COLUMNS = ["code", "name", "slug", "labelEn", "labelFa", "quoteUnit", "value", "businessTime"] as const;
/** The parameter `code`, which clients often send instead of `codes`. */
const CODE_PARAMETER = /(?:^|&)code=/;
const CODE_IGNORED = "The parameter `code` is ignored. To select assets, use `codes`";

/** Latest records of all assets, or of the assets in `codes`. Source: contract, Endpoints 1. */
export function allLatest(context: Context, request: RouteRequest): MaybePromise<Outcome> {
  const query = parseQuery(request.query, request.route.query);
  if (!query.ok) return query;
  const codes = query.value.get("codes");
  if (codes === undefined)
    return answerLatest(context, context.codes, CODE_PARAMETER.test(request.query) ? CODE_IGNORED : undefined);
  const asked = parseCodes(codes, context);
  return asked.ok ? answerLatest(context, asked.value) : asked;
}

async function answerLatest(context: Context, codes: readonly AssetCode[], notice?: string): Promise<Outcome> {
  const found = await readLatest(context, codes);
  return found.ok ? ok(listAnswer(context, found.value, notice)) : found;
}

/** Latest record of one asset. Source: contract, Endpoints 3. */
export function latest(context: Context, { params }: RouteRequest): MaybePromise<Outcome> {
  const asset = findAsset(context, params[0]!);
  return asset.ok ? answerOne(context, readLatest(context, [asset.value.code])) : asset;
}

/** The last record of one asset on one market day. Source: contract, Endpoints 4. */
export function onDate(context: Context, { params }: RouteRequest): MaybePromise<Outcome> {
  const asset = findAsset(context, params[0]!);
  if (!asset.ok) return asset;
  const date = parseRequiredDate("date", params[1]!);
  return date.ok ? answerOne(context, readDay(context, asset.value.code, date.value)) : date;
}

async function answerOne(context: Context, reading: Promise<Result<Records, Failure>>): Promise<Outcome> {
  const found = await reading;
  return found.ok ? ok(answerOf(context, found.value, recordBytes(context.heads, found.value.records[0]!))) : found;
}

/** The last record of each market day in the range that the query gives. Source: contract, Endpoints 5. */
export function historyByQuery(context: Context, request: RouteRequest): MaybePromise<Outcome> {
  const asset = findAsset(context, request.params[0]!);
  if (!asset.ok) return asset;
  const query = parseQuery(request.query, request.route.query);
  if (!query.ok) return query;
  const range = parseDateRange(["from", query.value.get("from")], ["to", query.value.get("to")]);
  return range.ok ? answerHistory(context, asset.value.code, range.value) : range;
}

/** Like `historyByQuery`, but the body gives the range. Source: contract, Endpoints 7. */
export async function historyByBody(context: Context, { params, request }: RouteRequest): Promise<Outcome> {
  const asset = findAsset(context, params[0]!);
  if (!asset.ok) return asset;
  const body = await readDatesBody(request);
  if (!body.ok) return body;
  const range = parseDateRange(["fromDate", body.value.fromDate], ["toDate", body.value.toDate]);
  return range.ok ? answerHistory(context, asset.value.code, range.value) : range;
}

async function answerHistory(context: Context, code: AssetCode, range: DateRange): Promise<Outcome> {
  const found = await readHistory(context, code, range);
  const notice = found.records.length > 0 ? undefined : await emptyRangeNotice(context, code, range);
  return ok(listAnswer(context, found, notice));
}

/** @param notice Explains an answer that may surprise the client. Printable ASCII. */
function listAnswer(context: Context, found: Records, notice: string | undefined): Answer {
  const answer = answerOf(context, found, recordListBytes(context.heads, found.records));
  return notice === undefined ? answer : { ...answer, fields: ["X-Notice", notice] };
}

function answerOf({ assets }: Context, { freshness, records }: Records, body: Uint8Array): Answer {
  const rows = () => records.map((record) => assetValue(assets.get(record.code)!, record));
  return { body, tag: freshness.version, freshness, csv: () => csvTable(VALUE_COLUMNS, rows()) };
}

function parseCodes(text: string, context: Context): Result<readonly AssetCode[], Failure> {
  const codes = text.split(",").map((code) => code.trim());
  if (codes.length > MAX_CODES) return err(failure("INVALID_CODES", `codes takes at most ${MAX_CODES} codes`));
  const assets = findAssets(context, codes);
  return assets.ok ? ok(assets.value.map(({ code }) => code)) : assets;
}
