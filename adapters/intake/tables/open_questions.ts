import { err } from "../../../core/internal.ts";
import type { Result } from "../../../core/mod.ts";

/** Something that a file leaves open, which an option of the command line decides. */
export interface OpenQuestion {
  /**
   * The option with its value, ready to run: `--day-at 16:30`. What only the user can know is a word in capitals, as in
   * `--code CODE`.
   */
  readonly option: string;
  /** What is open, in one sentence that quotes the file. */
  readonly reason: string;
}

/** Why a file cannot be read: at all, or until options have decided what it leaves open. */
export type Unread =
  | { readonly reason: string }
  | { readonly questions: readonly [OpenQuestion, ...OpenQuestion[]]; readonly header?: string };

/** What was found out about a file, or why it was not. */
export type ReadResult<T> = Result<T, Unread>;

/** The failure of a file that no option mends. */
export function unread(reason: string): Result<never, Unread> {
  return err({ reason });
}

/** What is open of a file with this header, if anything is: each option once. */
export function openQuestionsOf(questions: readonly OpenQuestion[], header: string): Unread | undefined {
  const [first, ...others] = questions.filter(
    ({ option }, at) => questions.findIndex((other) => other.option === option) === at,
  );
  return first && { questions: [first, ...others], header };
}

/** Whether rows further down may decide what is open. */
export function isOpenToRows(why: Unread): boolean {
  return "questions" in why && why.questions.some(({ option }) => /^--(?:date-order|decimal|interval) /.test(option));
}

/** Why something was not read, in one sentence, with the option that helps if there is one. */
export function inWords({ reason, option }: { readonly reason: string; readonly option?: string }): string {
  return option === undefined ? reason : `${reason}: say ${option}`;
}

/** Why a file was not read, in one sentence. */
export function unreadInWords(why: Unread): string {
  return "reason" in why ? why.reason : why.questions.map(inWords).join("; ");
}
