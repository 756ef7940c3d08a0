import type { StoreAccess } from "../../shared/engine.ts";
import type { ImportAccess } from "../../shared/imports.ts";
import type { MarketAccess } from "./market_access.ts";

/** All methods of a file store that another process can call, and `close`. */
export type FullAccess = Required<StoreAccess> & { readonly market: MarketAccess };

/** `FullAccess` without `close`, for callers that must not close the store. */
export type OpenAccess = Omit<FullAccess, "close">;

const METHODS = [
  "append",
  "book",
  "update",
  "usage",
  "info",
  "status",
  "mirrorAgain",
  "compact",
] as const satisfies readonly (keyof OpenAccess)[];
const IMPORT_METHODS = [
  "begin",
  "append",
  "finish",
  "list",
  "undo",
  "matching",
  "decide",
  "pending",
  "around",
  "references",
  "countPending",
] as const satisfies readonly (keyof ImportAccess)[];
const MARKET_METHODS = [
  ...["latest", "coverage", "lastOfEach", "candles", "version"],
  ...["facts", "page"],
] as const satisfies readonly (keyof MarketAccess)[];

/** Methods whose names start with the name of their part, such as `imports/append`. */
const PARTS = { imports: IMPORT_METHODS, market: MARKET_METHODS } as const;

type Method = (...args: readonly unknown[]) => Promise<unknown>;

/** Access to a store that passes each method's name (`append`, `imports/append`) and arguments to `call`. */
export function accessThrough(call: (method: string, args: readonly unknown[]) => Promise<unknown>): OpenAccess {
  const methods = (names: readonly string[], prefix = ""): Record<string, Method> =>
    Object.fromEntries(names.map((name) => [name, (...args: readonly unknown[]) => call(prefix + name, args)]));
  const parts = Object.entries(PARTS).map(([part, names]) => [part, methods(names, `${part}/`)] as const);
  return { ...methods(METHODS), ...Object.fromEntries(parts) } as object as OpenAccess; // The lists are complete.
}

/** Calls a method of a store by its name. Throws `TypeError` for an unknown name. */
export function callMethod(store: OpenAccess, method: string, args: readonly unknown[]): Promise<unknown> {
  const part = (["imports", "market"] as const).find((one) => method.startsWith(`${one}/`));
  const name = part ? method.slice(part.length + 1) : method;
  const names: readonly string[] = part ? PARTS[part] : METHODS;
  if (!names.includes(name))
    throw new TypeError(`Cannot carry out a request because its method is unknown: received "${method.slice(0, 64)}"`);
  const methods = (part ? store[part] : store) as object as Readonly<Record<string, Method>>;
  return methods[name]!(...args);
}
