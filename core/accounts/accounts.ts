import type { AccountId, AssetCode, KeyId, UtcMillis } from "../branded_types.ts";

/** The allowance of accounts. The access route returns the plan's name as `accessType`. */
export interface Plan {
  readonly name: string;
  /** Units per quota day, or `null` for no limit. */
  readonly dailyUnits: number | null;
  /** Whether users of the data must name the source of the data. */
  readonly attributionRequired: boolean;
}

/** Only active accounts are served; all others get 403. */
export const ACCOUNT_STATUSES = ["ACTIVE", "RESTRICTED", "DISABLED"] as const;
/** Whether an account is served. */
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

/** The owner of keys; units are counted per account. */
export interface Account {
  readonly id: AccountId;
  /** The name of the account's plan, which is in the same book. */
  readonly plan: string;
  readonly status: AccountStatus;
}

/** All `KeyRights`. */
export const KEY_RIGHTS = ["read", "write", "read,write"] as const;
/** The rights of a key: to request prices, to push prices, or both. */
export type KeyRights = (typeof KEY_RIGHTS)[number];

/** An API key in the book, without the key itself. */
export interface KeyEntry {
  readonly id: KeyId;
  readonly accountId: AccountId;
  /** SHA-256 of the full key, 64 hex digits. */
  readonly digest: string;
  readonly createdAt: UtcMillis;
  /** The time from which the key is refused, or `null` for never. */
  readonly expiresAt: UtcMillis | null;
  readonly revokedAt: UtcMillis | null;
  readonly note: string;
  /** Absent: `read`. */
  readonly may?: KeyRights;
  /** The assets that the key may write. Absent: all. */
  readonly codes?: readonly AssetCode[];
}

/** All plans, accounts and keys of an installation. Immutable: changes return a new book. */
export interface AccountBook {
  readonly plans: readonly Plan[];
  readonly accounts: readonly Account[];
  readonly keys: readonly KeyEntry[];
}

/** A key, its account, and the account's plan. */
export interface KeyHolder {
  readonly key: KeyEntry;
  readonly account: Account;
  readonly plan: Plan;
}

/** The plan of a new account. Source: contract, Access response; the hosted service grants 50 units a day. */
export const FREE_STARTER: Plan = { name: "FREE_STARTER", dailyUnits: 50, attributionRequired: true };

/** The book of a new installation. */
export const EMPTY_BOOK: AccountBook = { plans: [FREE_STARTER], accounts: [], keys: [] };

/** Whether the account is active and the key has the right that the route needs. An unknown `may` grants no right. */
export function isServed(
  { account, key: { may = "read" } }: KeyHolder,
  { right = "read" }: { readonly right?: "read" | "write" },
): boolean {
  return account.status === "ACTIVE" && may.includes(right) && KEY_RIGHTS.includes(may);
}

/** Indexes keys by id. Keys without an account or a plan are left out. */
export function indexKeys(book: AccountBook): ReadonlyMap<KeyId, KeyHolder> {
  const plans = new Map(book.plans.map((plan) => [plan.name, plan]));
  const accounts = new Map(book.accounts.map((account) => [account.id, account]));
  const holders = new Map<KeyId, KeyHolder>();
  for (const key of book.keys) {
    const account = accounts.get(key.accountId);
    const plan = account && plans.get(account.plan);
    if (account && plan) holders.set(key.id, { key, account, plan });
  }
  return holders;
}
