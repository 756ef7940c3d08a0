import { err } from "../../../core/internal.ts";
import type { Result } from "../../../core/mod.ts";
import { joinAnswers, readAnswers, type TableAnswers } from "./answers.ts";
import type { TableOptions } from "./detect_dialect.ts";
import type { Column } from "./record_columns.ts";

/** A question that only the user of a file can answer. */
export interface OpenQuestion<Answers extends object = TableAnswers> {
  /** The suggested answer, with which the file can be read again; empty without a suggestion. */
  readonly set: Answers;
  /** The right answer if the suggestion is wrong. */
  readonly otherwise?: Answers;
  /** The missing part, if there is no suggestion. */
  readonly missing?: MissingPart;
  /** The question in one sentence that quotes the file. */
  readonly reason: string;
}

/** A missing part: a column, a column of prices (`asset`), an answer about all rows, or the wanted text of a column. */
export type MissingPart = Column | "asset" | "zone" | "year" | "day" | { readonly where: string };

/** Why a file cannot be read, either at all or until its open questions are answered. */
export type Unread =
  | { readonly reason: string }
  | { readonly questions: readonly [OpenQuestion, ...OpenQuestion[]]; readonly header?: string };

/**
 * Why a cell cannot be read, with the question that the user can answer, if any. `isContradiction`: the cell contradicts
 * others of the file, or would be valid if day and month were swapped.
 */
export type CellFault = Pick<OpenQuestion, "reason"> & Partial<OpenQuestion> & { readonly isContradiction?: true };

/** A finding about a file, or why the file cannot be read. */
export type ReadResult<T> = Result<T, Unread>;

/** Fails for a reason that no answer can fix. */
export function unread(reason: string): Result<never, Unread> {
  return err({ reason });
}

/** Fails with `reason` or, if `reason` is `undefined`, with `why`. */
export function unreadBecause(reason: string | undefined, why: Unread): Result<never, Unread> {
  return err(reason === undefined ? why : { reason });
}

/** Whether a file seems to have no prices. */
export function lacksPrices(why: Unread): boolean {
  return "questions" in why && why.questions.some(({ missing }) => missing === "value");
}

/** The failure with these questions, if there are any. Questions that one answer settles are asked once. */
export function openQuestionsOf(questions: readonly OpenQuestion[], header: string): Unread | undefined {
  const keys = questions.map(({ set, missing }) => JSON.stringify([set, missing]));
  const [first, ...others] = questions.filter((_, at) => keys.indexOf(keys[at]!) === at);
  return first && { questions: [first, ...others], header };
}

/** Whether more rows may answer a question, or contradict its suggestion. */
export function isOpenToRows(why: Unread): boolean {
  if (!("questions" in why)) return false;
  return why.questions.some(({ set }) => set.dateOrder ?? set.decimal ?? set.interval ?? set.zone);
}

/** Joins the questions of two failures; a failure that no answer can fix is returned alone. */
export function joinUnread(first: Unread | undefined, second: Unread | undefined): Unread | undefined {
  if (!first || !second) return first ?? second;
  if (!("questions" in first)) return first;
  if (!("questions" in second)) return second;
  return { ...first, questions: [...first.questions, ...second.questions] };
}

/** The findings with the suggested answers, if any, and the open questions or the failure. */
export type Suggested<T> = { readonly found: T | undefined; readonly why: Unread | undefined };

/** The maximum number of searches. Several can be necessary, because each answer may raise another question. */
const MOST_ROUNDS = 4;

/** Searches with these options and, if questions are open, again with the suggested answers. */
export function findAsSuggested<T>(
  options: TableOptions,
  find: (options: TableOptions) => ReadResult<T>,
): Suggested<T> {
  let using = options;
  let why: Extract<Unread, { readonly header?: string }> | undefined;
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
