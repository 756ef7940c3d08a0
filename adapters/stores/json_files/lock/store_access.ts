import type { StoreAccess } from "../../shared/engine.ts";
import type { ImportAccess } from "../../shared/imports.ts";
import type { MarketAccess } from "./market_access.ts";

/** All methods of a file store that another process can call, and `close`. */
export type FullAccess = Required<StoreAccess> & { readonly market: MarketAccess };

/** `FullAccess` without `close`, for callers that must not close the store. */
export type OpenAccess = Omit<FullAccess, "close">;

/** The name of a method, with the part of the store that has the method. */
type MethodName = keyof OpenAccess | `imports/${keyof ImportAccess}` | `market/${keyof MarketAccess}`;

const NAMES: readonly string[] = [
  ...["append", "book", "update", "usage", "info", "status", "mirrorAgain", "compact"],
  ...["imports/begin", "imports/append", "imports/finish", "imports/list", "imports/undo", "imports/matching"],
  ...["imports/decide", "imports/pending", "imports/around", "imports/references", "imports/countPending"],
  ...["market/latest", "market/coverage", "market/lastOfEach", "market/candles", "market/version"],
  ...["market/facts", "market/page"],
] as const satisfies readonly MethodName[];

type Methods = Record<string, (...args: readonly unknown[]) => Promise<unknown>>;

/** Access to a store that passes each method's name (`append`, `imports/append`) and arguments to `call`. */
export function accessThrough(call: (name: string, args: readonly unknown[]) => Promise<unknown>): OpenAccess {
  const access = { imports: {}, market: {} } as OpenAccess; // Gets all methods, because the list of names is complete.
  for (const name of NAMES) {
    const { methods, method } = findMethod(access, name);
    methods[method] = (...args) => call(name, args);
  }
  return access;
}

/** Calls a method of a store by its name. Throws `TypeError` for an unknown name. */
export function callMethod(store: OpenAccess, name: string, args: readonly unknown[]): Promise<unknown> {
  if (!NAMES.includes(name))
    throw new TypeError(`Cannot carry out a request because its method is unknown: received "${name.slice(0, 64)}"`);
  const { methods, method } = findMethod(store, name);
  return methods[method]!(...args);
}

function findMethod(store: OpenAccess, name: string): { readonly methods: Methods; readonly method: string } {
  const [method = "", part] = name.split("/").reverse();
  return { methods: (part === undefined ? store : store[part as "imports" | "market"]) as object as Methods, method };
}
