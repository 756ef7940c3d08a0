// The guide as Markdown: what stands in {{braces}} is filled in, here what is the same on every server, or its settings.
import { ERRORS } from "../../../core/mod.ts";
import type { ErrorCode } from "../../../core/mod.ts";
import { ERROR_ADVICE } from "./error_advice.ts";
import type { GuideLanguage } from "./error_advice.ts";

/** Puts the errors into a guide: a heading for each status, and below it each code with what to do. Made from the error table. */
export function withErrors(guide: string, language: GuideLanguage): string {
  return guide.replace("{{errors}}", () => errorsMarkdown(language));
}

function errorsMarkdown(language: GuideLanguage): string {
  const codes = Object.keys(ERRORS) as ErrorCode[]; // the keys are its type
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].sort((a, b) => a - b);
  return statuses.map((status) => `### ${status}\n\n${codes.filter((code) => ERRORS[code].status === status).map((code) => errorItem(code, language)).join("\n")}`).join("\n\n");
}

function errorItem(code: ErrorCode, language: GuideLanguage): string {
  const advice = ERROR_ADVICE[code][language];
  return `- \`${code}\`: ${language === "en" ? `${ERRORS[code].message}. ${advice}` : advice}`;
}
