import type {
  AccountBook,
  AccountChange,
  AppendOutcome,
  AssetCode,
  Coverage,
  Observation,
  Versioned,
} from "../../../../core/mod.ts";
import type { MirrorAgain } from "../../shared/engine.ts";
import type { ImportAccess } from "../../shared/imports.ts";
import type { DayUsage } from "../../shared/store.ts";
import type { Compaction } from "../maintenance/compact.ts";

/**
 * What other processes can do with a store as well as the one that owns it. Arguments and results are JSON values, and each
 * method may be called again when its answer was lost.
 */
export interface StoreAccess {
  append(batch: readonly Observation[]): Promise<AppendOutcome>;
  /** What is known of each code, in the order asked; `undefined` where there is no accepted observation. */
  coverage(codes: readonly AssetCode[]): Promise<Versioned<readonly (Coverage | undefined)[]>>;
  book(): Promise<AccountBook>;
  /** Makes all changes at once, or none when one of them does not fit. */
  update(changes: readonly AccountChange[]): Promise<AccountBook>;
  /** What was used on the quota days that are open: also of a day's reservations, only what was really used. */
  usage(): Promise<readonly DayUsage[]>;
  info(): Promise<StoreInfo>;
  /** What the process that owns the store says of itself: a JSON value; `undefined` if it says nothing. */
  status(): Promise<unknown>;
  /** Has the mirror of that process ask again for days of an asset; tells whether there is a mirror. */
  mirrorAgain(...asked: Parameters<MirrorAgain>): Promise<boolean>;
  /** Takes out of the files what was replaced or removed since. The store is read and written meanwhile. */
  compact(): Promise<Compaction>;
  readonly imports: ImportAccess;
}

/** Facts about an open store. */
export interface StoreInfo {
  readonly storeId: string;
  /** The process that owns it. */
  readonly pid: number;
  /** How often the directory was opened. */
  readonly generation: number;
  /** Version of all observations. */
  readonly version: string;
  /** Number of places in the log of observations that could not be read. */
  readonly damages: number;
}

/** Access to a store, to be closed after use. */
export type ClosableAccess = StoreAccess & { close(): Promise<void> };

const METHODS = [
  "append",
  "coverage",
  "book",
  "update",
  "usage",
  "info",
  "status",
  "mirrorAgain",
  "compact",
] as const satisfies readonly (keyof StoreAccess)[];
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
  "count",
] as const satisfies readonly (keyof ImportAccess)[];
const IMPORTS = "imports/";

type Method = (...args: readonly unknown[]) => Promise<unknown>;

/** Access to a store each of whose methods is carried out by `call`, which gets its name: `append`, or `imports/append`. */
export function accessThrough(call: (method: string, args: readonly unknown[]) => Promise<unknown>): StoreAccess {
  const methods = (names: readonly string[], prefix = ""): Record<string, Method> =>
    Object.fromEntries(names.map((name) => [name, (...args: readonly unknown[]) => call(prefix + name, args)]));
  return { ...methods(METHODS), imports: methods(IMPORT_METHODS, IMPORTS) } as object as StoreAccess; // All its methods, as the lists name them.
}

/** Calls a method of a store by its name. Throws `TypeError` where it has none of that name. */
export function callMethod(store: StoreAccess, method: string, args: readonly unknown[]): Promise<unknown> {
  const ofImports = method.startsWith(IMPORTS);
  const name = ofImports ? method.slice(IMPORTS.length) : method;
  const names: readonly string[] = ofImports ? IMPORT_METHODS : METHODS;
  if (!names.includes(name))
    throw new TypeError(`Cannot carry out a request as its method is not known: received "${method.slice(0, 64)}"`);
  const methods = (ofImports ? store.imports : store) as object as Readonly<Record<string, Method>>;
  return methods[name]!(...args);
}
