import { setImmediate as nextTurn } from "node:timers/promises";
import type { Observation, RawRecord, Result } from "../../../core/mod.ts";
import type { TableOptions } from "../../intake/tables/detect_dialect.ts";
import { joinUnread, openQuestionsOf, type Unread } from "../../intake/tables/open_questions.ts";
import { type ParsedRecord, type RejectedRow, rejectedRow } from "../../intake/tables/record_columns.ts";
import { createRecordReader } from "../../intake/tables/record_reader.ts";
import type { Skipped } from "../../intake/tables/row_records.ts";
import { Stopped } from "../../server/signals.ts";
import { sourceFailure } from "./open_source.ts";
import { createStage, type Stage } from "./stage.ts";

/** A file that was read, and its records. */
export interface ReadFile {
  readonly stage: Stage;
  /** Why the file, or the rest of it, could not be read. */
  readonly failure: Unread | undefined;
  /** Whether that means that nothing of it is to be stored. Where it leaves questions open, its records are as their suggestions have them. */
  readonly isUnread: boolean;
  /** Layout and columns of the file, where these were found. */
  readonly header: string | undefined;
  /** How it was read, in words; `undefined` for the plain import format. */
  readonly reading: string | undefined;
  /** Whether it says its unit itself, which no answer changes. */
  readonly saysUnit: boolean;
  /** Names of columns that are not part of the import format. */
  readonly ignored: readonly string[];
  /** What was passed over, because it is no record and no mistake. */
  readonly skipped: Readonly<Skipped>;
  /** How many lines were rejected, and the first of them. */
  readonly rejected: number;
  readonly rejectedRows: readonly RejectedRow[];
}

/** How a file is read. */
export interface FileOptions {
  readonly table: TableOptions;
  /** Whether all rows are wanted; of several values of one asset and time, the last one counts. */
  readonly lastWins?: boolean;
  /** Makes an observation of a record, or says why it is none. */
  check(record: RawRecord): Result<Observation, string>;
  /** Called before the first record of a file that is not in the plain import format. */
  reading(text: string): void;
  /** Called now and then with the number of records and rejected lines so far. */
  progress(count: number): void;
}

/** So many rejected lines of a file are listed at most. */
const MOST_LISTED = 1_000;
const RECORDS_A_TURN = 2_000;

/** Reads a file once, and stages its records. Bad lines are rejected one by one. Rejects where it is stopped. */
export async function readFile(source: AsyncIterable<Uint8Array>, options: FileOptions): Promise<ReadFile> {
  const { table, check, lastWins = false } = options;
  const reader = createRecordReader(table);
  const stage = createStage((line, other) => reader.distinguishing?.conflict(line, other));
  const rejectedRows: RejectedRow[] = [];
  let [count, rejected] = [0, 0];
  let reading: string | undefined;
  let failure: Unread | undefined;

  function reportReading(): void {
    const parts = [reader.failure ? undefined : table.notes?.form, reader.reading];
    const text = parts.filter((part) => part !== undefined).join(", ");
    if (text !== "" && text !== reading) options.reading((reading = text));
  }

  function reject(row: RejectedRow): void {
    rejected++;
    if (rejectedRows.length < MOST_LISTED) rejectedRows.push(row);
  }

  async function take(records: Iterable<ParsedRecord>): Promise<void> {
    for (const entry of records) {
      if (count++ === 0) reportReading();
      if (!("record" in entry)) reject(entry);
      else {
        const checked = check(entry.record);
        if (checked.ok) stage.add(checked.value, entry.record, entry.line);
        else reject(rejectedRow(entry, checked.error));
      }
      if (count % RECORDS_A_TURN !== 0) continue;
      options.progress(count);
      await nextTurn(); // Signals have theirs.
    }
  }

  try {
    for await (const chunk of source) {
      await take(reader.push(chunk));
      if (reader.isStopped) break;
    }
  } catch (error) {
    if (error instanceof Stopped) throw error;
    failure = { reason: sourceFailure(error) };
  }
  if (!failure) await take(reader.end());
  reportReading();
  stage.finish();
  const apart = openQuestionsOf(
    lastWins ? [] : (reader.distinguishing?.questions(stage.prices()) ?? []),
    reader.header ?? "",
  );
  const unread = joinUnread(reader.failure, apart);
  return {
    ...{ stage, rejected, reading },
    failure: failure ?? unread,
    isUnread: failure === undefined && unread !== undefined,
    header: reader.header,
    saysUnit: reader.saysUnit,
    ignored: reader.ignored,
    skipped: reader.skipped,
    rejectedRows: rejectedRows.toSorted((a, b) => a.line - b.line),
  };
}
