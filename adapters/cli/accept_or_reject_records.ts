import { hostname } from "node:os";
import {
  addOutcomes,
  type Decision,
  type ImportAccess,
  NOTHING_DONE,
  type Selection,
} from "../stores/shared/imports.ts";

/** Accepts or rejects all selected records as one import. Resolves to the import's id and the number of records. */
export async function decideAbout(
  imports: ImportAccess,
  decision: Decision,
  { subject, selections }: { readonly subject: string; readonly selections: readonly Selection[] },
): Promise<{ readonly id: number; readonly decided: number }> {
  const type = decision.qualityStatus === "REJECTED" ? "withdrawal" : "import";
  const by = { pid: process.pid, host: hostname() };
  const { id, time } = await imports.begin({ type, subjects: [subject], source: "import", by });
  let outcome = NOTHING_DONE;
  for (const selection of selections) {
    for (let more = true; more; ) {
      const step = await imports.decide(id, selection, decision, time);
      outcome = addOutcomes(outcome, step.outcome);
      more = step.more;
    }
  }
  // If a server stopped after a step but before its answer, `outcome` lacks that step. The store's count includes it.
  const { stored = 0 } = (await imports.list()).find(({ imported }) => imported.id === id) ?? {};
  outcome = { ...outcome, replaced: Math.max(outcome.replaced, stored ?? 0) };
  const providers = selections.flatMap(({ provider }) => provider ?? []);
  await imports.finish(id, { ...outcome, refused: 0, providers, complete: true }, time);
  return { id, decided: outcome.replaced };
}
