import type { AssetCode } from "../branded_types.ts";
import type { Observations } from "../ports.ts";
import type { SeriesStore } from "./series_store.ts";

/** The `Observations` port of a series store. Reads data and version synchronously, so both are from one state. */
export function readSide(series: SeriesStore, version: (codes?: readonly AssetCode[]) => string): Observations {
  return {
    latest: (codes) => ({ version: version(codes), value: series.latest(codes) }),
    coverage: (codes) => ({ version: version(codes), value: series.coverage(codes) }),
    lastOfEach: (code, edges) => ({ version: version([code]), value: series.lastOfEach(code, edges) }),
    candles: (code, window, widthMs) => ({ version: version([code]), value: series.candles(code, window, widthMs) }),
    version,
  };
}

/**
 * Makes `version` of the `Observations` port for a store that numbers its changes. The state of the requested
 * assets is identified by the number of the last change to any of them.
 *
 * @param name Returns the version after the change with this number.
 */
export function createVersionNames(
  series: Pick<SeriesStore, "sequence">,
  name: (sequence: number) => string,
): (codes?: readonly AssetCode[]) => string {
  // Repeated requests pass the same list, so requests for the whole catalog need no look-up for each asset.
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
