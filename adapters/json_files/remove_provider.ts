import type { ObservationKey } from "../../core/mod.ts";
import type { ObservationLog } from "./observations.ts";

/** Keys that are gathered at once, so that memory does not grow with the number of records. */
const GATHERED = 100_000;

/** Takes out all observations of a provider, whatever their status; resolves to their number. May be called again. */
export async function removeProvider(observations: ObservationLog, provider: string): Promise<number> {
  const { find, maxBatch = GATHERED } = observations;
  let removed = 0;
  for (;;) {
    const keys = gather(observations, provider);
    if (keys.length === 0) return removed;
    for (let start = 0; start < keys.length; start += maxBatch) {
      // Looked up again, as another provider may have replaced one meanwhile.
      const batch = keys.slice(start, start + maxBatch).filter(({ code, businessTime }) => find(code, businessTime)?.provider === provider);
      removed += await observations.remove(batch);
    }
  }
}

function gather({ records }: ObservationLog, provider: string): readonly ObservationKey[] {
  const keys: ObservationKey[] = [];
  for (const observation of records()) {
    if (observation.provider !== provider) continue;
    keys.push({ code: observation.code, businessTime: observation.businessTime });
    if (keys.length === GATHERED) break;
  }
  return keys;
}
