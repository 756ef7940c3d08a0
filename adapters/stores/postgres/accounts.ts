import { applyChange } from "../../../core/internal.ts";
import type { AccountBook, AccountChange, Accounts, KeyHolder, KeyId } from "../../../core/mod.ts";
import type { StoredAccounts } from "../shared/store.ts";
import type { Connection, Query } from "./connection.ts";
import { fromJson, toStored } from "./escape_text.ts";
import type { Follower } from "./follow_changes.ts";
import { firstOf } from "./schema.ts";
import { COMMITTED_DURABLY } from "./store_state.ts";

type Kind = keyof AccountBook;
type Entry<K extends Kind> = AccountBook[K][number];

/** The columns of each table, by their names in the core; the first one is the key. Referenced tables come first. */
const COLUMNS: { readonly [K in Kind]: Readonly<Record<keyof Required<Entry<K>>, string>> } = {
  plans: { name: "name text", dailyUnits: "units bigint", attributionRequired: "attribution boolean" },
  accounts: { id: "id text", plan: "plan text", status: "status text" },
  keys: {
    id: "id text",
    accountId: "account text",
    digest: "digest text",
    createdAt: "created bigint",
    expiresAt: "expires bigint",
    revokedAt: "revoked bigint",
    note: "note text",
    may: "may text",
    codes: "codes json",
  },
};
/** Members of a key that are missing if their column is NULL. */
const OPTIONAL = ["may", "codes"];
const KINDS = Object.keys(COLUMNS) as Kind[];
/** How many keys are kept, at about a kilobyte each. When this number is reached, all kept keys are dropped. */
const MAX_HOLDERS = 50_000;

/**
 * Keys and accounts in tables. `update` locks the book, and reads and returns all plans, but only the accounts and keys
 * that the changes name.
 *
 * @param follower Knows whether the keys in memory are still valid. Without a follower, each lookup asks the database.
 */
export function postgresAccounts(connection: Connection, follower: Follower | undefined): StoredAccounts {
  async function findHolder(id: KeyId): Promise<KeyHolder | undefined> {
    const rows = await connection.query<{ holder: string | null }>(STATEMENTS.find, [toStored(id)]);
    const { holder } = firstOf(rows, "plans");
    return holder === null ? undefined : fromJson(holder, OPTIONAL);
  }

  async function update(changes: readonly AccountChange[]): Promise<AccountBook> {
    return connection.transaction(async (query) => {
      await query(STATEMENTS.lock, []);
      const before = await readRows(query, STATEMENTS.part, namesIn(changes));
      const book = changes.reduce(applyChange, before);
      if (await writeRows(query, { after: book, before })) await query(STATEMENTS.raise, []);
      return book;
    });
  }

  return {
    find: follower ? rememberHolders(findHolder, follower) : findHolder,
    book: () => readBook(connection.query),
    update,
  };
}

/** Keeps known keys while the follower's data is current. Unknown keys are not kept, because anyone can invent them. */
export function rememberHolders(
  find: (id: KeyId) => Promise<KeyHolder | undefined>,
  follower: Pick<Follower, "isCurrent" | "holders">,
): Accounts["find"] {
  // If an account or key changes before the answer comes, the answer is put into a map that is no longer used.
  async function ask(id: KeyId, holders: Map<KeyId, KeyHolder>): Promise<KeyHolder | undefined> {
    const holder = await find(id);
    if (holders.size >= MAX_HOLDERS) holders.clear();
    if (holder) holders.set(id, holder);
    return holder;
  }

  return (id) => {
    const holders = follower.holders();
    return (follower.isCurrent() && holders.get(id)) || ask(id, holders);
  };
}

/** All plans, accounts and keys. */
export async function readBook(query: Query): Promise<AccountBook> {
  return readRows(query, STATEMENTS.all, []);
}

/** Writes a whole book into empty tables, within a transaction. */
export async function writeBook(query: Query, book: AccountBook): Promise<void> {
  await writeRows(query, { after: book, before: { plans: [], accounts: [], keys: [] } });
  await query(STATEMENTS.raise, []);
}

async function readRows(query: Query, text: string, values: readonly (readonly string[])[]): Promise<AccountBook> {
  const [row] = await query<{ book: string }>(text, values);
  return fromJson(row!.book, OPTIONAL);
}

/** The ids of the accounts and keys that the changes name. */
function namesIn(changes: readonly AccountChange[]): readonly [accounts: readonly string[], keys: readonly string[]] {
  const created = changes.flatMap((change) => (change.op === "key.create" ? change.entry : []));
  const accounts = changes.flatMap((change) => (change.op === "account.patch" ? change.id : []));
  const keys = changes.flatMap((change) => (change.op === "key.expire" || change.op === "key.revoke" ? change.id : []));
  accounts.push(...created.map(({ accountId }) => accountId));
  keys.push(...created.map(({ id }) => id));
  return [accounts, keys];
}

/** Writes new and changed rows; returns whether there were any. No change moves rows, so equal indexes are compared. */
async function writeRows(query: Query, { after, before }: Readonly<Record<"after" | "before", AccountBook>>) {
  let hasWritten = false;
  for (const kind of KINDS) {
    const rowOf = (entry: object | undefined): string => JSON.stringify(entry, Object.keys(COLUMNS[kind]), 0);
    const changed = after[kind].filter((entry, place) => rowOf(entry) !== rowOf(before[kind][place]));
    if (changed.length === 0) continue;
    await query(STATEMENTS[kind], [
      JSON.stringify(changed, (_, value: unknown) => (typeof value === "string" ? toStored(value) : value)),
    ]);
    hasWritten = true;
  }
  return hasWritten;
}

const select = (kind: Kind): string =>
  `SELECT ${Object.entries(COLUMNS[kind])
    .map(([name, column]) => `${column.split(" ")[0]} AS "${name}"`)
    .join(", ")} FROM mazaneh.${kind}`;
const listOf = (kind: Kind, condition = "true"): string =>
  `'${kind}', (SELECT coalesce(json_agg(list), '[]') FROM (${select(kind)} WHERE ${condition} ORDER BY place) AS list)`;
const book = (accounts?: string, keys?: string): string =>
  `SELECT json_build_object(${listOf("plans")}, ${listOf("accounts", accounts)}, ${listOf("keys", keys)})::text AS book`;
const named = "id = ANY ($2::text::text[])";

function write(kind: Kind): string {
  const names = Object.keys(COLUMNS[kind]).map((name) => `"${name}"`);
  const columns = Object.values(COLUMNS[kind]);
  const [key, ...others] = columns.map((column) => column.split(" ")[0]!);
  return `INSERT INTO mazaneh.${kind} (${[key, ...others].join(", ")})
SELECT ${names.join(", ")} FROM json_to_recordset($1::text::json) AS list (${columns.map((column, i) => `${names[i]} ${column.split(" ")[1]}`).join(", ")})
ON CONFLICT (${key}) DO UPDATE SET ${others.map((name) => `${name} = excluded.${name}`).join(", ")}`;
}

const STATEMENTS = {
  // Returns no row if there are no plans. During a restore, plans are loaded last, so a missing key may be loaded later.
  find: `SELECT CASE WHEN k.id IS NOT NULL THEN json_build_object('key', k, 'account', a, 'plan', p)::text END AS holder
FROM (SELECT FROM mazaneh.plans LIMIT 1) AS loaded LEFT JOIN ((${select("keys")} WHERE id = $1::text) AS k
JOIN (${select("accounts")}) AS a ON a.id = k."accountId" JOIN (${select("plans")}) AS p ON p.name = a.plan) ON true`,
  all: book(),
  part: book(`id = ANY ($1::text::text[] || ARRAY(SELECT account FROM mazaneh.keys WHERE ${named}))`, named),
  // A revoked key must stay revoked after any crash.
  lock: `SELECT ${COMMITTED_DURABLY} AS durably FROM mazaneh.book FOR UPDATE`,
  raise: "UPDATE mazaneh.book SET version = version + 1",
  plans: write("plans"),
  accounts: write("accounts"),
  keys: write("keys"),
};
