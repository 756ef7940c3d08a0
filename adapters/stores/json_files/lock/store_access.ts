import type { StoreAccess } from "../../shared/engine.ts";
import type { MarketAccess } from "./market_access.ts";

/** All methods of a store in files that another process can call, and `close`. */
export type FullAccess = Required<StoreAccess> & { readonly market: MarketAccess };

/** The same without `close`, for callers that must not close the store. */
export type OpenAccess = Omit<FullAccess, "close">;

/** The methods by part. Names of methods of `imports` and `market` start with the part: `imports/append`. */
const METHODS = {
  store: "append book update usage info status mirrorAgain compact".split(" "),
  imports: "begin append finish list undo matching decide pending around references countPending".split(" "),
  market: "latest coverage lastOfEach candles version facts page".split(" "),
};

type Method = (...args: readonly unknown[]) => Promise<unknown>;

/** Access to a store that passes each method's name (`append`, `imports/append`) and arguments to `call`. */
export function accessThrough(call: (method: string, args: readonly unknown[]) => Promise<unknown>): OpenAccess {
  const methods = (names: readonly string[], prefix = ""): Record<string, Method> =>
    Object.fromEntries(names.map((name) => [name, (...args: readonly unknown[]) => call(prefix + name, args)]));
  const { store, imports, market } = METHODS;
  const parts = { imports: methods(imports, "imports/"), market: methods(market, "market/") };
  return { ...methods(store), ...parts } as object as OpenAccess; // The lists name all methods.
}

/** Calls a method of a store by its name. Throws `TypeError` for an unknown name. */
export function callMethod(store: OpenAccess, method: string, args: readonly unknown[]): Promise<unknown> {
  const part = (["imports", "market"] as const).find((one) => method.startsWith(`${one}/`));
  const name = part ? method.slice(part.length + 1) : method;
  if (!METHODS[part ?? "store"].includes(name))
    throw new TypeError(`Cannot carry out a request because its method is unknown: received "${method.slice(0, 64)}"`);
  const methods = (part ? store[part] : store) as object as Readonly<Record<string, Method>>;
  return methods[name]!(...args);
}
