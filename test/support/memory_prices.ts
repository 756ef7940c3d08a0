import type { Entry } from "../../adapters/stores/price_state/entries.ts";
import { createImports } from "../../adapters/stores/price_state/imports.ts";
import { observationsOf } from "../../adapters/stores/price_state/observations.ts";
import { createPriceState, type PriceState } from "../../adapters/stores/price_state/price_state.ts";
import { createAppend, type Write, writeAtOnce } from "../../adapters/stores/price_state/writer.ts";
import type { ImportAccess } from "../../adapters/stores/shared/imports.ts";
import type { UtcClock } from "../../core/mod.ts";

/** Prices and imports whose log is an array. */
export interface MemoryPrices {
  readonly state: PriceState;
  readonly entries: readonly Entry[];
  readonly observations: ReturnType<typeof observationsOf> & { readonly append: ReturnType<typeof createAppend> };
  readonly imports: ImportAccess;
}

/** Builds prices from the entries of a log. */
export function createMemoryPrices(clock: UtcClock, begun: readonly Entry[] = []): MemoryPrices {
  const state = createPriceState();
  const entries: Entry[] = [];
  const apply = writeAtOnce(state);
  const write: Write = (decide) =>
    apply((draft) => {
      const decided = decide(draft);
      entries.push(...decided.entries);
      return decided;
    });
  write(() => ({ entries: begun, result: undefined }));
  const readEntries = async (take: (entry: Entry) => void): Promise<void> => entries.forEach(take);
  return {
    ...{ state, entries },
    observations: { ...observationsOf(state, (sequence) => `memory.${sequence}`), append: createAppend(write) },
    imports: createImports({ state, write, readEntries, clock, isDamaged: false }).imports,
  };
}
