import { type Shape, shaped } from "../../../core/internal.ts";
import type { AccountBook, AccountChange } from "../../../core/mod.ts";

const PLAN = { name: "string", "dailyUnits?": "whole", attributionRequired: "boolean" } as const;
const ACCOUNT = { id: "string", plan: "string", status: '"ACTIVE"|"RESTRICTED"|"DISABLED"' } as const;
const KEY = {
  id: "string",
  accountId: "string",
  digest: "string",
  createdAt: "whole",
  "expiresAt?": "whole",
  "revokedAt?": "whole",
  note: "string",
} as const;
type Members = Readonly<Record<string, Shape>>;

/** Optional members of a key. */
const SCOPE: Members = { may: '"read"|"write"|"read,write"', codes: ["string"] };
const BOOK = { plans: [PLAN], accounts: [ACCOUNT], keys: [KEY] } as const;

/** The required and the optional members of each change. */
const CHANGES: Readonly<Record<AccountChange["op"], readonly [required: Members, optional: Members]>> = {
  "plan.patch": [{ name: PLAN.name }, { "dailyUnits?": "whole", attributionRequired: PLAN.attributionRequired }],
  "account.patch": [{ id: ACCOUNT.id }, { plan: ACCOUNT.plan, status: ACCOUNT.status }],
  "key.create": [{ entry: KEY }, { plan: ACCOUNT.plan }],
  "key.expire": [{ id: KEY.id, at: "whole" }, {}],
  "key.revoke": [{ id: KEY.id, at: "whole" }, {}],
};

/** Reads a change, which may come from another process. Throws `TypeError` for anything else. */
export function parseChange(value: unknown): AccountChange {
  const change = objectOf(value, "change");
  const op = String(change["op"]);
  if (!Object.hasOwn(CHANGES, op))
    throw new TypeError(`Cannot read a change because its op is unknown: received "${op.slice(0, 64)}"`);
  const [required, optional] = CHANGES[op as AccountChange["op"]];
  const given = Object.entries(optional).filter(([name]) => change[name.replace("?", "")] !== undefined);
  if (op === "key.create") demandScope(change["entry"]);
  const shape = { op: "string", ...required, ...Object.fromEntries(given) } as const;
  return shaped(shape, change, "change") as unknown as AccountChange;
}

function demandScope(key: unknown): void {
  const has = (name: string): boolean => typeof key === "object" && key !== null && name in key;
  shaped(Object.fromEntries(Object.entries(SCOPE).filter(([name]) => has(name))), key, "key");
}

/** Reads a whole book. Throws `TypeError` for anything else. */
export function parseBook(value: unknown): AccountBook {
  const { plans, accounts, keys } = shaped(BOOK, value, "book");
  for (const key of keys) demandScope(key);
  return { plans, accounts, keys } as unknown as AccountBook; // The cast gives the ids their branded types.
}

/** Reads an object with members of unknown types. Throws `TypeError` for anything else. */
export function objectOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  return shaped({}, value, what) as Readonly<Record<string, unknown>>;
}
