import type { Ingest, IngestOutcome, RawRecord } from "../../../core/mod.ts";
import { type ParsedRecord, type RejectedRow, rejectedRow } from "../../intake/tables/record_columns.ts";
import type { FormatOptions } from "../../intake/tables/detect_dialect.ts";
import { inWords, type Unread } from "../../intake/tables/open_questions.ts";
import { createRecordReader } from "../../intake/tables/record_reader.ts";

/** What is told of a stream each time a part of it is stored. */
export interface Acknowledgement extends Omit<IngestOutcome, "refused"> {
  /** The records of so many lines, counted from the first of the stream, are on the disk, or were refused. */
  readonly acknowledged: number;
  /** The lines that were refused since the last acknowledgement. */
  readonly refused: readonly RejectedRow[];
}

/** How a stream is followed. */
export interface FollowOptions {
  readonly formats: FormatOptions;
  /** Stores records. */
  readonly ingest: Ingest<RawRecord>;
  /** Ends the reading. What has been read by then is stored. */
  readonly stop: Promise<void>;
  /** Called once, if the stream is not in the plain import format: how it is read. */
  reading(text: string): void;
  /** Called after each batch; the next is stored when this has settled. */
  acknowledge(acknowledgement: Acknowledgement): Promise<void>;
}

/** How a stream has ended. */
export interface Followed {
  readonly acknowledged: number;
  readonly refused: number;
  /** Why the stream could not be read on. */
  readonly failure: Unread | undefined;
  /** Whether it ended within a line or a record, which was not stored: it may be cut anywhere, also within a number. */
  readonly isCut: boolean;
}

/** A line is stored at most so long after it has arrived. */
const GATHER_MS = 200;
const BATCH_RECORDS = 2_000;

/**
 * Stores the lines of a stream as they come, in batches. Reads no more while a full batch waits, so that a slow store
 * slows the writer of the stream down. Rejects when the store fails; what was acknowledged is stored.
 */
export async function followStream(input: AsyncIterable<Uint8Array>, options: FollowOptions): Promise<Followed> {
  const reader = createRecordReader(options.formats, { isStream: true });
  let waiting: ParsedRecord[] = [];
  let storing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let [acknowledged, refusedLines] = [0, 0];
  let isOver = false;
  let isReadingReported = false;

  /** Stores all that waits, after what is being stored. */
  function store(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    storing = storing.then(storeWaiting);
    return storing;
  }

  async function storeWaiting(): Promise<void> {
    const [entries, lines] = [waiting, reader.doneLines];
    waiting = [];
    if (lines === acknowledged && entries.length === 0) return;
    const read = entries.flatMap((entry) => ("record" in entry ? [entry] : []));
    const { refused: reasons, ...counts } = await options.ingest(read.map(({ record }) => record));
    const refused = [
      ...entries.flatMap((entry) => ("reason" in entry ? [{ line: entry.line, reason: inWords(entry) }] : [])),
      ...reasons.map(({ index, reason }) => rejectedRow(read[index]!, reason)),
    ].sort((a, b) => a.line - b.line);
    acknowledged = lines;
    refusedLines += refused.length;
    await options.acknowledge({ acknowledged, ...counts, refused });
  }

  async function read(failed: (error: unknown) => void): Promise<void> {
    for await (const chunk of input) {
      if (isOver) return;
      waiting.push(...reader.push(chunk));
      if (!isReadingReported && reader.reading !== undefined) options.reading(reader.reading);
      isReadingReported ||= reader.reading !== undefined;
      if (reader.failure !== undefined) return;
      if (waiting.length >= BATCH_RECORDS) await store();
      else timer ??= setTimeout(() => void store().catch(failed), GATHER_MS);
    }
  }

  try {
    await new Promise<void>((resolve, reject) => {
      read(reject).then(resolve, reject);
      void options.stop.then(resolve);
    });
  } finally {
    isOver = true;
    clearTimeout(timer);
  }
  await store();
  return { acknowledged, refused: refusedLines, failure: reader.failure, isCut: reader.isMidRow };
}
