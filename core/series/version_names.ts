import type { AssetCode } from "../brand.ts";
import type { SeriesStore } from "./series_store.ts";

/** The version of some data, and the number of the last change to any data when it was named. */
interface Named {
  readonly lastChange: number;
  readonly name: string;
}

/**
 * Makes the `version` of the `Observations` port for a store that numbers its changes. The number of the last change to
 * any of some assets names their state, as no two changes have one number.
 *
 * @param name The version after the change with this number.
 */
export function createVersionNames(series: Pick<SeriesStore, "sequence">, name: (sequence: number) => string): (codes?: readonly AssetCode[]) => string {
  // Every request asks, mostly of one asset, or with the same list as before; the whole catalog would take 140 lookups.
  const ofOne = new Map<AssetCode | undefined, Named>();
  const ofLists = new WeakMap<readonly AssetCode[], Named>();

  function nameOf(codes: readonly AssetCode[] | undefined): string {
    const sequence = codes ? Math.max(0, ...codes.map((code) => series.sequence(code))) : series.sequence();
    return name(sequence);
  }

  return (codes) => {
    const isList = codes !== undefined && codes.length !== 1;
    const code = codes?.[0];
    const named = isList ? ofLists.get(codes) : ofOne.get(code);
    const lastChange = series.sequence(isList ? undefined : code);
    if (named?.lastChange === lastChange) return named.name;
    const made = { lastChange, name: nameOf(codes) };
    if (isList) ofLists.set(codes, made);
    else ofOne.set(code, made);
    return made.name;
  };
}
