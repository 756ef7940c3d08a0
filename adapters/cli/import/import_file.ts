import { setImmediate as nextTurn } from "node:timers/promises";
import type { IngestOutcome } from "../../../core/mod.ts";
import { type ParsedRecord, type ReadRecord, type RejectedRow, rejectedRow } from "../../intake/csv/record_columns.ts";
import { Stopped } from "../../server/signals.ts";
import type { FormatOptions } from "./detect_dialect.ts";
import type { Unread } from "./open_questions.ts";
import { sourceUnread } from "./open_source.ts";
import type { SourceNotes } from "./read_source_head.ts";
import { createRecordReader } from "./record_reader.ts";
import type { Skipped } from "./row_records.ts";

/** The result for a file, so far. */
export interface FileTally {
  /** Records that were new. */
  accepted: number;
  /** Records that replaced one of the same code and business time. */
  replaced: number;
  /** Records that were there already, with nothing to change: they were not stored again. */
  unchanged: number;
  /** Records that were not stored, as another one is there that was to stay. */
  kept: number;
  refused: number;
  /** Why the file, or the rest of it, could not be read. */
  failure: Unread | undefined;
  /** Whether that means that nothing of the file is to be stored. */
  isUnread: boolean;
  /** Layout and columns of the file, where these were found. */
  header: string | undefined;
  /** How the file was read, in words; `undefined` for the plain import format. */
  reading: string | undefined;
  /** Whether it says its unit itself, which `--unit` cannot change. */
  saysUnit: boolean;
  /** Names of columns that are not part of the import format. */
  ignored: readonly string[];
  /** What was passed over, because it is no record and no mistake. */
  skipped: Readonly<Skipped>;
  /** The error with which the store stopped the import; `undefined` when it did not. */
  stoppedBy: unknown;
}

/**
 * Stores records, or foresees what would become of them. May be called before the call before it has ended: the records are
 * checked meanwhile, and stored after those before; not at all where these could not be stored.
 */
export type IngestRecords = (records: readonly ReadRecord[]) => Promise<IngestOutcome & { readonly kept: number }>;

/** Is called while a file is imported. */
export interface ImportWatcher {
  /** Before the first record of a file that is not in the plain import format: how it is read. */
  reading(text: string): void;
  refused(line: RejectedRow): void;
  /** After each batch. */
  progress(tally: FileTally): void;
}

/**
 * Imports a file in batches, so that memory does not grow with its size. Bad lines are refused one by one.
 * Never rejects: when the store fails, the records that were counted until then are stored.
 */
export async function importFile(
  source: AsyncIterable<Uint8Array>,
  {
    formats,
    ingest,
    batchRecords,
    notes,
  }: {
    readonly formats: FormatOptions;
    readonly ingest: IngestRecords;
    readonly batchRecords: number;
    readonly notes?: Readonly<SourceNotes>;
  },
  watcher: ImportWatcher,
): Promise<FileTally> {
  const reader = createRecordReader({ ...formats, ...(notes && { notes }) });
  const counts = { accepted: 0, replaced: 0, unchanged: 0, kept: 0, refused: 0 };
  const { skipped } = reader;
  const tally: FileTally = {
    ...counts,
    failure: undefined,
    isUnread: false,
    header: undefined,
    reading: undefined,
    saysUnit: false,
    ignored: [],
    skipped,
    stoppedBy: undefined,
  };
  let waiting: ParsedRecord[] = [];
  /** The last batch. While one is stored, the next is read and checked, as the store may wait for a disk or for another process. */
  let storing: Promise<void> = Promise.resolve();

  function reportReading(): void {
    const reading = [notes?.form, reader.reading].filter((part) => part !== undefined).join(", ");
    if (reading !== "" && reading !== tally.reading) watcher.reading((tally.reading = reading));
  }

  async function take(records: Iterable<ParsedRecord>): Promise<void> {
    for (const record of records) {
      if (waiting.push(record) === 1) reportReading();
      if (waiting.length === batchRecords) await flush();
    }
  }

  async function flush(): Promise<void> {
    const [batch, earlier] = [waiting, storing];
    waiting = [];
    storing = store(batch, earlier);
    storing.catch(() => undefined); // Whoever awaits it gets the error.
    await earlier;
    await nextTurn(); // Signals have theirs, also where a store answers at once.
  }

  async function store(batch: readonly ParsedRecord[], earlier: Promise<void>): Promise<void> {
    const refused: RejectedRow[] = [];
    const read: ReadRecord[] = [];
    for (const entry of batch) {
      if ("record" in entry) read.push(entry);
      else refused.push(entry);
    }
    const [outcome] = await Promise.all([ingest(read), earlier]);
    for (const { index, reason } of outcome.refused) refused.push(rejectedRow(read[index]!, reason));
    tally.accepted += outcome.accepted;
    tally.replaced += outcome.replaced;
    tally.unchanged += outcome.unchanged;
    tally.kept += outcome.kept;
    tally.refused += refused.length;
    for (const line of refused.sort((a, b) => a.line - b.line)) watcher.refused(line);
    watcher.progress(tally);
  }

  try {
    for await (const chunk of readable(source, tally)) {
      await take(reader.push(chunk));
      if (reader.failure !== undefined) break;
    }
    if (tally.failure === undefined) await take(reader.end());
    reportReading();
    if (waiting.length > 0) await flush();
    await storing;
  } catch (error) {
    await storing.catch(() => undefined);
    tally.stoppedBy = error;
    tally.failure = { reason: failureOf(error) };
  }
  tally.isUnread = tally.failure === undefined && reader.failure !== undefined;
  tally.failure ??= reader.failure;
  tally.header = reader.header;
  tally.saysUnit = reader.saysUnit;
  tally.ignored = reader.ignored;
  tally.skipped = reader.skipped;
  return tally;
}

/** The result for a file of which nothing is stored. */
export function nothingOf(tally: FileTally): FileTally {
  return { ...tally, accepted: 0, replaced: 0, unchanged: 0, kept: 0, refused: 0 };
}

/** Why the records behind a batch were not stored. */
function failureOf(error: unknown): string {
  return error instanceof Stopped ? error.message : "the store did not accept the other records";
}

/** The chunks of a source. A failure to read ends them and is noted in the tally. */
async function* readable(source: AsyncIterable<Uint8Array>, tally: FileTally): AsyncGenerator<Uint8Array> {
  try {
    yield* source;
  } catch (error) {
    tally.failure = sourceUnread(error);
  }
}
