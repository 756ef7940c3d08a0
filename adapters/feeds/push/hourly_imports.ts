import { createZone, dayNumber, HOUR_MS } from "../../../core/internal.ts";
import type { KeyHolder, KeyId, Observation, UtcMillis } from "../../../core/mod.ts";
import { createImportWriter, type ImportWriter } from "../../stores/shared/import_writer.ts";
import { addOutcomes, type ImportOutcome, NO_PROCESS, NOTHING_DONE, USUAL_BATCH } from "../../stores/shared/imports.ts";
import { inBatches } from "../../stores/shared/store_copying.ts";
import type { IngestStore } from "./push_store.ts";

type HourImport = { readonly begun: number; readonly writer: ImportWriter; refused: number };

/** Stores the records of each key in one import per hour, or, if the store has no imports, without an import. */
export function createHourlyImports({ observations, imports }: IngestStore, marketTimeZone: string) {
  const { startOfDay, dateAt } = createZone(marketTimeZone);
  const open = new Map<KeyId, HourImport>();

  /** The insert time of records is the start of their import, so an import must end with its hour or its market day. */
  async function importOf({ key, account }: KeyHolder, now: UtcMillis): Promise<HourImport> {
    const begun = Math.max(Math.floor(now / HOUR_MS) * HOUR_MS, startOfDay(dayNumber(dateAt(now))));
    for (const [id, one] of open) if (one.begun !== begun) await end(id, one);
    let current = open.get(key.id);
    if (!current) {
      const subjects = [`key ${key.id} of ${account.id}`];
      const plan = { type: "import", subjects, source: sourceOf(key.id), by: NO_PROCESS } as const;
      const writer = createImportWriter(imports!, plan, { keepExisting: false });
      open.set(key.id, (current = { begun, writer, refused: 0 }));
    }
    return current;
  }

  /** Ends an import. If the import was undone meanwhile, it stays undone. */
  async function end(id: KeyId, { writer, refused }: HourImport): Promise<void> {
    open.delete(id);
    try {
      await writer.finish({ refused, complete: true });
    } catch (error) {
      // The store was restored and has no such import any more.
      if (!(error instanceof RangeError)) throw error;
    }
  }

  async function appendBatch(batch: readonly Observation[], by: KeyHolder, now: UtcMillis): Promise<ImportOutcome> {
    if (!imports) return { ...NOTHING_DONE, ...(await observations.append(batch, sourceOf(by.key.id))) };
    try {
      return await (await importOf(by, now)).writer.append(batch);
    } catch (error) {
      // If the import was undone, or a restore lost it, the retry begins the next import; else the retry throws again.
      if (!(error instanceof RangeError)) throw error;
      open.delete(by.key.id);
      return (await importOf(by, now)).writer.append(batch);
    }
  }

  return {
    async append(records: readonly Observation[], by: KeyHolder, now: UtcMillis): Promise<ImportOutcome> {
      let outcome = NOTHING_DONE;
      for await (const batch of inBatches(records, USUAL_BATCH))
        outcome = addOutcomes(outcome, await appendBatch(batch, by, now));
      return outcome;
    },
    countRefused(key: KeyId, count: number): void {
      const current = open.get(key);
      if (current) current.refused += count;
    },
    async finish(): Promise<void> {
      for (const [id, one] of open) await end(id, one);
    },
  };
}

/** The source of the records that a key pushes. */
export function sourceOf(id: KeyId): string {
  return `key:${id}`;
}
