import { ACCOUNT_STATUSES } from "../../core/mod.ts";
import type { Account, AccountBook, AccountChange, AccountId, AccountStatus, KeyEntry, KeyId, Plan, UtcMillis } from "../../core/mod.ts";

/** Reads a change, which may come from another process. Throws `TypeError` when it is none. */
export function parseChange(value: unknown): AccountChange {
  const { op, name, dailyUnits, attributionRequired, id, plan, status, entry, at } = objectOf(value, "change");
  switch (op) {
    case "plan.patch":
      return {
        ...{ op, name: textOf(name, "plan name") },
        ...(dailyUnits !== undefined && { dailyUnits: unitsOf(dailyUnits) }),
        ...(attributionRequired !== undefined && { attributionRequired: switchOf(attributionRequired, "attributionRequired") }),
      };
    case "account.patch":
      return {
        ...{ op, id: textOf(id, "account id") as AccountId },
        ...(plan !== undefined && { plan: textOf(plan, "plan") }),
        ...(status !== undefined && { status: statusOf(status) }),
      };
    case "key.create":
      return { op, entry: parseKeyEntry(entry), ...(plan !== undefined && { plan: textOf(plan, "plan") }) };
    case "key.expire":
    case "key.revoke":
      return { op, id: textOf(id, "id") as KeyId, at: wholeOf(at, "at") as UtcMillis };
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
  return {
    name: textOf(name, "plan name"),
    dailyUnits: unitsOf(dailyUnits),
    attributionRequired: switchOf(attributionRequired, "attributionRequired"),
  };
}

function parseAccount(value: unknown): Account {
  const { id, plan, status } = objectOf(value, "account");
  return { id: textOf(id, "account id") as AccountId, plan: textOf(plan, "plan"), status: statusOf(status) };
}

function parseKeyEntry(value: unknown): KeyEntry {
  const { id, accountId, digest, createdAt, expiresAt, revokedAt, note } = objectOf(value, "key");
  return {
    id: textOf(id, "key id") as KeyId,
    accountId: textOf(accountId, "account id") as AccountId,
    digest: textOf(digest, "digest"),
    createdAt: wholeOf(createdAt, "createdAt") as UtcMillis,
    expiresAt: timeOrNull(expiresAt, "expiresAt"),
    revokedAt: timeOrNull(revokedAt, "revokedAt"),
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

function wholeOf(value: unknown, what: string): number {
  return Number.isSafeInteger(value) ? (value as number) : wrong(what, "a whole number");
}

function timeOrNull(value: unknown, what: string): UtcMillis | null {
  return value === null ? null : (wholeOf(value, what) as UtcMillis);
}

function unitsOf(value: unknown): number | null {
  return value === null ? null : wholeOf(value, "dailyUnits");
}

function switchOf(value: unknown, what: string): boolean {
  return typeof value === "boolean" ? value : wrong(what, "true or false");
}

function statusOf(value: unknown): AccountStatus {
  return ACCOUNT_STATUSES.find((known) => known === value) ?? wrong("status", ACCOUNT_STATUSES.join(", "));
}

function wrong(what: string, wanted: string): never {
  throw new TypeError(`Cannot read ${what} as it must be ${wanted}`);
}
