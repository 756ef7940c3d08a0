import { ADVICE } from "../built_files.ts";

/** The languages of the documentation. */
export type GuideLanguage = "en" | "fa";

/** What is wrong and what to do, with `code` between backticks and links to `#parts` of the guide. */
export function errorText({ code, message }: { readonly code: string; readonly message: string }, language: GuideLanguage): string {
  const [english, persian] = ADVICE[code]!; // a test finds a code of the error table without its row
  return language === "fa" ? persian : `${message}. ${english}`;
}
