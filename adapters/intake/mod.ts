import { utf8 } from "../../core/internal.ts";
import { type AnswerContext, readAnswers, type TableAnswers } from "./tables/answers.ts";
import type { DistinguishingColumns } from "./tables/distinguishing_columns.ts";
import { joinUnread, type OpenQuestion, openQuestionsOf } from "./tables/open_questions.ts";
import type { ParsedRecord, ReadRecord, RejectedRow } from "./tables/record_columns.ts";
import { createRecordReader } from "./tables/record_reader.ts";

export { createFeedRule, type FeedRule, type FeedRuleOptions } from "./levels/feed_rule.ts";
export { type AnswerContext, joinAnswers, type TableAnswers } from "./tables/answers.ts";
export type { MissingPart, OpenQuestion } from "./tables/open_questions.ts";
export type { ReadRecord, RejectedRow } from "./tables/record_columns.ts";

/** How a table is read. */
export interface ReadTableOptions extends AnswerContext {
  /** What is known of the table, e.g. the answers to the questions that it left open. */
  readonly answers?: TableAnswers;
  /** The name of its file, which may be that of its asset. */
  readonly file?: string;
}

/** What a table holds. */
export interface ReadTable {
  /**
   * Its records, in the order of its lines. Where questions are open, they are as the suggested answers have them: show them, and
   * store them when the table was read again with the answers.
   */
  readonly records: readonly ReadRecord[];
  /** Lines that hold no record, and why. */
  readonly rejected: readonly RejectedRow[];
  /** What the table leaves open; empty where nothing is. */
  readonly questions: readonly OpenQuestion[];
  /** Why the table cannot be read at all, in words; `undefined` if it can. */
  readonly failure: string | undefined;
  /** How it was read, in words; `undefined` for the plain import format. */
  readonly reading: string | undefined;
  /** Names of columns that were not read. */
  readonly ignored: readonly string[];
}

/**
 * Reads a table of prices: CSV with any separator, NDJSON, or JSON as this API, pandas and price services write it. The
 * records are as `createIngestUnknown` takes them, which checks each.
 *
 * @param input A text, or its bytes in UTF-8.
 * @throws RangeError for an answer that cannot be used.
 */
export function readTable(
  input: string | Uint8Array,
  { answers = {}, file, ...context }: ReadTableOptions = {},
): ReadTable {
  const table = readAnswers(answers, context);
  if (!table.ok) throw new RangeError(`Cannot read a table as its answer ${table.error.answer} ${table.error.reason}`);
  const reader = createRecordReader({ ...table.value, ...(file !== undefined && { file }) });
  const entries: ParsedRecord[] = [...reader.push(typeof input === "string" ? utf8(input) : input), ...reader.end()];
  const records = entries.filter((entry) => "record" in entry);
  const apart = openQuestionsOf(questionsOfRows(records, reader.distinguishing), reader.header ?? "");
  const why = joinUnread(reader.failure, apart);
  return {
    records,
    rejected: entries.filter((entry) => "reason" in entry),
    questions: why && "questions" in why ? why.questions : [],
    failure: why && "reason" in why ? why.reason : undefined,
    reading: reader.reading,
    ignored: reader.ignored,
  };
}

/** What columns without a meaning leave open that tell prices of one asset apart. */
function questionsOfRows(
  records: readonly ReadRecord[],
  columns: DistinguishingColumns | undefined,
): readonly OpenQuestion[] {
  if (!columns) return [];
  const prices = records
    .map(({ line, record: { code, value, businessTime } }) => {
      return { line, code: String(code), value: Number(value), businessTime: Date.parse(String(businessTime)) };
    })
    .filter(({ value, businessTime }) => value > 0 && !Number.isNaN(businessTime))
    .sort((a, b) => a.code.localeCompare(b.code) || a.businessTime - b.businessTime);
  for (const [at, price] of prices.entries()) {
    const before = prices[at - 1];
    if (before?.code === price.code && before.businessTime === price.businessTime && before.value !== price.value)
      columns.conflict(before.line, price.line);
  }
  return columns.questions(prices);
}
