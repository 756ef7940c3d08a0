import type { Observation } from "../../../core/mod.ts";
import {
  addOutcomes,
  type Import,
  type ImportAccess,
  type ImportOutcome,
  type ImportPlan,
  type ImportSummary,
  NOTHING_DONE,
} from "./imports.ts";

/** Stores the records of an import under one number. */
export type ImportWriter = ReturnType<typeof createImportWriter>;

/** How many names of providers the summary keeps. */
const NOTED_PROVIDERS = 5;

/** Makes the writer of an import. The import begins when the first records are stored. */
export function createImportWriter(
  imports: Pick<ImportAccess, "begin" | "append" | "finish">,
  plan: ImportPlan,
  { keepExisting }: { readonly keepExisting: boolean },
) {
  const providers = new Set<string>();
  let imported: Import | undefined;
  let outcome = NOTHING_DONE;

  return {
    async append(batch: readonly Observation[]): Promise<ImportOutcome> {
      imported ??= await imports.begin(plan);
      const part = await imports.append(imported.id, batch, keepExisting, imported.time);
      outcome = addOutcomes(outcome, part);
      for (const { provider } of batch)
        if (provider !== null && providers.size < NOTED_PROVIDERS) providers.add(provider);
      return part;
    },
    /** The outcome so far. */
    get outcome(): ImportOutcome {
      return outcome;
    },
    /** The number of the import, or `undefined` until a record was stored. */
    get id(): number | undefined {
      return imported?.id;
    },
    async finish({ refused, complete }: Pick<ImportSummary, "refused" | "complete">): Promise<void> {
      if (!imported) return;
      const summary = { ...outcome, refused, complete, providers: [...providers].sort() };
      await imports.finish(imported.id, summary, imported.time);
    },
  };
}
