import type { TableAnswers } from "../../intake/tables/answers.ts";
import type { MissingPart, OpenQuestion, Unread } from "../../intake/tables/open_questions.ts";
import { dashed } from "../settings.ts";
import { shellWord } from "../store_options.ts";

/** The answers to the questions of an import: how to read its tables, and what to do with its values. */
export interface ImportAnswers extends TableAnswers {
  /** Whether the user has confirmed the summary. */
  readonly yes?: boolean;
  /** How suspicious values are stored. */
  readonly doubtful?: "accept" | "pending";
  /** Whether the last value counts if there are several values for one asset and time. */
  readonly lastWins?: boolean;
  /** Whether a value at the time `dayAt` replaces the other records of its day. */
  readonly replaceDays?: boolean;
}

/** A question of an import. */
export type ImportQuestion = OpenQuestion<ImportAnswers>;

/** The option for an answer, such as `--day-at` for `dayAt`. The option for `columns` is `--map`. */
export function optionNameOf(answer: keyof ImportAnswers): string {
  return answer === "columns" ? "--map" : `--${dashed(answer)}`;
}

/** The option that supplies a missing part. It has a word in capitals, which a person has to replace. */
function optionOfMissing(missing: MissingPart): string {
  if (typeof missing === "object") return `--where ${shellWord(`${missing.where}=TEXT`)}`;
  if (missing === "code") return "--code CODE";
  if (missing === "zone" || missing === "year" || missing === "day") return `--${missing} ${missing.toUpperCase()}`;
  return missing === "asset" ? "--map CODE=NAME" : `--map ${missing}=NAME`;
}

/** Answers as options of a command line, quoted for the shell, such as `--day-at 16:30`. */
export function optionsOf(answers: ImportAnswers): readonly string[] {
  return Object.entries(answers).flatMap(([name, value]: [string, unknown]) => {
    const option = optionNameOf(name as keyof ImportAnswers);
    if (value === undefined || value === false) return [];
    if (value === true) return [option];
    if (typeof value !== "object") return [`${option} ${shellWord(String(value))}`];
    return Object.entries(value ?? {}).map(([key, text]) => `${option} ${shellWord(`${key}=${String(text)}`)}`);
  });
}

/** The option that answers a question. If the option has a word in capitals, a person has to replace that word. */
export function optionOf({ set, missing }: ImportQuestion): string {
  return missing === undefined ? optionsOf(set).join(" ") : optionOfMissing(missing);
}

/** A question in one sentence. Names the option to use if the suggested answer is wrong. */
export function questionInWords({ reason, otherwise }: ImportQuestion): string {
  return otherwise === undefined ? reason : `${reason}; if not, add ${optionsOf(otherwise).join(" ")}`;
}

/** The reason why a file was not read, in one sentence. */
export function unreadInWords(why: Unread): string {
  if ("reason" in why) return why.reason;
  return why.questions.map((question) => `${question.reason}: say ${optionOf(question)}`).join("; ");
}
