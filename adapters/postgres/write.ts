import type { AppendOutcome } from "../../core/mod.ts";
import { BUCKET_MS, ROW_COLUMNS } from "./batch.ts";
import type { Batch, KeyBatch } from "./batch.ts";
import type { Query } from "./connection.ts";
import { countProviders } from "./count_providers.ts";
import { insertNew } from "./insert_new.ts";
import { idsOf, lockAssets, lockForAppend } from "./locks.ts";
import type { LockedAsset } from "./locks.ts";
import type { Schema } from "./schema.ts";
import { COMMITTED_DURABLY } from "./store_id.ts";

/** With fewer rows, to ask first whether all are new takes longer than it saves. */
const MANY = 100;
const NAMES = ROW_COLUMNS.map(([name]) => name).filter((name) => name !== "copies");
/** In what two records must be equal to be the same: not in the insert time. */
const COMPARED = NAMES.filter((name) => name !== "insert_time");
const COLUMN_LIST = ["asset", "business_time", ...NAMES].join(", ");

/** Gets the counters that a transaction has raised, by code as it is stored. They count once it is committed. */
export type OnRaised = (counters: Readonly<Record<string, number>>) => void;

/** Stores a batch within a transaction. Its assets stay locked until the end of it. */
export async function appendWithin(query: Query, schema: Schema, batch: Batch, onRaised?: OnRaised): Promise<AppendOutcome> {
  const assets = await lockForAppend(query, schema, batch.codes);
  if (batch.length >= MANY) {
    const changed = await insertNew(query, schema, batch, { assets, act: null });
    if (changed) {
      await recompute(query, schema, changed, onRaised);
      return { accepted: batch.length, replaced: batch.records - batch.length, unchanged: 0 };
    }
  }
  const [row] = await query<{ accepted: number; changed: number; assets: string }>(appendSql(schema.sql), [
    idsOf(batch.places, batch.codes, assets), batch.businessTimes, ...batch.columns,
  ]);
  const [accepted, changed] = [Number(row!.accepted), Number(row!.changed)];
  const outcome = { accepted, replaced: changed - accepted, unchanged: batch.records - changed };
  if (changed > 0) {
    await recompute(query, schema, { ids: idsOf(batch.buckets.places, batch.codes, assets), starts: batch.buckets.starts, assets: row!.assets }, onRaised);
  }
  return outcome;
}

/** Removes rows within a transaction; tells how many there were. */
export async function removeWithin(query: Query, schema: Schema, keys: KeyBatch, onRaised?: OnRaised): Promise<number> {
  const assets = await lockAssets(query, schema, keys.codes);
  const [row] = await query<{ removed: number; assets: string }>(removeSql(schema.sql), [idsOf(keys.places, keys.codes, assets), keys.businessTimes]);
  const removed = Number(row!.removed);
  if (removed > 0) await recompute(query, schema, { ids: idsOf(keys.buckets.places, keys.codes, assets), starts: keys.buckets.starts, assets: row!.assets }, onRaised);
  return removed;
}

/** Removes all rows of a provider in one asset, within a transaction; tells how many there were. */
export async function removeProviderWithin(query: Query, schema: Schema, asset: LockedAsset, provider: string, onRaised?: OnRaised): Promise<number> {
  const [row] = await query<{ removed: number; starts: string }>(removeProviderSql(schema.sql), [asset.id, provider]);
  const removed = Number(row!.removed);
  if (removed > 0) await recompute(query, schema, { ids: row!.starts.replace(/-?\d+/g, String(asset.id)), starts: row!.starts, assets: `{${asset.id}}` }, onRaised);
  return removed;
}

/** What was changed, as arrays of SQL. */
export interface Changed {
  /** The buckets of the roll-up: asset and start of each. */
  readonly ids: string;
  readonly starts: string;
  /** The assets in which anything has changed. */
  readonly assets: string;
}

/** Makes these buckets of the roll-up anew from the observations, and tells that the assets have changed. */
export async function recompute(query: Query, schema: Schema, { ids, starts, assets }: Changed, onRaised?: OnRaised): Promise<void> {
  const [told] = await query<{ counters: string | null }>(rollupSql(schema.sql), [ids, starts, assets, schema.channel]);
  if (told?.counters) onRaised?.(JSON.parse(told.counters) as Readonly<Record<string, number>>);
}

/**
 * Each row is looked up by itself, as a planner would read the whole table for a large batch. The assets are locked, so
 * what is not there can be inserted without asking again.
 */
function appendSql(schema: string): string {
  const arrays = ROW_COLUMNS.map(([, type], i) => `$${i + 3}::text::${type}[]`).join(", ");
  const compared = (table: string): string => `(${COMPARED.map((name) => `${table}.${name}`).join(", ")})`;
  return `
WITH batch AS (
  SELECT b.*, o.quality AS old_quality, o.provider AS old_provider,
    CASE WHEN o.quality IS NULL THEN 'new' WHEN ${compared("b")} IS DISTINCT FROM ${compared("o")} THEN 'other' ELSE 'same' END AS kind
  FROM unnest($1::text::integer[], $2::text::bigint[], ${arrays}) AS b (asset, business_time, ${ROW_COLUMNS.map(([name]) => name).join(", ")})
  LEFT JOIN LATERAL (
    SELECT * FROM ${schema}.observations s WHERE s.asset = b.asset AND s.business_time = b.business_time LIMIT 1
  ) AS o ON true
), changed AS MATERIALIZED (
  SELECT * FROM batch WHERE kind <> 'same'
), added AS (
  INSERT INTO ${schema}.observations (${COLUMN_LIST}) SELECT ${COLUMN_LIST} FROM changed WHERE kind = 'new'
), replaced AS (
  INSERT INTO ${schema}.observations (${COLUMN_LIST}) SELECT ${COLUMN_LIST} FROM changed WHERE kind = 'other'
  ON CONFLICT (asset, business_time) DO UPDATE SET ${NAMES.map((name) => `${name} = excluded.${name}`).join(", ")}, act = NULL
), counted AS (
  ${countProviders(schema, `
    SELECT asset, provider, 1 AS n FROM changed WHERE quality = 0
    UNION ALL SELECT asset, old_provider, -1 FROM changed WHERE old_quality = 0`)}
)
SELECT COALESCE(sum(new), 0)::float8 AS accepted, COALESCE(sum(all_copies), 0)::float8 AS changed, COALESCE(array_agg(asset), '{}')::text AS assets
FROM (SELECT asset, count(*) FILTER (WHERE kind = 'new') AS new, sum(copies) AS all_copies FROM changed GROUP BY asset) AS changes`;
}

function removeSql(schema: string): string {
  return `
WITH removed AS (
  DELETE FROM ${schema}.observations WHERE ctid = ANY (ARRAY(
    SELECT o.ctid FROM unnest($1::text::integer[], $2::text::bigint[]) AS k (asset, business_time)
    CROSS JOIN LATERAL (SELECT ctid FROM ${schema}.observations s WHERE s.asset = k.asset AND s.business_time = k.business_time LIMIT 1) AS o
  )) RETURNING asset, provider, quality
), counted AS (
  ${countProviders(schema, "SELECT asset, provider, -1 AS n FROM removed WHERE quality = 0")}
)
SELECT count(*)::float8 AS removed, COALESCE(array_agg(DISTINCT asset), '{}')::text AS assets FROM removed`;
}

function removeProviderSql(schema: string): string {
  return `
WITH removed AS (
  DELETE FROM ${schema}.observations WHERE asset = $1::integer AND provider = $2::text RETURNING business_time
), counted AS (
  DELETE FROM ${schema}.providers WHERE asset = $1::integer AND provider = $2::text
)
SELECT count(*)::float8 AS removed, COALESCE(array_agg(DISTINCT ${bucketOf("business_time")}), '{}')::text AS starts FROM removed`;
}

/** Start of the bucket of a business time; also before 1970, where a division of integers would round up. */
export function bucketOf(time: string): string {
  return `(${time} - ((${time} % ${BUCKET_MS}) + ${BUCKET_MS}) % ${BUCKET_MS})`;
}

// One subquery for each bucket, so that each is one short range of the primary key, whatever the planner thinks of the tables.
function rollupSql(schema: string): string {
  return `
WITH touched AS (
  SELECT * FROM unnest($1::text::integer[], $2::text::bigint[]) AS buckets (asset, start)
), made AS MATERIALIZED (
  SELECT t.asset, t.start, b.* FROM touched t CROSS JOIN LATERAL (
    SELECT count(*)::integer AS count, min(business_time) AS first_time, max(business_time) AS last_time,
      array_agg(value ORDER BY business_time) AS path, max(value) AS high, min(value) AS low
    FROM ${schema}.observations o
    WHERE o.asset = t.asset AND o.business_time >= t.start AND o.business_time < t.start + ${BUCKET_MS} AND o.quality = 0
  ) AS b
), emptied AS (
  DELETE FROM ${schema}.rollup r USING made m WHERE m.count = 0 AND r.asset = m.asset AND r.start = m.start
), filled AS (
  INSERT INTO ${schema}.rollup (asset, start, count, first_time, last_time, open, high, low, close)
  SELECT asset, start, count, first_time, last_time, path[1], high, low, path[count] FROM made WHERE count > 0
  ON CONFLICT (asset, start) DO UPDATE SET (count, first_time, last_time, open, high, low, close)
    = (excluded.count, excluded.first_time, excluded.last_time, excluded.open, excluded.high, excluded.low, excluded.close)
), raised AS (
  UPDATE ${schema}.assets SET version = version + 1 WHERE id = ANY ($3::text::integer[]) RETURNING code, version
), told AS (
  SELECT json_object_agg(code, version)::text AS counters FROM raised
)
SELECT counters, pg_notify($4::text, CASE WHEN octet_length(counters) > ${MAX_COUNTERS_BYTES} THEN '{"all":true}' ELSE '{"v":' || counters || '}' END) AS told,
  ${COMMITTED_DURABLY} AS durably FROM told`;
}

/** PostgreSQL takes payloads of less than 8,000 bytes. */
const MAX_COUNTERS_BYTES = 7_000;
