import type { Seed } from "./bundle.ts";
import type { HARNESSES } from "./harnesses.ts";

/** A bug that a store like this could have, and the harness that must find it. */
export interface SeededBug {
  readonly name: string;
  readonly found: keyof typeof HARNESSES;
  readonly seeds: readonly Seed[];
}

const LOG = "adapters/stores/json_files/log/log.ts";
const COUNTER = "adapters/stores/json_files/quota/unit_counter.ts";
const LINE = "adapters/stores/json_files/log/sealed_line.ts";
const REPLACE = "adapters/stores/json_files/replace_document.ts";
const SCAN = "adapters/stores/json_files/log/scan_file.ts";
const FS = "adapters/stores/json_files/file_system.ts";
const BASE = "adapters/stores/json_files/log/log_base.ts";
const READ_LOG = "adapters/stores/json_files/log/read_log.ts";
const MARKS = "adapters/stores/json_files/log/log_end_marks.ts";
const COMPACT = "adapters/stores/json_files/maintenance/compact.ts";
const WRITER = "adapters/stores/json_files/maintenance/make_store_from_content.ts";
const PRICE_WRITER = "adapters/stores/json_files/price_writer.ts";
const UNDO = "adapters/stores/price_state/undo_import.ts";

const WRITE = "    await write(bytes);\n";
const SYNC = "    await sync();\n";
const PUBLISH = "    publish(first);\n";
const RESERVE = "    await log.append(lines, () => written.forEach((publish) => publish()));\n";
const GRANT = "    written.forEach((publish) => publish());\n";
const WAIT = "await new Promise((done) => setTimeout(done, 20));\n";
const FROM_RESERVED = "  if (counter.used < counter.reserved) return { granted: true, used: ++counter.used };\n";

/** The bugs, which are planted one at a time. */
export const SEEDED_BUGS: readonly SeededBug[] = [
  { name: "appends without fdatasync", found: "crashes", seeds: [{ file: LOG, find: SYNC, put: "" }] },
  {
    name: "a new log file without a sync of its directory",
    found: "crashes",
    seeds: [
      {
        file: "adapters/stores/json_files/log/segments.ts",
        find: "    await health.synced(fs.syncDirectory(dirname(path)));\n",
        put: "",
      },
    ],
  },
  {
    name: "a replacement without a sync of its directory",
    found: "crashes",
    seeds: [{ file: REPLACE, find: "    await health.synced(directory.sync());\n", put: "" }],
  },
  {
    name: "a rename before the file's sync",
    found: "crashes",
    seeds: [
      { file: REPLACE, find: "    await health.synced(file.sync());\n", put: "" },
      {
        file: REPLACE,
        find: "    await fs.rename(temporary, path);\n",
        put: '    await fs.rename(temporary, path);\n    const renamed = await fs.open(path, "append");\n    await health.synced(renamed.sync());\n    await renamed.close();\n',
      },
    ],
  },
  {
    name: "an answer that is sent before the sync",
    found: "crashes",
    seeds: [
      { file: LOG, find: SYNC, put: "" },
      { file: LOG, find: PUBLISH, put: `${PUBLISH}    void sync().catch(() => {});\n` },
    ],
  },
  {
    name: "a record shown before the sync, and answered after it",
    found: "crashes",
    seeds: [
      { file: LOG, find: PUBLISH, put: `${PUBLISH}${SYNC}` },
      { file: LOG, find: SYNC, put: "" },
    ],
  },
  {
    name: "an answer that is sent before the write",
    found: "kills",
    seeds: [
      { file: LOG, find: WRITE, put: "" },
      { file: LOG, find: SYNC, put: "" },
      { file: LOG, find: PUBLISH, put: `${PUBLISH}    void (async () => {${WAIT}${WRITE}${SYNC}})();\n` },
    ],
  },
  {
    name: "a checksum that leaves out the last byte, when a line is read",
    found: "crashes",
    seeds: [{ file: LINE, find: "line.subarray(0, open)", put: "line.subarray(0, open - 1)" }],
  },
  {
    name: "a short write that is not continued",
    found: "failures",
    seeds: [
      { file: FS, find: "for (let done = 0; done < bytes.length; ) {", put: "for (let done = 0; done === 0; ) {" },
    ],
  },
  {
    name: "a failed sync that is retried",
    found: "failures",
    seeds: [
      {
        file: LOG,
        find: "await health.synced(file.datasync());",
        put: "await file.datasync().catch(() => health.synced(file.datasync()));",
      },
    ],
  },
  {
    name: "a failed write whose bytes are not removed",
    found: "failures",
    seeds: [{ file: LOG, find: "      await file.truncate(end.length);\n      await file.datasync();\n", put: "" }],
  },
  {
    name: "units that are served before they are reserved",
    found: "crashes",
    seeds: [{ file: COUNTER, find: RESERVE, put: `${GRANT}    await log.append(lines, () => {});\n` }],
  },
  {
    name: "units served before they are reserved, and a server that is killed",
    found: "kills",
    seeds: [{ file: COUNTER, find: RESERVE, put: `${GRANT}    ${WAIT}    await log.append(lines, () => {});\n` }],
  },
  {
    name: "a counter that is read, and written later",
    found: "quota races",
    seeds: [
      {
        file: COUNTER,
        find: FROM_RESERVED,
        put: "  if (counter.used < counter.reserved) {\n    const { used } = counter; return Promise.resolve().then(() => ({ granted: true, used: (counter.used = used + 1) }));\n  }\n",
      },
    ],
  },
  {
    name: "a caller forgotten while a reservation ends",
    found: "quota races",
    seeds: [
      {
        file: COUNTER,
        find: "day.writing ??= writeDue(day);",
        put: "day.writing ??= writeDue(day).finally(() => (day.writing = undefined));",
      },
      { file: COUNTER, find: "  day.writing = undefined;\n", put: "" },
    ],
  },
  {
    name: "checksums that are not verified",
    found: "mutations",
    seeds: [
      {
        file: LINE,
        find: 'line.toString("latin1", open) === sealOf(',
        put: '"" !== sealOf(',
      },
    ],
  },
  {
    name: "checksums that do not depend on the store and the log",
    found: "mutations",
    seeds: [{ file: LINE, find: "return crc32(`${storeId}/${log}`);", put: "void [storeId, log];\n  return 0;" }],
  },
  {
    name: "doubled lines that are read again",
    found: "mutations",
    seeds: [{ file: SCAN, find: "if (s < expected)", put: "if (s < 0)" }],
  },
  {
    name: "bad lines that are skipped silently",
    found: "mutations",
    seeds: [{ file: SCAN, find: "        damages.push(line.damage);\n", put: "" }],
  },
  {
    name: "a log's lost end that is not reported",
    found: "mutations",
    seeds: [{ file: MARKS, find: "  if (!mark) return undefined;\n", put: "  return undefined;\n" }],
  },
  {
    name: "a mark that is set although saving it failed",
    found: "failures",
    seeds: [
      {
        file: MARKS,
        find: "      const highWater = ",
        put: "      for (const [log, end] of changed) marks.set(log, end);\n      const highWater = ",
      },
    ],
  },
  {
    name: "a mark that is saved before its file is synced",
    found: "crashes",
    seeds: [
      {
        file: "adapters/stores/json_files/log/segments.ts",
        find: "    const end = await writeHeader(file, start, generation);\n",
        put: "    const end = await writeHeader(file, start, generation);\n    await onSegment?.(start.kind, end);\n",
      },
    ],
  },
  {
    name: "a compacted log that is renamed before it is synced",
    found: "crashes",
    seeds: [{ file: "adapters/stores/json_files/log/log_file.ts", find: "      await file.sync();\n", put: "" }],
  },
  {
    name: "files removed before the name of the compacted log is synced",
    found: "crashes",
    seeds: [{ file: WRITER, find: "  await health.synced(fs.syncDirectory(directory));\n", put: "" }],
  },
  {
    name: "files removed before the compacted log has its name",
    found: "crashes",
    seeds: [
      {
        file: COMPACT,
        find: "      let written = 0;\n",
        put: "      await removeBefore(fs, directory, segment);\n      let written = 0;\n",
      },
    ],
  },
  {
    name: "a compaction that misses the last appends",
    found: "crashes",
    seeds: [
      { file: COMPACT, find: "  let atStart: ", put: "  let early;\n  let atStart: " },
      {
        file: COMPACT,
        find: "    const before = await countBytes();\n",
        put: "    early = state.freeze();\n    const before = await countBytes();\n",
      },
      { file: COMPACT, find: "const frozen = state.freeze();", put: "const frozen = early;" },
    ],
  },
  {
    name: "a compaction that misses changes made while it runs",
    found: "crashes",
    seeds: [{ file: "adapters/stores/price_state/price_state.ts", find: "        yield* kept.records();\n", put: "" }],
  },
  {
    name: "a compaction that forgets records that imports replaced",
    found: "crashes",
    seeds: [{ file: COMPACT, find: "before: await findReplacedBefore(", put: "before: new Map(), unused: (" }],
  },
  {
    name: "prices that are shown before they are written",
    found: "failures",
    seeds: [
      {
        file: PRICE_WRITER,
        find: "        await log.append(lines, (first) => {\n",
        put: "        await Promise.resolve(state.market.sequence() + 1).then(async (first) => {\n",
      },
      {
        file: PRICE_WRITER,
        find: "          state.finishLoading();\n",
        put: "          state.finishLoading(); await log.append(lines, () => {});\n",
      },
    ],
  },
  {
    name: "a write that ignores the previous write in the same sync",
    found: "crashes",
    seeds: [{ file: PRICE_WRITER, find: "        draft.add(last);\n", put: "" }],
  },
  {
    name: "lines with numbers that differ from the log's",
    found: "crashes",
    seeds: [{ file: PRICE_WRITER, find: "state.load(entry, first + i)", put: "state.load(entry, first + i + 1)" }],
  },
  {
    name: "a separate sync for each line of a write",
    found: "crashes",
    seeds: [
      {
        file: PRICE_WRITER,
        find: "await log.append(lines, (first) => {",
        put: "await (async (all, publish) => { let first; for (const line of all) await log.append([line], (n) => (first ??= n)); publish(first); })(lines, (first) => {",
      },
    ],
  },
  {
    name: "an undo that assigns restored records to the undone import",
    found: "crashes",
    seeds: [{ file: UNDO, find: "({ ...entry, undo: id })", put: "({ ...entry, import: id, undo: id })" }],
  },
  {
    name: "an undo that does not restore pending records",
    found: "crashes",
    seeds: [{ file: UNDO, find: "if (isTaken && ", put: "if (!isTaken && " }],
  },
  {
    name: "an undo that removes a record that may have replaced a damaged line",
    found: "mutations",
    seeds: [{ file: UNDO, find: "if (isDamaged && gone.length > 0)", put: "if (isDamaged && gone.length > 99)" }],
  },
  {
    name: "a compaction that removes its own base file",
    found: "crashes",
    seeds: [{ file: BASE, find: "if (number < base) await", put: "if (number <= base) await" }],
  },
  {
    name: "versions that repeat after a compaction",
    found: "crashes",
    seeds: [{ file: READ_LOG, find: "(record: T): void => accept(record, begin.next - 1)", put: "accept" }],
  },
  {
    name: "lines appended to the old file after a new one could not be started",
    found: "failures",
    seeds: [{ file: LOG, find: "if (isDue || end.length", put: "if (end.length" }],
  },
  {
    name: "removed records that return at the next start",
    found: "crashes",
    seeds: [
      {
        file: "adapters/stores/json_files/log/entry_line.ts",
        find: "times: businessTime as UtcMillis[]",
        put: "times: businessTime.slice(1)",
      },
    ],
  },
  {
    name: "unchanged records that are stored again",
    found: "crashes",
    seeds: [
      {
        file: "core/series/changed_records.ts",
        find: "    one.value === other.value &&\n",
        put: "    one.insertTime === other.insertTime &&\n",
      },
    ],
  },
  {
    name: "a directory that stays locked after it could not be opened",
    found: "failures",
    seeds: [
      {
        file: "adapters/stores/json_files/lock/directory_lock.ts",
        find: "    await removeSocket(); // A socket left open would make the directory count as owned until this process ends.\n",
        put: "",
      },
    ],
  },
  {
    name: "a directory that stays locked after a file could not be closed",
    found: "failures",
    seeds: [{ file: LOG, find: "      await file.close().catch(() => {});", put: "      await file.close();" }],
  },
  {
    name: "a new line that is appended to a damaged one without a line feed",
    found: "mutations",
    seeds: [
      {
        file: "adapters/stores/json_files/log/open_log.ts",
        find: "if (lastByte !== LINE_FEED) {",
        put: "if (lastByte !== lastByte) {",
      },
    ],
  },
  {
    name: "a log without a header that is continued",
    found: "mutations",
    seeds: [{ file: "adapters/stores/json_files/log/read_log.ts", find: "end.offset > 0 && ", put: "" }],
  },
  {
    name: "a damaged line feed that counts as a torn write",
    found: "mutations",
    seeds: [{ file: SCAN, find: " && sealProblem(line.subarray(0, -1), seed) !== undefined;", put: ";" }],
  },
];
