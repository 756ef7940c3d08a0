import type { Account, AccountBook, AccountId, KeyEntry, Plan, UtcMillis } from "../../core/mod.ts";
import { wrongUsage } from "./failure.ts";
import { timestampOrNull } from "./table.ts";

/** Whether a key opens anything: `live` keys do. */
export type KeyState = "live" | "expired" | "revoked";

/** The state of a key at a moment. */
export function keyState({ expiresAt, revokedAt }: KeyEntry, now: UtcMillis): KeyState {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt <= now ? "expired" : "live";
}

/** A key for machines: without its digest, which is nobody's business. */
export function keyJson(entry: KeyEntry, now: UtcMillis): object {
  const { id, accountId, createdAt, expiresAt, revokedAt, note } = entry;
  return {
    id,
    account: accountId,
    state: keyState(entry, now),
    createdAt: timestampOrNull(createdAt),
    expiresAt: timestampOrNull(expiresAt),
    revokedAt: timestampOrNull(revokedAt),
    note,
  };
}

/** The account with this name. Throws a usage failure where there is none. */
export function findAccount(book: AccountBook, id: string): Account {
  const account = book.accounts.find((other) => other.id === id);
  if (!account) throw wrongUsage(`There is no account "${id}"; keys create makes one`);
  return account;
}

/** The plan of an account. */
export function findPlan(book: AccountBook, id: AccountId): Plan {
  const account = findAccount(book, id);
  const plan = book.plans.find(({ name }) => name === account.plan);
  if (!plan) throw new TypeError(`Cannot tell the plan of account "${id}" as there is none of its name: "${account.plan}"`);
  return plan;
}

/** A plan in words: `plan FREE_STARTER (50 units a day)`. */
export function describePlan({ name, dailyUnits }: Plan): string {
  return `plan ${name} (${dailyUnits === null ? "no limit" : `${dailyUnits.toLocaleString("en-US")} units a day`})`;
}
