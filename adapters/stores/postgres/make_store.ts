import { isPending } from "../../../core/internal.ts";
import type { AccountBook } from "../../../core/mod.ts";
import type { Import, StoredRecord } from "../shared/imports.ts";
import { countedUnits, type DayUsage } from "../shared/store.ts";
import { type CopyCounts, countsOf, inBatches, type MakeOptions, type StoreContent } from "../shared/store_copying.ts";
import { StoreError } from "../shared/store_error.ts";
import { writeBook } from "./accounts.ts";
import { type AssetIds, assetsOf, lockForAppend } from "./asset_locks.ts";
import { codesOf, columnsOf, ROW_COLUMNS } from "./batch_columns.ts";
import type { Connection, Query } from "./connection.ts";
import { toStored } from "./escape_text.ts";
import { demandSchema } from "./migrations/migrate.ts";
import { COLUMNS } from "./statement_parts.ts";
import { PROVIDERS, ROLLUP } from "./write_statements.ts";

const BATCH = 5_000;
/** All tables that may have rows of a store. The tables are locked against other writers until the transaction ends. */
const TABLES = ["observations", "pending", "accounts", "quota", "imports"];

/**
 * Writes a content into the empty tables of a database, in one transaction.
 *
 * @param options `beforeCommit` is called when everything is written, but not visible yet. If `beforeCommit` rejects,
 *   nothing is written.
 */
export function makePostgresStore(
  connection: Connection,
  content: StoreContent,
  options: MakeOptions & { readonly beforeCommit?: (() => Promise<void>) | undefined },
): Promise<CopyCounts> {
  const { book, usage, imports } = content;
  const { progress, beforeCommit } = options;
  return connection.transaction(async (query) => {
    await demandSchema(query, connection.schema);
    await demandEmpty(query, connection.schema);
    for (const imported of imports) await writeImport(query, imported);
    let records = 0;
    for await (const batch of inBatches(content.records(), BATCH)) {
      const assets = await lockForAppend(query, codesOf(batch));
      await insert(query, "observations", { rows: batch.filter((one) => !isPending(one)), assets });
      await insert(query, "pending", { rows: batch.filter(isPending), assets });
      progress((records += batch.length));
    }
    await derive(query);
    for (const imported of imports) {
      for await (const batch of inBatches(content.before(imported), BATCH)) {
        const assets = await lockForAppend(query, codesOf(batch));
        for (const taken of [false, true]) {
          const rows = batch.filter(({ isTaken = false }) => isTaken === taken);
          await insert(query, "undo_records", { rows, assets, more: { by_import: imported.id, taken } });
        }
      }
    }
    await query(
      "UPDATE mazaneh.imports SET noted = (SELECT count(*) FROM mazaneh.undo_records WHERE by_import = id)",
      [],
    );
    await writeBook(query, book);
    for (const day of usage) await writeDay(query, day, book);
    await beforeCommit?.();
    return countsOf(content, records);
  });
}

async function demandEmpty(query: Query, schema: string): Promise<void> {
  await query(`LOCK TABLE ${TABLES.map((table) => `mazaneh.${table}`).join(", ")} IN SHARE ROW EXCLUSIVE MODE`);
  for (const table of TABLES) {
    const [row] = await query<{ there: boolean }>(`SELECT EXISTS (SELECT FROM mazaneh.${table}) AS there`, []);
    if (row!.there)
      throw new StoreError(
        `Cannot write to the database because its schema "${schema}" already holds data, in the table ${table}`,
        64,
      );
  }
}

/** Inserts records of these assets into a table. `more` has further columns with the same value for all records. */
async function insert(
  query: Query,
  table: "observations" | "pending" | "undo_records",
  {
    rows,
    assets,
    more = {},
  }: { rows: readonly StoredRecord[]; assets: AssetIds; more?: Record<string, number | boolean> },
): Promise<void> {
  const types = ["int", ...ROW_COLUMNS.map(([, type]) => type), "text", "int"];
  const arrays = types.map((type, i) => `$${i + 1}::text::${type}[]`).join(", ");
  const names = [COLUMNS, ...Object.keys(more)].join(", ");
  const values = [COLUMNS, ...Object.values(more)].join(", ");
  await query(`INSERT INTO mazaneh.${table} (${names}) SELECT ${values} FROM unnest(${arrays}) AS rows (${COLUMNS})`, [
    assetsOf(rows, assets),
    ...columnsOf(rows),
    rows.map(({ source }) => source),
    rows.map((one) => one.import),
  ]);
}

/** Computes all derived data from the observations. */
async function derive(query: Query): Promise<void> {
  await query(
    `INSERT INTO mazaneh.rollup (asset, start, count, first_time, last_time, open, high, low, close) ${ROLLUP}`,
    [],
  );
  await query(`INSERT INTO mazaneh.providers (asset, provider, count) ${PROVIDERS}`, []);
  await query("UPDATE mazaneh.assets SET version = version + 1");
}

async function writeImport(query: Query, { id, type, time, subjects, source, by, summary, undone }: Import) {
  const known = [id, type, time, JSON.stringify(subjects), source, by.pid, by.host, summary && JSON.stringify(summary)];
  await query(
    `INSERT INTO mazaneh.imports (id, type, time, subjects, source, pid, host, summary, undone, restored, removed)
VALUES ($1::int, $2::text, $3::float8::bigint, $4::text, $5::text, $6::int, $7::text, $8::text, $9::float8::bigint, $10::int, $11::int)`,
    [...known, undone?.time ?? null, undone?.restored ?? 0, undone?.removed ?? 0],
  );
}

/** Writes the counters of a day. The size of the last grant is unknown, so `granted` is 0, which is always valid. */
async function writeDay(query: Query, { day, accounts }: DayUsage, { plans, accounts: known }: AccountBook) {
  const planOf = new Map(known.map(({ id, plan }) => [id, plans.find(({ name }) => name === plan)]));
  const rows = accounts.map(({ account, keys, plan, ...usage }) => ({
    ...{ account: toStored(account), keys: keys.map(toStored) },
    ...{ used: countedUnits(usage), withheld: usage.withheld ?? 0 },
    cap: (plan ?? planOf.get(account))?.dailyUnits ?? Number.MAX_SAFE_INTEGER,
    plan: plan && toStored(plan.name),
  }));
  await query(
    `WITH list AS MATERIALIZED (
  SELECT * FROM json_to_recordset($2::text::json) AS list (account text, used bigint, withheld bigint, cap bigint, plan text, keys json)
), counters AS (
  INSERT INTO mazaneh.quota (day, account, used, withheld, granted, cap, plan) SELECT $1::text, account, used, withheld, 0, cap, plan FROM list
)
INSERT INTO mazaneh.quota_keys (day, account, key) SELECT DISTINCT $1::text, account, key FROM list, json_array_elements_text(keys) AS key`,
    [day, JSON.stringify(rows)],
  );
}
