import type { AccountId, AssetCode, KeyId, UtcMillis } from "../branded_types.ts";

/** The allowance of accounts. The access route returns the plan's name as `accessType`. */
export interface Plan {
  readonly name: string;
  /** Units per quota day; `null` for no limit. */
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
  /** The time from which the key is refused; `null` for never. */
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

/** The plan of a new account. Source: contract, Access response; the hosted service has 50 units. */
export const FREE_STARTER: Plan = { name: "FREE_STARTER", dailyUnits: 50, attributionRequired: true };

/** The book of a new installation. */
export const EMPTY_BOOK: AccountBook = { plans: [FREE_STARTER], accounts: [], keys: [] };

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

// Refuses values that no store could read back, because callers in plain JavaScript may pass anything.

/** Adds a plan, or replaces the plan with the same name. Throws `RangeError` for an invalid member. */
export function withPlan(book: AccountBook, plan: Plan): AccountBook {
  demandName("plan", plan.name);
  if (typeof plan.attributionRequired !== "boolean")
    throw cannot(`set plan "${plan.name}"`, "its attribution must be true or false", plan.attributionRequired);
  if (plan.dailyUnits !== null && !(Number.isSafeInteger(plan.dailyUnits) && plan.dailyUnits >= 1))
    throw cannot(`set plan "${plan.name}"`, "daily units must be a whole number >= 1", plan.dailyUnits);
  return { ...book, plans: replaceOrAdd(book.plans, plan, (other) => other.name === plan.name) };
}

/** Adds an account, or replaces the account with the same id. Throws `RangeError` for an invalid member or plan. */
export function withAccount(book: AccountBook, account: Account): AccountBook {
  demandName("account", account.id);
  const plans = book.plans.map(({ name }) => name);
  if (!plans.includes(account.plan))
    throw cannot("set account", `its plan must be one of ${plans.join(", ")}`, account.plan);
  if (!ACCOUNT_STATUSES.includes(account.status))
    throw cannot("set account", `its status must be one of ${ACCOUNT_STATUSES.join(", ")}`, account.status);
  return { ...book, accounts: replaceOrAdd(book.accounts, account, (other) => other.id === account.id) };
}

/** Adds a key. Throws `RangeError` for an unknown account, for an id that is in use, and for an invalid member. */
export function withKey(book: AccountBook, key: KeyEntry): AccountBook {
  demandEntry(key);
  if (!book.accounts.some((account) => account.id === key.accountId))
    throw cannot(`add key "${key.id}"`, "its account is unknown", key.accountId);
  if (book.keys.some((other) => other.id === key.id)) throw cannot("add a key", "its id must be new", key.id);
  return { ...book, keys: [...book.keys, key] };
}

/** Makes a key expire at `at`, unless it is revoked or expires earlier. Throws `RangeError` for an unknown id. */
export function withKeyExpiring(book: AccountBook, id: string, at: UtcMillis): AccountBook {
  return mapKey(book, id, (key) => {
    const endsEarlier = key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= at);
    return endsEarlier ? key : { ...key, expiresAt: at };
  });
}

/** Revokes a key for good; a second revocation changes nothing. Throws `RangeError` for an unknown id. */
export function withKeyRevoked(book: AccountBook, id: string, at: UtcMillis): AccountBook {
  return mapKey(book, id, (key) => ({ ...key, revokedAt: key.revokedAt ?? at }));
}

/** Whether the account is served and the key has the right that the route needs. An unknown right allows nothing. */
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

function mapKey(book: AccountBook, id: string, change: (key: KeyEntry) => KeyEntry): AccountBook {
  if (!book.keys.some((key) => key.id === id)) throw cannot("change a key", "its id is unknown", id);
  return { ...book, keys: book.keys.map((key) => (key.id === id ? change(key) : key)) };
}

function demandEntry({ id, digest, createdAt, expiresAt, revokedAt, note, may, codes }: KeyEntry): void {
  const areTexts = [id, digest, note].every((text) => typeof text === "string");
  const areTimes = [createdAt, expiresAt, revokedAt].every((time, i) => {
    return Number.isSafeInteger(time) || (i > 0 && time === null);
  });
  if (!areTexts || !areTimes)
    throw new RangeError(
      "Cannot add a key because its id, digest and note must be texts, and its times milliseconds, or null for none",
    );
  const isScope = may === undefined ? codes === undefined : KEY_RIGHTS.includes(may);
  const areCodes =
    codes === undefined ||
    (may !== "read" && Array.isArray(codes) && codes.length > 0 && codes.every((code) => typeof code === "string"));
  if (!isScope || !areCodes)
    throw new RangeError(
      `Cannot add a key because its rights are ${KEY_RIGHTS.join(" or ")}, and codes lists the assets, at least one, that it may write`,
    );
}

function demandName(what: string, name: string): void {
  if (typeof name !== "string" || !NAME.test(name))
    throw cannot(`set ${what}`, "its name must be 1 to 64 letters, digits, dots, dashes or underscores", name);
}

function cannot(attempt: string, rule: string, received: unknown): RangeError {
  return new RangeError(`Cannot ${attempt} because ${rule}: received "${String(received)}"`);
}

function replaceOrAdd<T>(items: readonly T[], item: T, isSame: (other: T) => boolean): readonly T[] {
  return items.some(isSame) ? items.map((other) => (isSame(other) ? item : other)) : [...items, item];
}
