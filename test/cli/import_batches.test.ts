// How batches of an import follow each other: the next is checked while one is stored, and stored only after it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readFormatOptions } from "../../adapters/cli/import/format_options.ts";
import { type ImportWatcher, type IngestRecords, importFile } from "../../adapters/cli/import/import_file.ts";
import { runImport } from "../../adapters/cli/import/run_import.ts";
import { type ImportAccess, NOTHING_DONE } from "../../adapters/stores/shared/imports.ts";
import { createZone } from "../../core/internal.ts";
import { ASSETS, type Observation, type UtcMillis } from "../../core/mod.ts";

const formats = readFormatOptions({ map: [], names: [] } as never, { marketTimeZone: "Asia/Tehran", assets: ASSETS });
const SILENT: ImportWatcher = { reading: () => undefined, refused: () => undefined, progress: () => undefined };

async function* file(values: readonly string[]): AsyncGenerator<Uint8Array> {
  yield Buffer.from(
    `code,value,businessTime\n${values.map((value, i) => `USD_RLS,${value},2026-01-0${i + 1}T00:00:00Z\n`).join("")}`,
  );
}

test("import: the next batch is handed on while one is stored, but not the one after it, and lines are reported in order", async () => {
  const ends: (() => void)[] = [];
  const reported: number[] = [];
  const ingest: IngestRecords = async (records) => {
    const refused = records.flatMap(({ record: { value } }, index) =>
      value === "bad" ? [{ index, reason: "bad" }] : [],
    );
    // A batch without a good record has nothing to wait for.
    if (refused.length < records.length) await new Promise<void>((resolve) => ends.push(resolve));
    return { accepted: records.length - refused.length, replaced: 0, unchanged: 0, kept: 0, refused };
  };
  const done = importFile(
    file(["bad", "1", "bad", "bad", "2", "3"]),
    { formats, ingest, batchRecords: 2 },
    { ...SILENT, refused: ({ line }) => void reported.push(line) },
  );
  while (ends.length < 1) await new Promise(setImmediate);
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  assert.deepEqual(
    [ends.length, reported],
    [1, []],
    "the second batch is not reported before the first, and the third waits",
  );
  ends[0]!();
  while (ends.length < 2) await new Promise(setImmediate);
  ends[1]!();
  const tally = await done;
  assert.deepEqual([tally.accepted, tally.refused, reported], [3, 3, [2, 4, 5]]);
});

test("import: where the store fails, nothing behind that batch is stored, although it was checked already", async () => {
  const batches: (readonly Observation[])[] = [];
  let begun = 0;
  const access: Pick<ImportAccess, "bestBatch" | "begin" | "append" | "finish" | "around" | "count"> = {
    bestBatch: 2,
    begin: async (plan) => ({ ...plan, id: ++begun, time: 0 as UtcMillis, summary: null, undone: null }),
    async append(_, batch) {
      batches.push(batch);
      await new Promise(setImmediate);
      if (batches.length === 2) throw new Error("the disk is full");
      return { ...NOTHING_DONE, accepted: batch.length };
    },
    finish: () => Promise.reject(new Error("the disk is full")),
    around: async (keys) => keys.map(() => ({ at: undefined, before: undefined, after: undefined })),
    count: async () => 0,
  };
  const notes: string[] = [];
  const terminal = { note: (line: string) => void notes.push(line), progress: () => undefined };
  const answers = {
    yes: true,
    doubtful: "accept",
    lastWins: false,
    replaceDays: false,
    keepExisting: false,
    unit: undefined,
    decimal: undefined,
  } as const;
  const plan = { files: ["-"], codes: [undefined], assets: ASSETS, zone: createZone("Asia/Tehran") };
  const options = { dryRun: false, answers, hasDayAt: false, provider: undefined, stop: new AbortController().signal };
  let accepted = 0;
  const run = runImport(
    access as ImportAccess,
    {
      ...plan,
      ...options,
      read: (_, into, watcher) =>
        importFile(file(["1", "2", "3", "4", "5", "6", "7", "8"]), { formats, ...into }, watcher),
    },
    {
      watch: () => SILENT,
      show: () => undefined,
      done: (_: string, tally: { accepted: number }) => void (accepted = tally.accepted),
      finish: async () => true,
    } as never,
    { terminal, clock: () => Date.parse("2026-06-01T00:00:00Z") } as never,
  );
  await assert.rejects(run, /the disk is full/);
  assert.deepEqual([batches.length, accepted], [2, 2]);
});
