import { utf8 } from "../../core/internal.ts";
import { type AnswerContext, readAnswers, type TableAnswers } from "./tables/answers.ts";
import type { DistinguishingColumns } from "./tables/distinguishing_columns.ts";
import { joinUnread, type OpenQuestion, openQuestionsOf } from "./tables/open_questions.ts";
import type { ReadRecord, RejectedRow } from "./tables/record_columns.ts";
import { createRecordReader } from "./tables/record_reader.ts";

export { createFeedRule, type FeedRule, type FeedRuleOptions } from "./levels/feed_rule.ts";
export { type AnswerContext, joinAnswers, type TableAnswers } from "./tables/answers.ts";
export type { MissingPart, OpenQuestion } from "./tables/open_questions.ts";
export type { ReadRecord, RejectedRow } from "./tables/record_columns.ts";

/** Options of `readTable`. */
export interface ReadTableOptions extends AnswerContext {
  /** Answers about the table, e.g. to questions from an earlier reading. */
  readonly answers?: TableAnswers;
  /** The name of the file, which may name its asset. */
  readonly file?: string;
}

/** The content of a table. */
export interface ReadTable {
  /** The records, by line. While questions are open, do not store them: they assume the suggested answers. */
  readonly records: readonly ReadRecord[];
  /** Lines that are not records, with reasons. */
  readonly rejected: readonly RejectedRow[];
  /** The open questions. */
  readonly questions: readonly OpenQuestion[];
  /** Why the table cannot be read at all; `undefined` if it can. */
  readonly failure: string | undefined;
  /** A description of how the table was read; `undefined` for the plain import format. */
  readonly reading: string | undefined;
  /** Names of ignored columns. */
  readonly ignored: readonly string[];
}

/**
 * Reads a table of prices: CSV with any separator, NDJSON, or JSON of this API, pandas and price services. Pass the
 * records to `createIngestUnknown`, which checks each of them.
 *
 * @param input A text, or its bytes in UTF-8.
 * @throws RangeError for an invalid answer.
 */
export function readTable(
  input: string | Uint8Array,
  { answers = {}, file, ...context }: ReadTableOptions = {},
): ReadTable {
  const table = readAnswers(answers, context);
  if (!table.ok)
    throw new RangeError(`Cannot read a table because its answer ${table.error.answer} ${table.error.reason}`);
  const reader = createRecordReader({ ...table.value, file });
  const entries = [...reader.push(typeof input === "string" ? utf8(input) : input), ...reader.end()];
  const records = entries.filter((entry) => "record" in entry);
  const { failure, header, reading, ignored } = reader.facts;
  const apart = reader.distinguishing ? rowQuestions(records, reader.distinguishing) : [];
  const why = joinUnread(failure, openQuestionsOf(apart, header ?? ""));
  return {
    records,
    rejected: entries.filter((entry) => "reason" in entry),
    questions: why && "questions" in why ? why.questions : [],
    failure: why && "reason" in why ? why.reason : undefined,
    reading,
    ignored,
  };
}

/** Returns questions about ignored columns that tell several prices of one asset apart. */
function rowQuestions(records: readonly ReadRecord[], distinguishing: DistinguishingColumns): readonly OpenQuestion[] {
  const prices = records
    .map(({ line, record: { code, value, businessTime } }) => {
      return { line, code: String(code), value: Number(value), businessTime: Date.parse(String(businessTime)) };
    })
    .filter(({ value, businessTime }) => value > 0 && !Number.isNaN(businessTime))
    .sort((a, b) => a.code.localeCompare(b.code) || a.businessTime - b.businessTime);
  for (const [at, price] of prices.entries()) {
    const before = prices[at - 1];
    if (before?.code === price.code && before.businessTime === price.businessTime && before.value !== price.value)
      distinguishing.conflict(before.line, price.line);
  }
  return distinguishing.questions(prices);
}
