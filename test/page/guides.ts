import { readFileSync } from "node:fs";
import { ASSETS } from "../../core/mod.ts";

/** The languages of the guide. */
export const LANGUAGES = ["en", "fa"] as const;

/** The default settings of a server. */
export const DEFAULTS = {
  application: "mazaneh",
  assets: ASSETS,
  marketTimeZone: "Asia/Tehran",
  quotaTimeZone: "UTC",
  staleThresholdMinutes: 60,
  maxCandles: 10_000,
} as const;

/** The Markdown of a guide, as it is in the repository. */
export function guideSource(language: (typeof LANGUAGES)[number]): string {
  return readFileSync(`adapters/page/guide/${language}.md`, "utf8");
}

/** The sections of a guide. */
export function sectionsOf(language: (typeof LANGUAGES)[number]) {
  const parts = guideSource(language)
    .split(/^## .*? \{#(\w+)\}$/m)
    .slice(1);
  return Array.from({ length: parts.length / 2 }, (_, at) => ({ name: parts[at * 2]!, text: parts[at * 2 + 1]! }));
}

/** The code blocks in a text, without their fences. */
export function blocksOf(text: string) {
  return [...text.matchAll(/^```(\w+)\n(.*?)\n```$/gms)].map(([, language, code]) => ({
    language: language!,
    code: code!,
  }));
}

/** The inline code in a text, without code blocks. */
export function codeSpansOf(text: string): readonly string[] {
  return [...text.replace(/^```.*?^```$/gms, "").matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
}

/** The cells of each table in a text, with Western digits. Heading rows are left out. */
export function tablesOf(text: string): readonly (readonly (readonly string[])[])[] {
  const western = text
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replaceAll("٬", ",")
    .replace(/[`*]/g, "");
  return [...western.matchAll(/(?:^\|.*\n?)+/gm)].map(([table]) =>
    table
      .trim()
      .split("\n")
      .slice(2)
      .map((row) =>
        row
          .slice(1, -1)
          .split("|")
          .map((cell) => cell.trim()),
      ),
  );
}
