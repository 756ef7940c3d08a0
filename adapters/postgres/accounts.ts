import { applyChange } from "../../core/internal.ts";
import type { AccountBook, KeyHolder, KeyId } from "../../core/mod.ts";
import type { StoredAccounts } from "../store/store.ts";
import { parseHolder, parseRows, toRows } from "./book_rows.ts";
import type { BookRows, HolderRow } from "./book_rows.ts";
import type { Connection, Query } from "./connection.ts";
import type { Follower } from "./follow.ts";
import { rememberHolders } from "./holder_memory.ts";
import type { Schema } from "./schema.ts";
import { COMMITTED_DURABLY } from "./store_id.ts";
import { toStored } from "./text.ts";

/**
 * Keys and accounts in tables. A change is made under a lock, on the book as it is then, and notified in its transaction.
 *
 * @param follower With it, keys that were found once are known in memory; without, each is asked for each time.
 */
export function postgresAccounts(connection: Connection, schema: Schema, follower: Follower | undefined): StoredAccounts {
  const sql = accountStatements(schema.sql);

  async function find(id: KeyId): Promise<KeyHolder | undefined> {
    const [row] = await connection.query<HolderRow>(sql.find, [toStored(id)]);
    return row && parseHolder(row);
  }

  return {
    find: follower ? rememberHolders(find, follower) : find,
    book: () => readBook(connection.query, schema),
    update: (changes) => connection.transaction((query) => changeBook(query, schema, (before) => changes.reduce(applyChange, before))),
  };
}

/** All plans, accounts and keys. */
export async function readBook(query: Query, schema: Schema): Promise<AccountBook> {
  const [row] = await query<Readonly<Record<keyof BookRows, string>>>(accountStatements(schema.sql).book, []);
  return parseRows({ plans: JSON.parse(row!.plans), accounts: JSON.parse(row!.accounts), keys: JSON.parse(row!.keys) });
}

/** Changes the book within a transaction, as it is then; gives the changed book. */
export async function changeBook(query: Query, schema: Schema, change: (before: AccountBook) => AccountBook): Promise<AccountBook> {
  const sql = accountStatements(schema.sql);
  await query(sql.lock, []);
  const before = await readBook(query, schema);
  const book = change(before);
  const rows = changedRows(toRows(before), toRows(book));
  const kinds = KINDS.filter((kind) => rows[kind].length > 0);
  // In this order, as accounts refer to plans, and keys to accounts.
  for (const kind of kinds) await query(sql[kind], [JSON.stringify(rows[kind])]);
  if (kinds.length > 0) await query(sql.notify, [schema.channel]);
  return book;
}

const KINDS = ["plans", "accounts", "keys"] as const;

/** The rows that are new or changed, with their places in the book, in which rows are neither moved nor removed. */
function changedRows(before: BookRows, after: BookRows): Readonly<Record<keyof BookRows, readonly object[]>> {
  const changed = <Row extends object>(old: readonly Row[], rows: readonly Row[]): readonly object[] =>
    rows.flatMap((row, place) => (JSON.stringify(row) === JSON.stringify(old[place]) ? [] : { ...row, place }));
  return { plans: changed(before.plans, after.plans), accounts: changed(before.accounts, after.accounts), keys: changed(before.keys, after.keys) };
}

/** @param schema As SQL writes it. */
function accountStatements(schema: string) {
  const listOf = (table: string, columns: string): string =>
    `(SELECT coalesce(json_agg(list), '[]')::text FROM (SELECT ${columns} FROM ${schema}.${table} ORDER BY place) AS list) AS ${table}`;
  return {
    find: `SELECT keys.id, account, digest, created::float8 AS created, expires::float8 AS expires, revoked::float8 AS revoked, note,
  accounts.plan, status, units::float8 AS units, attribution
FROM ${schema}.keys JOIN ${schema}.accounts ON accounts.id = keys.account JOIN ${schema}.plans ON plans.name = accounts.plan
WHERE keys.id = $1::text`,
    book: `SELECT ${listOf("plans", "name, units, attribution")}, ${listOf("accounts", "id, plan, status")},
  ${listOf("keys", "id, account, digest, created, expires, revoked, note")}`,
    // A key that was revoked stays so, whatever crashes.
    lock: `SELECT ${COMMITTED_DURABLY} AS durably FROM ${schema}.book FOR UPDATE`,
    notify: `WITH raised AS (UPDATE ${schema}.book SET version = version + 1 RETURNING version)
SELECT pg_notify($1::text, json_build_object('accounts', version)::text) FROM raised`,
    plans: `INSERT INTO ${schema}.plans (name, place, units, attribution)
SELECT name, place, units, attribution FROM json_to_recordset($1::text::json) AS list (name text, place integer, units bigint, attribution boolean)
ON CONFLICT (name) DO UPDATE SET units = excluded.units, attribution = excluded.attribution`,
    accounts: `INSERT INTO ${schema}.accounts (id, place, plan, status)
SELECT id, place, plan, status FROM json_to_recordset($1::text::json) AS list (id text, place integer, plan text, status text)
ON CONFLICT (id) DO UPDATE SET plan = excluded.plan, status = excluded.status`,
    keys: `INSERT INTO ${schema}.keys (id, place, account, digest, created, expires, revoked, note)
SELECT id, place, account, digest, created, expires, revoked, note
FROM json_to_recordset($1::text::json) AS list (id text, place integer, account text, digest text, created bigint, expires bigint, revoked bigint, note text)
ON CONFLICT (id) DO UPDATE SET expires = excluded.expires, revoked = excluded.revoked`,
  };
}
