import { setImmediate as nextTurn } from "node:timers/promises";
import type { Observation, RawRecord, Result } from "../../../core/mod.ts";
import type { TableOptions } from "../../intake/tables/detect_dialect.ts";
import { joinUnread, openQuestionsOf, type Unread } from "../../intake/tables/open_questions.ts";
import { type ParsedRecord, type RejectedRow, rejectedRow } from "../../intake/tables/record_columns.ts";
import { createRecordReader } from "../../intake/tables/record_reader.ts";
import { Stopped } from "../../server/signals.ts";
import { sourceFailure } from "./open_source.ts";
import { createStage, type Stage } from "./stage.ts";

/** A file that was read. */
export type ReadFile = Awaited<ReturnType<typeof readFile>>;

/** How a file is read. */
export interface FileOptions {
  readonly table: TableOptions;
  /** Whether the last value counts if there are several values for one asset and time. Default: `false`. */
  readonly lastWins?: boolean;
  /** Checks a record. The error is the reason why the record is refused. */
  check(record: RawRecord): Result<Observation, string>;
  /** Called before the first record of a file, unless the file has the plain import format. */
  reading(text: string): void;
  /** Called from time to time with the number of lines that have been read. */
  progress(count: number): void;
}

const MOST_LISTED = 1_000;
const RECORDS_A_TURN = 2_000;

/** Reads a file once, and stages its records. Leaves out bad lines and counts them. Rejects if a signal aborts it. */
export async function readFile(source: AsyncIterable<Uint8Array>, options: FileOptions) {
  const { table, check, lastWins = false } = options;
  const reader = createRecordReader(table);
  const stage = createStage((line, other) => reader.distinguishing?.conflict(line, other));
  const rejectedRows: RejectedRow[] = [];
  let [count, rejected] = [0, 0];
  let reading: string | undefined;
  let failure: Unread | undefined;

  function reportReading(): void {
    const { failure: unread, reading: read } = reader.facts;
    const parts = [unread ? undefined : table.notes?.form, read];
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
      await nextTurn(); // Lets signals be handled.
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
  const { failure: why, header, saysUnit, ignored, skipped } = reader.facts;
  const apart = openQuestionsOf(lastWins ? [] : (reader.distinguishing?.questions(stage.prices()) ?? []), header ?? "");
  const unread = joinUnread(why, apart);
  return {
    stage: stage as Stage,
    /** The reason why the file, or the rest of the file, could not be read. */
    failure: failure ?? unread,
    /** Whether no record of the file may be stored, e.g. because suggested answers were used to read it. */
    isUnread: failure === undefined && unread !== undefined,
    /** Layout and columns of the file, if found. */
    header,
    /** How the file was read, in words; `undefined` for the plain import format. */
    reading,
    /** Whether the file states its unit. `--unit` cannot change that. */
    saysUnit,
    /** Names of columns that are not used. */
    ignored,
    /** The parts that are neither records nor mistakes, e.g. totals. */
    skipped,
    /** The number of rejected lines, and the first of them. */
    rejected,
    rejectedRows: rejectedRows.toSorted((a, b) => a.line - b.line) as readonly RejectedRow[],
  };
}
