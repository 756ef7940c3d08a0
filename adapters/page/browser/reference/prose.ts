import { h } from "../dom.ts";
import type { Child } from "../dom.ts";
import type { Language } from "../preferences.ts";
import { persianOf } from "./translations.ts";

/** A text of the document, with `code` between backticks. It is in English where there is no translation. */
export function prose(tag: "p" | "span" | "div" | "h1" | "h2", text: string, language: Language, className?: string): HTMLElement {
  const persian = language === "fa" ? persianOf(text) : undefined;
  const marks = persian === undefined ? { lang: "en", dir: "ltr" } : {};
  return h(tag, { ...marks, class: className }, ...withCode(persian ?? text));
}

/** A text in the page's language, with `code` between backticks. */
export function withCode(text: string): readonly Child[] {
  return text.split("`").map((part, at) => (at % 2 === 1 ? code(part) : part));
}

/** A name or value of a program: left to right in both languages. */
export function code(text: string, className?: string): HTMLElement {
  return h("code", { dir: "ltr", class: className }, text);
}
