import { applyChange } from "../../core/internal.ts";
import type { AccountBook, AccountChange, KeyHolder, KeyId } from "../../core/mod.ts";
import type { StoredAccounts } from "../store/store.ts";
import { parseHolder, parseRows, toRows } from "./book_rows.ts";
import type { BookRows, HolderRow } from "./book_rows.ts";
import type { Connection, Query } from "./connection.ts";
import type { Follower } from "./follow.ts";
import { rememberHolders } from "./holder_memory.ts";
import type { Schema } from "./schema.ts";
import { COMMITTED_DURABLY } from "./store_state.ts";
import { textArray, toStored } from "./text.ts";

/**
 * Keys and accounts in tables. A change is made under a lock, on what it names as that is then; `update` resolves to that
 * part of the book: all plans, and the accounts and keys that the changes name.
 *
 * @param follower With it, keys that were found once are known in memory; without, each is asked for each time.
 */
export function postgresAccounts(connection: Connection, schema: Schema, follower: Follower | undefined): StoredAccounts {
  const { find, lock, part, raise } = accountStatements(schema.sql);

  async function findHolder(id: KeyId): Promise<KeyHolder | undefined> {
    const [row] = await connection.query<HolderRow>(find, [toStored(id)]);
    return row && parseHolder(row);
  }

  async function update(changes: readonly AccountChange[]): Promise<AccountBook> {
    return connection.transaction(async (query) => {
      await query(lock, []);
      const before = parseRows(await readRows(query, part, namesIn(changes)));
      const book = changes.reduce(applyChange, before);
      const changed = changedRows(toRows(before), toRows(book));
      await writeRows(query, schema, changed);
      if (KINDS.some((kind) => changed[kind].length > 0)) await query(raise, []);
      return book;
    });
  }

  return { find: follower ? rememberHolders(findHolder, follower) : findHolder, book: () => readBook(connection.query, schema), update };
}

/** All plans, accounts and keys. */
export async function readBook(query: Query, schema: Schema): Promise<AccountBook> {
  return parseRows(await readRows(query, accountStatements(schema.sql).all, []));
}

/** Writes a whole book into tables that have none, within a transaction. */
export async function writeBook(query: Query, schema: Schema, book: AccountBook): Promise<void> {
  await writeRows(query, schema, toRows(book));
  await query(accountStatements(schema.sql).raise, []);
}

async function readRows(query: Query, text: string, values: readonly string[]): Promise<BookRows> {
  const [row] = await query<Readonly<Record<keyof BookRows, string>>>(text, values);
  return { plans: JSON.parse(row!.plans), accounts: JSON.parse(row!.accounts), keys: JSON.parse(row!.keys) };
}

/** The accounts and the keys that changes name, as arrays of SQL. */
function namesIn(changes: readonly AccountChange[]): readonly [accounts: string, keys: string] {
  const accounts = changes.flatMap((change) => (change.op === "account.patch" ? [change.id] : change.op === "key.create" ? [change.entry.accountId] : []));
  const keys = changes.flatMap((change) => (change.op === "key.create" ? [change.entry.id] : change.op === "key.expire" || change.op === "key.revoke" ? [change.id] : []));
  // What is no text names nothing; `applyChange` says so.
  const arrayOf = (names: readonly unknown[]): string => textArray(names.filter((name) => typeof name === "string").map(toStored));
  return [arrayOf(accounts), arrayOf(keys)];
}

/** In this order, as accounts refer to plans, and keys to accounts. */
const KINDS = ["plans", "accounts", "keys"] as const;

/** Writes rows that are new or changed. */
async function writeRows(query: Query, schema: Schema, rows: Readonly<Record<keyof BookRows, readonly object[]>>): Promise<void> {
  const sql = accountStatements(schema.sql);
  for (const kind of KINDS) if (rows[kind].length > 0) await query(sql[kind], [JSON.stringify(rows[kind])]);
}

/** The rows that are new or changed; a change neither moves nor removes any. */
function changedRows(before: BookRows, after: BookRows): Readonly<Record<keyof BookRows, readonly object[]>> {
  const changed = (old: readonly object[], rows: readonly object[]): readonly object[] => rows.filter((row, place) => JSON.stringify(row) !== JSON.stringify(old[place]));
  return { plans: changed(before.plans, after.plans), accounts: changed(before.accounts, after.accounts), keys: changed(before.keys, after.keys) };
}

/** @param schema As SQL writes it. */
function accountStatements(schema: string) {
  const listOf = (table: string, columns: string, condition = "true"): string =>
    `(SELECT coalesce(json_agg(list), '[]')::text FROM (SELECT ${columns} FROM ${schema}.${table} WHERE ${condition} ORDER BY place) AS list) AS ${table}`;
  const book = (accounts?: string, keys?: string): string => `SELECT ${listOf("plans", "name, units, attribution")}, ${listOf("accounts", "id, plan, status", accounts)},
  ${listOf("keys", "id, account, digest, created, expires, revoked, note", keys)}`;
  const named = "id = ANY ($2::text::text[])";
  return {
    find: `SELECT keys.id, account, digest, created::float8 AS created, expires::float8 AS expires, revoked::float8 AS revoked, note,
  accounts.plan, status, units::float8 AS units, attribution
FROM ${schema}.keys JOIN ${schema}.accounts ON accounts.id = keys.account JOIN ${schema}.plans ON plans.name = accounts.plan
WHERE keys.id = $1::text`,
    all: book(),
    part: book(`id = ANY ($1::text::text[] || ARRAY(SELECT account FROM ${schema}.keys WHERE ${named}))`, named),
    // A key that was revoked stays so, whatever crashes.
    lock: `SELECT ${COMMITTED_DURABLY} AS durably FROM ${schema}.book FOR UPDATE`,
    raise: `UPDATE ${schema}.book SET version = version + 1`,
    plans: `INSERT INTO ${schema}.plans (name, units, attribution)
SELECT name, units, attribution FROM json_to_recordset($1::text::json) AS list (name text, units bigint, attribution boolean)
ON CONFLICT (name) DO UPDATE SET units = excluded.units, attribution = excluded.attribution`,
    accounts: `INSERT INTO ${schema}.accounts (id, plan, status)
SELECT id, plan, status FROM json_to_recordset($1::text::json) AS list (id text, plan text, status text)
ON CONFLICT (id) DO UPDATE SET plan = excluded.plan, status = excluded.status`,
    keys: `INSERT INTO ${schema}.keys (id, account, digest, created, expires, revoked, note)
SELECT id, account, digest, created, expires, revoked, note
FROM json_to_recordset($1::text::json) AS list (id text, account text, digest text, created bigint, expires bigint, revoked bigint, note text)
ON CONFLICT (id) DO UPDATE SET expires = excluded.expires, revoked = excluded.revoked`,
  };
}
