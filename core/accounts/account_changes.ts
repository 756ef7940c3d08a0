import type { UtcMillis } from "../branded_types.ts";
import type { MaybePromise } from "../ports.ts";
import {
  ACCOUNT_STATUSES,
  type Account,
  type AccountBook,
  type AccountStatus,
  FREE_STARTER,
  KEY_RIGHTS,
  type KeyEntry,
} from "./accounts.ts";
import { type Moment, readMoment } from "./parse_moment.ts";

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** A change to the book. The store applies each change to the current book, so no simultaneous change is lost. */
export type AccountChange = PlanPatch | AccountPatch | KeyCreation | KeyEnding;

/** Changes the given members of a plan. A new plan needs both members. */
export interface PlanPatch {
  readonly op: "plan.patch";
  readonly name: string;
  readonly dailyUnits?: number | null;
  readonly attributionRequired?: boolean;
}

/** Changes the given members of an existing account. */
export interface AccountPatch {
  readonly op: "account.patch";
  readonly id: string;
  readonly plan?: string;
  readonly status?: AccountStatus;
}

/** Adds a key, and its account if the account does not exist. */
export interface KeyCreation {
  readonly op: "key.create";
  readonly entry: KeyEntry;
  /** The plan of a new account. An existing account must already have this plan. The default is `FREE_STARTER`. */
  readonly plan?: string;
}

/** Ends a key: `key.expire` sets a future end, unless the key ends earlier, and `key.revoke` ends the key now. */
export interface KeyEnding {
  readonly op: "key.expire" | "key.revoke";
  readonly id: string;
  readonly at: Moment;
}

/** A book of accounts that can be changed. Each store of this package has such a book. */
export interface AccountKeeper {
  /** Makes all changes, or none. Returns the changed book; rejects with a `RangeError` if a change is not possible. */
  update(changes: readonly AccountChange[]): MaybePromise<AccountBook>;
}

/** Returns the changed book. Idempotent. Throws `RangeError` for a change that is not possible. */
export function applyChange(book: AccountBook, change: AccountChange): AccountBook {
  switch (change.op) {
    case "plan.patch":
      return withPatchedPlan(book, change);
    case "account.patch":
      return withPatchedAccount(book, change);
    case "key.create":
      return withNewKey(book, change);
    case "key.expire":
    case "key.revoke":
      return withKeyEnding(book, change);
    default: // from a caller without type checks
      throw cannot("change the accounts", "the operation is unknown", (change as AccountChange).op);
  }
}

/** Replaces a `Date` with text, which can be sent to another process. Throws `RangeError` for an invalid time. */
export function plainChange(change: AccountChange): AccountChange {
  return change.op === "key.expire" || change.op === "key.revoke" ? { ...change, at: endOf(change) } : change;
}

function endOf({ op, at }: KeyEnding): UtcMillis {
  return readMoment(op === "key.expire" ? "the end of a key" : "the time of a revocation", at);
}

// These functions refuse values that no store could read back: callers in plain JavaScript may pass anything.

function withPatchedPlan(book: AccountBook, { name, ...patch }: PlanPatch): AccountBook {
  const current = book.plans.find((plan) => plan.name === name);
  const dailyUnits = patch.dailyUnits === undefined ? current?.dailyUnits : patch.dailyUnits;
  const attributionRequired = patch.attributionRequired ?? current?.attributionRequired;
  if (dailyUnits === undefined || attributionRequired === undefined)
    throw new RangeError(
      `Cannot change plan "${name}" because it does not exist; a new plan needs its daily units and its attribution`,
    );
  demandName("plan", name);
  if (typeof attributionRequired !== "boolean")
    throw cannot(`set plan "${name}"`, "its attribution must be true or false", attributionRequired);
  if (dailyUnits !== null && !(Number.isSafeInteger(dailyUnits) && dailyUnits >= 1))
    throw cannot(`set plan "${name}"`, "daily units must be a whole number >= 1", dailyUnits);
  const plan = { name, dailyUnits, attributionRequired };
  return { ...book, plans: replaceOrAdd(book.plans, plan, (other) => other.name === name) };
}

function withPatchedAccount(book: AccountBook, { id, plan, status }: AccountPatch): AccountBook {
  const current = book.accounts.find((account) => account.id === id);
  if (!current)
    throw new RangeError(`Cannot change account "${id}" because it does not exist; adding its first key creates it`);
  return withAccount(book, { id: current.id, plan: plan ?? current.plan, status: status ?? current.status });
}

function withNewKey(book: AccountBook, { entry, plan }: KeyCreation): AccountBook {
  const account = book.accounts.find(({ id }) => id === entry.accountId);
  if (!account) {
    const added: Account = { id: entry.accountId, plan: plan ?? FREE_STARTER.name, status: "ACTIVE" };
    return withKey(withAccount(book, added), entry);
  }
  const existing = book.keys.find(({ id }) => id === entry.id);
  if (existing?.accountId === entry.accountId && existing.digest === entry.digest) return book;
  if (plan !== undefined && plan !== account.plan)
    throw new RangeError(
      `Cannot add a key with plan "${plan}" because account "${account.id}" has plan "${account.plan}"; change the account's plan first`,
    );
  return withKey(book, entry);
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

/** Neither a second revocation nor a later expiry changes a key. */
function withKeyEnding(book: AccountBook, ending: KeyEnding): AccountBook {
  const { op, id } = ending;
  const at = endOf(ending);
  if (!book.keys.some((key) => key.id === id)) throw cannot("change a key", "its id is unknown", id);
  const keys = book.keys.map((key) => {
    if (key.id !== id || key.revokedAt !== null) return key;
    if (op === "key.revoke") return { ...key, revokedAt: at };
    return key.expiresAt !== null && key.expiresAt <= at ? key : { ...key, expiresAt: at };
  });
  return { ...book, keys };
}

function demandEntry({ id, digest, createdAt, expiresAt, revokedAt, note, may, codes }: KeyEntry): void {
  const areTexts = [id, digest, note].every((text) => typeof text === "string");
  const areTimes = [createdAt, expiresAt, revokedAt].every((time, i) => {
    return Number.isSafeInteger(time) || (i > 0 && time === null);
  });
  if (!areTexts || !areTimes)
    throw new RangeError(
      "Cannot add a key because its id, digest and note must be texts, and its times must be milliseconds or null",
    );
  const isScope = may === undefined ? codes === undefined : KEY_RIGHTS.includes(may);
  const areCodes =
    codes === undefined ||
    (may !== "read" && Array.isArray(codes) && codes.length > 0 && codes.every((code) => typeof code === "string"));
  if (!isScope || !areCodes)
    throw new RangeError(
      `Cannot add a key because its rights must be ${KEY_RIGHTS.join(" or ")}, and only a key that may write can have a list of codes, which must not be empty`,
    );
}

function demandName(what: string, name: string): void {
  if (typeof name !== "string" || !NAME.test(name))
    throw cannot(
      `set ${what}`,
      "its name must be 1 to 64 of A-Z, a-z, 0-9, dots, dashes and underscores, and begin with a letter or digit",
      name,
    );
}

function cannot(attempt: string, rule: string, received: unknown): RangeError {
  return new RangeError(`Cannot ${attempt} because ${rule}: received "${String(received)}"`);
}

function replaceOrAdd<T>(items: readonly T[], item: T, isSame: (other: T) => boolean): readonly T[] {
  return items.some(isSame) ? items.map((other) => (isSame(other) ? item : other)) : [...items, item];
}
