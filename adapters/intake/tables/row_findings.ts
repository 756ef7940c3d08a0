import { type OpenQuestion, openQuestionsOf, type Unread } from "./open_questions.ts";

/** Counts of skipped rows and cells that are not mistakes, before the first row. */
export const NOTHING_SKIPPED = {
  /** Rows, or cells of wide tables, without a value. */
  withoutValue: 0,
  /** Rows with a sum or an average. */
  totals: 0,
  /** Opening prices that are not between high and low. They are not stored. */
  opens: 0,
  /** Rows without the wanted texts. */
  unwanted: 0,
};
export type Skipped = typeof NOTHING_SKIPPED;

/** Collects contradictions and questions of the rows of a file. */
export function createRowFindings(header: string) {
  const skipped: Skipped = { ...NOTHING_SKIPPED };
  /** Each question once, because a million rows may raise the same question. */
  const questions = new Map<string, OpenQuestion>();
  let contradiction: string | undefined;
  return {
    skipped,
    /** Counts a skipped row or cell, which has no records. */
    skip(kind: keyof Skipped): readonly never[] {
      skipped[kind]++;
      return [];
    },
    ask(question: OpenQuestion): void {
      const key = JSON.stringify([question.set, question.missing]);
      if (!questions.has(key)) questions.set(key, question);
    },
    /** Notes a contradiction that no answer can fix. Only the first contradiction is kept. */
    contradict(reason: string): void {
      contradiction ??= reason;
    },
    unread(settle: (question: OpenQuestion) => OpenQuestion): Unread | undefined {
      return contradiction === undefined
        ? openQuestionsOf(Array.from(questions.values(), settle), header)
        : { reason: contradiction };
    },
  };
}
