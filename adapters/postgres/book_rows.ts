import type { Account, AccountBook, AccountId, AccountStatus, KeyEntry, KeyHolder, KeyId, Plan, UtcMillis } from "../../core/mod.ts";
import { fromStored, toStored } from "./text.ts";

/** A plan as its table has it. */
export interface PlanRow {
  readonly name: string;
  readonly units: number | null;
  readonly attribution: boolean;
}

/** An account as its table has it; the table's CHECK knows the same statuses as the core. */
export interface AccountRow {
  readonly id: string;
  readonly plan: string;
  readonly status: AccountStatus;
}

/** A key as its table has it. */
export interface KeyRow {
  readonly id: string;
  readonly account: string;
  readonly digest: string;
  readonly created: number;
  readonly expires: number | null;
  readonly revoked: number | null;
  readonly note: string;
}

/** A key with its account and plan, as one row. */
export type HolderRow = KeyRow & Omit<PlanRow, "name"> & Pick<AccountRow, "plan" | "status">;

/** The rows of the three tables, each in the order of the book. */
export interface BookRows {
  readonly plans: readonly PlanRow[];
  readonly accounts: readonly AccountRow[];
  readonly keys: readonly KeyRow[];
}

/** The rows of a book. */
export function toRows({ plans, accounts, keys }: AccountBook): BookRows {
  return {
    plans: plans.map(({ name, dailyUnits, attributionRequired }) => ({ name: toStored(name), units: dailyUnits, attribution: attributionRequired })),
    accounts: accounts.map(({ id, plan, status }) => ({ id: toStored(id), plan: toStored(plan), status })),
    keys: keys.map(({ id, accountId, digest, createdAt, expiresAt, revokedAt, note }) => ({
      ...{ id: toStored(id), account: toStored(accountId), digest: toStored(digest) },
      ...{ created: createdAt, expires: expiresAt, revoked: revokedAt, note: toStored(note) },
    })),
  };
}

/** The book of its rows. */
export function parseRows({ plans, accounts, keys }: BookRows): AccountBook {
  return { plans: plans.map(parsePlan), accounts: accounts.map(parseAccount), keys: keys.map(parseKey) };
}

/** The key, account and plan of a row. */
export function parseHolder(row: HolderRow): KeyHolder {
  return { key: parseKey(row), account: parseAccount({ ...row, id: row.account }), plan: parsePlan({ ...row, name: row.plan }) };
}

function parsePlan({ name, units, attribution }: PlanRow): Plan {
  return { name: fromStored(name), dailyUnits: units, attributionRequired: attribution };
}

function parseAccount({ id, plan, status }: AccountRow): Account {
  return { id: fromStored(id) as AccountId, plan: fromStored(plan), status };
}

function parseKey({ id, account, digest, created, expires, revoked, note }: KeyRow): KeyEntry {
  return {
    ...{ id: fromStored(id) as KeyId, accountId: fromStored(account) as AccountId, digest: fromStored(digest) },
    ...{ createdAt: created as UtcMillis, expiresAt: expires as UtcMillis | null, revokedAt: revoked as UtcMillis | null, note: fromStored(note) },
  };
}
