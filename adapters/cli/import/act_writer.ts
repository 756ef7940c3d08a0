import { hostname } from "node:os";
import type { Observation } from "../../../core/mod.ts";
import { NOTHING_DONE, addOutcomes } from "../../store/acts.ts";
import type { Act, ActOutcome, ActPlan, ImportAccess } from "../../store/acts.ts";

/** Stores the records of an import under one number. */
export interface ActWriter {
  append(batch: readonly Observation[]): Promise<ActOutcome>;
  /** What was stored so far. */
  readonly outcome: ActOutcome;
  /** The number of the import; `undefined` while it has stored nothing, and so does not exist. */
  readonly id: number | undefined;
  /** Ends the import. */
  finish(end: { readonly refused: number; readonly complete: boolean }): Promise<void>;
}

/** Names of providers that are noted. */
const NOTED_PROVIDERS = 5;

/** Makes the writer of an import, which begins with its first records. */
export function createActWriter(imports: ImportAccess, plan: Pick<ActPlan, "subjects" | "type">, { keepExisting }: { readonly keepExisting: boolean }): ActWriter {
  const providers = new Set<string>();
  let act: Act | undefined;
  let outcome = NOTHING_DONE;

  return {
    async append(batch) {
      act ??= await imports.begin({ ...plan, by: { pid: process.pid, host: hostname() } });
      const part = await imports.append(act.id, batch, keepExisting);
      outcome = addOutcomes(outcome, part);
      for (const { provider } of batch) if (provider !== null && providers.size < NOTED_PROVIDERS) providers.add(provider);
      return part;
    },
    get outcome() {
      return outcome;
    },
    get id() {
      return act?.id;
    },
    async finish({ refused, complete }) {
      if (act) await imports.finish(act.id, { ...outcome, refused, complete, providers: [...providers].sort() });
    },
  };
}
