import { err } from "../../../core/internal.ts";
import type { Result } from "../../../core/mod.ts";
import { joinAnswers, readAnswers, type TableAnswers } from "./answers.ts";
import type { TableOptions } from "./detect_dialect.ts";
import type { Column } from "./record_columns.ts";

/** Something that a file leaves open. */
export interface OpenQuestion<Answers extends object = TableAnswers> {
  /** The answer that is suggested, with which the file can be read again; empty where only a person can know it. */
  readonly set: Answers;
  /** What is right where the suggestion is not. */
  readonly otherwise?: Answers;
  /** What is missing, where nothing in the file suggests it. */
  readonly missing?: MissingPart;
  /** What is open, in one sentence that quotes the file. */
  readonly reason: string;
}

/** What a table does not have: a column, `asset` for one of prices, or an answer about all rows; or, of a column that tells prices apart, the text whose rows are wanted. */
export type MissingPart = Column | "asset" | "zone" | "year" | "day" | { readonly where: string };

/** Why a file cannot be read: at all, or until what it leaves open is answered. */
export type Unread =
  | { readonly reason: string }
  | { readonly questions: readonly [OpenQuestion, ...OpenQuestion[]]; readonly header?: string };

/** What was found out about a file, or why it was not. */
export type ReadResult<T> = Result<T, Unread>;

/** The failure of a file that no answer mends. */
export function unread(reason: string): Result<never, Unread> {
  return err({ reason });
}

/** The failure of a file that no answer mends for this reason, if there is one; else as it is. */
export function unreadBecause(reason: string | undefined, why: Unread): Result<never, Unread> {
  return err(reason === undefined ? why : { reason });
}

/** Whether nothing in a file looks like prices. */
export function lacksPrices(why: Unread): boolean {
  return "questions" in why && why.questions.some(({ missing }) => missing === "value");
}

/** What is open of a file with this header, if anything is: each answer once. */
export function openQuestionsOf(questions: readonly OpenQuestion[], header: string): Unread | undefined {
  const keys = questions.map(({ set, missing }) => JSON.stringify([set, missing]));
  const [first, ...others] = questions.filter((_, at) => keys.indexOf(keys[at]!) === at);
  return first && { questions: [first, ...others], header };
}

/** Whether rows further down may decide what is open, or show that the suggestion is none. */
export function isOpenToRows(why: Unread): boolean {
  return (
    "questions" in why && why.questions.some(({ set }) => set.dateOrder ?? set.decimal ?? set.interval ?? set.zone)
  );
}

/** What both leave open; a failure that no answer mends stands alone. */
export function joinUnread(first: Unread | undefined, second: Unread | undefined): Unread | undefined {
  if (!first || !second) return first ?? second;
  if (!("questions" in first)) return first;
  if (!("questions" in second)) return second;
  return { ...first, questions: [...first.questions, ...second.questions] };
}

/** What was found, if anything was, and what is open of it. */
export interface Suggested<T> {
  readonly found: T | undefined;
  readonly why: Unread | undefined;
}

/** One answer may show another question. */
const MOST_ROUNDS = 4;

/** Finds something by the options; where that leaves questions open, by the answers that are suggested. Where these cannot work, nothing is found. */
export function findAsSuggested<T>(
  options: TableOptions,
  find: (options: TableOptions) => ReadResult<T>,
): Suggested<T> {
  let [using, why] = [options, undefined as Extract<Unread, { readonly header?: string }> | undefined];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const found = find(using);
    if (found.ok) return { found: found.value, why };
    if (!("questions" in found.error)) return { found: undefined, why: found.error };
    const [first, ...others] = [...(why?.questions ?? []), ...found.error.questions];
    why = { ...found.error, questions: [first!, ...others] };
    if (why.questions.some(({ missing }) => missing !== undefined)) break;
    const answers = joinAnswers(options.answers, ...why.questions.map(({ set }) => set));
    const read = readAnswers(answers, options.context);
    if (!read.ok) break;
    using = { ...options, ...read.value };
  }
  return { found: undefined, why };
}
