import { FREE_STARTER, issueKey } from "../../core/mod.ts";
import type { AccountId, ApiKey, KeyEntry, Plan, UtcMillis } from "../../core/mod.ts";
import type { AccountChange, StoreAccess } from "../json_files/mod.ts";
import { nodeSystem } from "../node/mod.ts";
import { findPlan } from "./book.ts";
import { changeBook } from "./desk.ts";
import { wrongUsage } from "./failure.ts";

/** Whom a new key is for. */
export interface KeyGrant {
  readonly account: string;
  /** Plan of a new account. Default `FREE_STARTER`. */
  readonly plan?: string | undefined;
  readonly createdAt: UtcMillis;
  /** Default: never. */
  readonly expiresAt?: UtcMillis | null;
  readonly note?: string | undefined;
}

/** A new key, to be shown this once, its entry, and the plan of its account. */
export interface NewKey {
  readonly key: ApiKey;
  readonly entry: KeyEntry;
  readonly plan: Plan;
}

/** Makes a key, and its account where that is new. Throws a usage failure where the account has another plan. */
export async function newKey(desk: StoreAccess, { account, plan, createdAt, expiresAt = null, note = "" }: KeyGrant): Promise<NewKey> {
  const accountId = account as AccountId;
  const known = (await desk.book()).accounts.find(({ id }) => id === accountId);
  if (known && plan !== undefined && plan !== known.plan) {
    throw wrongUsage(`Account "${account}" has the plan ${known.plan}; accounts set changes it`);
  }
  const { key, entry } = await issueKey(nodeSystem, { accountId, createdAt, expiresAt, note });
  const changes: AccountChange[] = [{ op: "key.add", entry }];
  if (!known) changes.unshift({ op: "account.set", account: { id: accountId, plan: plan ?? FREE_STARTER.name, status: "ACTIVE" } });
  return { key, entry, plan: findPlan(await changeBook(desk, ...changes), accountId) };
}
