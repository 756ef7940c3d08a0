import type { AssetCode } from "../brand.ts";
import type { SeriesStore } from "./series_store.ts";

/**
 * Makes the `version` of the `Observations` port for a store that numbers its changes. The number of the last change to
 * any of some assets names their state, as no two changes have one number.
 *
 * @param name The version after the change with this number.
 */
export function createVersionNames(series: Pick<SeriesStore, "sequence">, name: (sequence: number) => string): (codes?: readonly AssetCode[]) => string {
  // A cached answer asks with the same list each time; the whole catalog would take a lookup of each asset.
  const known = new WeakMap<readonly AssetCode[], { readonly lastChange: number; readonly name: string }>();

  return (codes) => {
    const lastChange = series.sequence();
    if (!codes) return name(lastChange);
    const last = known.get(codes);
    if (last?.lastChange === lastChange) return last.name;
    const made = { lastChange, name: name(Math.max(0, ...codes.map(series.sequence))) };
    known.set(codes, made);
    return made.name;
  };
}
