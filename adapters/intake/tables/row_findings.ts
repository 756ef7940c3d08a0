import { type OpenQuestion, openQuestionsOf, type Unread } from "./open_questions.ts";

/** Counts of skipped rows and cells that are not mistakes. */
export interface Skipped {
  /** Rows, or cells of wide tables, without a value. */
  withoutValue: number;
  /** Rows with a sum or an average. */
  totals: number;
  /** Opening prices that are not between high and low. They are not stored. */
  opens: number;
  /** Rows without the wanted texts. */
  unwanted: number;
}

export const NOTHING_SKIPPED: Readonly<Skipped> = { withoutValue: 0, totals: 0, opens: 0, unwanted: 0 };

/** Collects contradictions and questions of the rows of a file. */
export function createRowFindings(header: string) {
  const skipped: Skipped = { ...NOTHING_SKIPPED };
  /** Each question once, because a million rows may raise the same question. */
  const questions = new Map<string, OpenQuestion>();
  let contradiction: string | undefined;
  return {
    skipped,
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
