import type { UtcMillis } from "../branded_types.ts";
import type { MaybePromise } from "../ports.ts";
import {
  type Account,
  type AccountBook,
  type AccountStatus,
  FREE_STARTER,
  type KeyEntry,
  type Plan,
  withAccount,
  withKey,
  withKeyExpiring,
  withKeyRevoked,
  withPlan,
} from "./accounts.ts";
import { type Moment, readMoment } from "./parse_moment.ts";

/** Describes a change to the book. The store applies it to the current book, so simultaneous changes are kept. */
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

/** Adds a key, and its account if that does not exist. */
export interface KeyCreation {
  readonly op: "key.create";
  readonly entry: KeyEntry;
  /** The plan of a new account. An existing account must already have it. Default for a new one: `FREE_STARTER`. */
  readonly plan?: string;
}

/** Ends a key: `key.expire` sets a future end, unless the key ends earlier; `key.revoke` ends it now. */
export interface KeyEnding {
  readonly op: "key.expire" | "key.revoke";
  readonly id: string;
  readonly at: Moment;
}

/** A book of accounts that can be changed. Each store of this package has one. */
export interface AccountKeeper {
  /** Makes all changes, or none. Returns the changed book; rejects with a `RangeError` if a change is not possible. */
  update(changes: readonly AccountChange[]): MaybePromise<AccountBook>;
}

/** Returns the changed book. Idempotent. Throws `RangeError` for a change that is not possible. */
export function applyChange(book: AccountBook, change: AccountChange): AccountBook {
  switch (change.op) {
    case "plan.patch":
      return withPlan(book, patchedPlan(book, change));
    case "account.patch":
      return withAccount(book, patchedAccount(book, change));
    case "key.create":
      return withNewKey(book, change);
    case "key.expire":
      return withKeyExpiring(book, change.id, endOf(change));
    case "key.revoke":
      return withKeyRevoked(book, change.id, endOf(change));
  }
}

/** Replaces a `Date` with text, which can be sent to another process. Throws `RangeError` for an invalid time. */
export function plainChange(change: AccountChange): AccountChange {
  return change.op === "key.expire" || change.op === "key.revoke" ? { ...change, at: endOf(change) } : change;
}

function endOf({ op, at }: KeyEnding): UtcMillis {
  return readMoment(op === "key.expire" ? "the end of a key" : "the time of a revocation", at);
}

function patchedPlan({ plans }: AccountBook, { name, ...patch }: PlanPatch): Plan {
  const current = plans.find((plan) => plan.name === name);
  const dailyUnits = patch.dailyUnits === undefined ? current?.dailyUnits : patch.dailyUnits;
  const attributionRequired = patch.attributionRequired ?? current?.attributionRequired;
  if (dailyUnits === undefined || attributionRequired === undefined)
    throw new RangeError(
      `Cannot change plan "${name}" because it does not exist; a new plan needs its daily units and its attribution`,
    );
  return { name, dailyUnits, attributionRequired };
}

function patchedAccount({ accounts }: AccountBook, { id, plan, status }: AccountPatch): Account {
  const current = accounts.find((account) => account.id === id);
  if (!current)
    throw new RangeError(`Cannot change account "${id}" because it does not exist; its first key creates it`);
  return { id: current.id, plan: plan ?? current.plan, status: status ?? current.status };
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
      `Cannot add a key with plan "${plan}" because account "${account.id}" has plan "${account.plan}"; change that first`,
    );
  return withKey(book, entry);
}
