import type { Result } from "../../../core/mod.ts";

/** Something that a file leaves open, which an option of the command line decides. */
export interface Need {
  /**
   * The option with its value, ready to run: `--day-at 16:30`. What only the user can know is a word in capitals, as in
   * `--code CODE`.
   */
  readonly option: string;
  /** What is open, in one sentence that quotes the file. */
  readonly reason: string;
}

/** Why a file cannot be read: at all, or until options have decided what it leaves open. */
export type Unread = { readonly reason: string } | { readonly needs: readonly [Need, ...Need[]] };

/** What was found out about a file, or why it was not. */
export type Reading<T> = Result<T, Unread>;
