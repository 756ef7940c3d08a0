import type { AccountBook, Observation, UtcMillis } from "../../core/mod.ts";
import type { Import } from "../store/imports.ts";
import { inBatches } from "../store/copy.ts";
import type { CopyCounts, MakeOptions, StoreContent } from "../store/copy.ts";
import type { DayUsage } from "../store/store.ts";
import { StoreError } from "../store/store_error.ts";
import { changeBook } from "./accounts.ts";
import { batchOf } from "./batch.ts";
import { arrayOf } from "./batch_columns.ts";
import type { Connection, Query } from "./connection.ts";
import { demandSchema } from "./migrations/migrate.ts";
import type { Schema } from "./schema.ts";
import { toStored } from "./text.ts";
import { bucketOf } from "./write.ts";

const BATCH = 5_000;
/** Whatever a store could hold. Locked against other writers until the end. */
const TABLES = ["observations", "accounts", "quota", "acts"];

/** How a content is written to a database. */
export interface MakePostgresOptions extends MakeOptions {
  /** Called when all is written, and before others see it. Where it rejects, nothing is written. */
  readonly beforeCommit?: (() => Promise<void>) | undefined;
}

/** Writes all of a content into the empty tables of a database, in one transaction. */
export function makePostgresStore({ transaction }: Pick<Connection, "transaction">, schema: Schema, content: StoreContent, { progress, beforeCommit }: MakePostgresOptions): Promise<CopyCounts> {
  const { book, usage, imports } = content;
  return transaction(async (query) => {
    await demandSchema(query, schema);
    await demandEmpty(query, schema);
    const assets = new Map<string, number>();
    const importOf = new Map(imports.map(({ id, time }) => [time, id]));
    let records = 0;
    for await (const batch of inBatches(content.records(), BATCH)) {
      await write(query, schema.sql, batch, { table: "observations", assets, importOf });
      progress((records += batch.length));
    }
    await derive(query, schema);
    for (const imported of imports) {
      let noted = 0;
      for await (const batch of inBatches(content.before(imported), BATCH)) {
        await write(query, schema.sql, batch, { table: "act_before", by: imported.id, assets, importOf });
        noted += batch.length;
      }
      await writeImport(query, schema.sql, imported, noted);
    }
    await changeBook(query, schema, () => book);
    for (const day of usage) await writeDay(query, schema.sql, day, book);
    await beforeCommit?.();
    return { records, accounts: book.accounts.length, keys: book.keys.length, days: usage.length, imports: imports.length };
  });
}

async function demandEmpty(query: Query, { name, sql }: Schema): Promise<void> {
  await query(`LOCK TABLE ${TABLES.map((table) => `${sql}.${table}`).join(", ")} IN SHARE ROW EXCLUSIVE MODE`);
  for (const table of TABLES) {
    const [row] = await query<{ there: boolean }>(`SELECT EXISTS (SELECT FROM ${sql}.${table}) AS there`, []);
    if (row!.there) throw new StoreError(`Cannot write to the database as its schema "${name}" holds data already, in the table ${table}`, 64);
  }
}

interface Target {
  readonly table: "observations" | "act_before";
  /** The act that noted the records, for `act_before`. */
  readonly by?: number;
  /** The ids of assets, by their codes; new ones are added in the order of the records. */
  readonly assets: Map<string, number>;
  /** The act of an insert time. */
  readonly importOf: ReadonlyMap<UtcMillis, number>;
}

async function write(query: Query, schema: string, rows: readonly Observation[], { table, by, assets, importOf }: Target): Promise<void> {
  const { codes, places, businessTimes, columns } = batchOf(rows);
  for (const code of codes) if (!assets.has(code)) assets.set(code, await idOf(query, schema, code));
  const [values, sourceTimes, insertTimes, providers, qualities, messages] = columns;
  const acts = arrayOf(rows.map(({ insertTime }) => importOf.get(insertTime) ?? "NULL"));
  await query(
    `INSERT INTO ${schema}.${table} (${by === undefined ? "" : "by_act, "}asset, business_time, value, source_time, insert_time, provider, quality, message, act)
SELECT ${by === undefined ? "" : `${by}, `}* FROM unnest($1::text::int[], $2::text::bigint[], $3::text::float8[], $4::text::bigint[], $5::text::bigint[],
  $6::text::text[], $7::text::smallint[], $8::text::text[], $9::text::int[])`,
    [arrayOf(places.map((place) => assets.get(codes[place]!)!)), businessTimes, values!, sourceTimes!, insertTimes!, providers!, qualities!, messages!, acts],
  );
}

async function idOf(query: Query, schema: string, code: string): Promise<number> {
  const [row] = await query<{ id: number }>(
    `INSERT INTO ${schema}.assets (code) VALUES ($1::text) ON CONFLICT (code) DO UPDATE SET code = excluded.code RETURNING id`, [code],
  );
  return row!.id;
}

/** Makes everything that is derived from observations. */
async function derive(query: Query, { sql, channel }: Schema): Promise<void> {
  await query(`INSERT INTO ${sql}.rollup (asset, start, count, first_time, last_time, open, high, low, close)
SELECT asset, ${bucketOf("business_time")}, count(*), min(business_time), max(business_time),
  (array_agg(value ORDER BY business_time))[1], max(value), min(value), (array_agg(value ORDER BY business_time DESC))[1]
FROM ${sql}.observations WHERE quality = 0 GROUP BY 1, 2`);
  await query(`INSERT INTO ${sql}.providers (asset, provider, count)
SELECT asset, provider, count(*) FROM ${sql}.observations WHERE quality = 0 AND provider IS NOT NULL GROUP BY 1, 2`);
  await query(`UPDATE ${sql}.assets SET version = version + 1`);
  await query("SELECT pg_notify($1::text, '{\"all\":true}')", [channel]);
}

async function writeImport(query: Query, schema: string, { id, type, time, subjects, by, summary, undone }: Import, noted: number): Promise<void> {
  await query(
    `INSERT INTO ${schema}.acts (id, type, time, subjects, pid, host, summary, noted, undone, restored, removed)
VALUES ($1::int, $2::text, $3::float8::bigint, $4::text, $5::int, $6::text, $7::text, $8::int, $9::float8::bigint, $10::int, $11::int)`,
    [id, type, time, JSON.stringify(subjects), by.pid, by.host, summary && JSON.stringify(summary), noted, undone?.time ?? null, undone?.restored ?? 0, undone?.removed ?? 0],
  );
}

/** The last grant of a counter is not known; with none, it counts as it is. */
async function writeDay(query: Query, schema: string, { day, accounts }: DayUsage, { plans, accounts: known }: AccountBook): Promise<void> {
  const planOf = new Map(known.map(({ id, plan }) => [id, plans.find(({ name }) => name === plan)]));
  const rows = accounts.map(({ account, units, keys }) => ({ account: toStored(account), units, cap: planOf.get(account)?.dailyUnits ?? Number.MAX_SAFE_INTEGER, keys: keys.map(toStored) }));
  const list = "json_to_recordset($2::text::json) AS list (account text, units bigint, cap bigint, keys json)";
  await query(`INSERT INTO ${schema}.quota (day, account, used, granted, cap) SELECT $1::text, account, units, 0, cap FROM ${list}`, [day, JSON.stringify(rows)]);
  await query(`INSERT INTO ${schema}.quota_keys (day, account, key) SELECT DISTINCT $1::text, account, key FROM ${list}, json_array_elements_text(keys) AS key`, [day, JSON.stringify(rows)]);
}
