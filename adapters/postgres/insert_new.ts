import { ROW_COLUMNS } from "./batch.ts";
import type { Batch } from "./batch.ts";
import { repeated } from "./batch_columns.ts";
import type { Query } from "./connection.ts";
import { countProviders } from "./count_providers.ts";
import { idsOf } from "./locks.ts";
import type { LockedAsset } from "./locks.ts";
import type { Schema } from "./schema.ts";
import type { Changed } from "./write.ts";

/** The act that stores a batch, and the insert time of all that it stores. */
export interface StoringImport {
  readonly id: number;
  readonly time: number;
}

/** Columns in which most batches have one value in all rows. */
const TAIL = ROW_COLUMNS.filter(([name]) => name !== "value" && name !== "copies");
const TAIL_AT = TAIL.map(([name]) => ROW_COLUMNS.findIndex(([column]) => column === name));
const INSERT_TIME_AT = ROW_COLUMNS.findIndex(([name]) => name === "insert_time");
const LIST = ["asset", "business_time", "value", ...TAIL.map(([name]) => name), "act"].join(", ");

/**
 * Stores a batch in assets that have nothing yet between its first and its last business time, as most imports bring
 * records that follow those before. Nothing has to be compared then, which takes half of the time.
 *
 * @param assets The assets of the batch, locked by this transaction: what is not there can be inserted without asking again.
 * @returns What has changed; `undefined` where there is something, and nothing was stored.
 */
export async function insertNew(query: Query, { sql }: Schema, batch: Batch, { assets, act }: { readonly assets: readonly LockedAsset[]; readonly act: StoringImport | null }): Promise<Changed | undefined> {
  const { codes, places, businessTimes, columns, constants, spans, providers, buckets } = batch;
  const inOrder = idsOf(codes.map((_, place) => place), codes, assets);
  const [found] = await query<{ free: boolean }>(freeSql(sql), [inOrder, spans.firsts, spans.lasts]);
  if (!found!.free) return undefined;
  const insertTime = act && String(act.time);
  const same = TAIL_AT.map((at) => (at === INSERT_TIME_AT && insertTime ? insertTime : constants[at])).filter((value) => value !== undefined);
  const isConstant = same.length === TAIL.length;
  const tail = isConstant ? same : TAIL_AT.map((at) => (at === INSERT_TIME_AT && insertTime ? repeated(insertTime, batch.length) : columns[at]!));
  await query(insertSql(sql, isConstant), [
    ...[idsOf(places, codes, assets), businessTimes, columns[0]!, act?.id ?? null],
    ...[idsOf(providers.places, codes, assets), providers.names, providers.counts],
    ...tail,
  ]);
  return { ids: idsOf(buckets.places, codes, assets), starts: buckets.starts, assets: inOrder };
}

// Ordered, so that the planner takes the primary key although it expects to find something soon.
function freeSql(schema: string): string {
  return `SELECT NOT EXISTS (
  SELECT FROM unnest($1::text::int[], $2::text::bigint[], $3::text::bigint[]) AS span (asset, first, last), LATERAL (
    SELECT FROM ${schema}.observations AS held WHERE held.asset = span.asset AND held.business_time BETWEEN span.first AND span.last
    ORDER BY held.business_time LIMIT 1
  ) AS held
) AS free`;
}

function insertSql(schema: string, isConstant: boolean): string {
  const arrays = isConstant ? [] : TAIL.map(([, type], i) => `$${i + 8}::text::${type}[]`);
  const tail = TAIL.map(([name, type], i) => (isConstant ? `$${i + 8}::text::${type}` : name));
  return `WITH counted AS (
  ${countProviders(schema, "SELECT * FROM unnest($5::text::int[], $6::text::text[], $7::text::int[]) AS counts (asset, provider, n)")}
)
INSERT INTO ${schema}.observations (${LIST})
SELECT asset, business_time, value, ${tail.join(", ")}, $4::int
FROM unnest(${["$1::text::int[]", "$2::text::bigint[]", "$3::text::float8[]", ...arrays].join(", ")}) AS batch (asset, business_time, value${isConstant ? "" : `, ${TAIL.map(([name]) => name).join(", ")}`})`;
}
