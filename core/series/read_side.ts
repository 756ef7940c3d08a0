import type { AssetCode } from "../brand.ts";
import type { Observations } from "../ports.ts";
import type { SeriesStore } from "./series_store.ts";

/** The read side of a store that keeps its data in series. A read and its version are made at once, so no change comes between them. */
export function readSide(series: SeriesStore, version: (codes?: readonly AssetCode[]) => string): Observations {
  return {
    latest: (codes) => ({ version: version(codes), value: series.latest(codes) }),
    coverage: (codes) => ({ version: version(codes), value: series.coverage(codes) }),
    lastOfEach: (code, edges) => ({ version: version([code]), value: series.lastOfEach(code, edges) }),
    candles: (code, window, widthMs) => ({ version: version([code]), value: series.candles(code, window, widthMs) }),
    version,
  };
}
