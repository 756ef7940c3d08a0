import { ACCOUNT_STATUSES, withAccount, withKey, withKeyExpiring, withKeyRevoked, withPlan } from "../../core/mod.ts";
import type { Account, AccountBook, AccountId, KeyEntry, KeyId, Plan, UtcMillis } from "../../core/mod.ts";

/** A change to the book of accounts, as data: it can be sent to the process that holds the store. */
export type AccountChange =
  | { readonly op: "plan.set"; readonly plan: Plan }
  | { readonly op: "account.set"; readonly account: Account }
  | { readonly op: "key.add"; readonly entry: KeyEntry }
  | { readonly op: "key.expire"; readonly id: KeyId; readonly at: UtcMillis }
  | { readonly op: "key.revoke"; readonly id: KeyId; readonly at: UtcMillis };

/** Makes the changed book. Throws `RangeError` for a change that does not fit it. */
export function applyChange(book: AccountBook, change: AccountChange): AccountBook {
  switch (change.op) {
    case "plan.set":
      return withPlan(book, change.plan);
    case "account.set":
      return withAccount(book, change.account);
    case "key.add":
      return withKey(book, change.entry);
    case "key.expire":
      return withKeyExpiring(book, change.id, change.at);
    case "key.revoke":
      return withKeyRevoked(book, change.id, change.at);
  }
}

/** Reads a change that came from outside. Throws `TypeError` when it is none. */
export function parseChange(value: unknown): AccountChange {
  const { op, plan, account, entry, id, at } = objectOf(value, "change");
  switch (op) {
    case "plan.set":
      return { op, plan: parsePlan(plan) };
    case "account.set":
      return { op, account: parseAccount(account) };
    case "key.add":
      return { op, entry: parseKeyEntry(entry) };
    case "key.expire":
    case "key.revoke":
      return { op, id: textOf(id, "id") as KeyId, at: timeOf(at, "at") };
    default:
      throw new TypeError(`Cannot read a change as its op is not known: received "${String(op).slice(0, 64)}"`);
  }
}

/** Reads a whole book. Throws `TypeError` when it is none. */
export function parseBook(value: unknown): AccountBook {
  const { plans, accounts, keys } = objectOf(value, "book");
  return {
    plans: listOf(plans, "plans").map(parsePlan),
    accounts: listOf(accounts, "accounts").map(parseAccount),
    keys: listOf(keys, "keys").map(parseKeyEntry),
  };
}

function parsePlan(value: unknown): Plan {
  const { name, dailyUnits, attributionRequired } = objectOf(value, "plan");
  if (typeof attributionRequired !== "boolean") wrong("attributionRequired", "true or false");
  return {
    name: textOf(name, "plan name"),
    dailyUnits: dailyUnits === null ? null : timeOf(dailyUnits, "dailyUnits"),
    attributionRequired,
  };
}

function parseAccount(value: unknown): Account {
  const { id, plan, status } = objectOf(value, "account");
  const known = ACCOUNT_STATUSES.find((name) => name === status);
  return { id: textOf(id, "account id") as AccountId, plan: textOf(plan, "plan"), status: known ?? wrong("status", ACCOUNT_STATUSES.join(", ")) };
}

function parseKeyEntry(value: unknown): KeyEntry {
  const { id, accountId, digest, createdAt, expiresAt, revokedAt, note } = objectOf(value, "key");
  return {
    id: textOf(id, "key id") as KeyId,
    accountId: textOf(accountId, "account id") as AccountId,
    digest: textOf(digest, "digest"),
    createdAt: timeOf(createdAt, "createdAt"),
    expiresAt: expiresAt === null ? null : timeOf(expiresAt, "expiresAt"),
    revokedAt: revokedAt === null ? null : timeOf(revokedAt, "revokedAt"),
    note: textOf(note, "note"),
  };
}

/** Reads an object's members; none of them is known to be anything yet. */
export function objectOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : wrong(what, "an object");
}

/** Reads a list; none of its items is known to be anything yet. */
export function listOf(value: unknown, what: string): readonly unknown[] {
  return Array.isArray(value) ? value : wrong(what, "a list");
}

function textOf(value: unknown, what: string): string {
  return typeof value === "string" ? value : wrong(what, "a text");
}

function timeOf(value: unknown, what: string): UtcMillis {
  return Number.isSafeInteger(value) ? (value as UtcMillis) : wrong(what, "a whole number");
}

function wrong(what: string, wanted: string): never {
  throw new TypeError(`Cannot read ${what} as it must be ${wanted}`);
}
