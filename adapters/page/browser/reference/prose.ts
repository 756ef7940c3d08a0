import { h } from "../dom.ts";
import type { Child } from "../dom.ts";
import { addressOf } from "../places.ts";
import type { Language } from "../preferences.ts";
import { persianOf } from "./translations.ts";

/** A text of the document, with `code` between backticks. It is in English where there is no translation. */
export function prose(tag: "p" | "span" | "div" | "h1" | "h2", text: string, language: Language, className?: string): HTMLElement {
  const persian = language === "fa" ? persianOf(text) : undefined;
  const marks = persian === undefined ? { lang: "en", dir: "ltr" } : {};
  return h(tag, { ...marks, class: className }, ...withCode(persian ?? text));
}

/** A text in the page's language, with `code` between backticks and links to [parts of the guide](#clients). */
export function withCode(text: string): readonly Child[] {
  return text.split("`").map((part, at) => (at % 2 === 1 ? code(part) : withLinks(part)));
}

function withLinks(text: string): readonly Child[] {
  // Of the pieces, each third is a link's text, and the one after it the name of the part.
  const pieces = text.split(/\[([^\]]+)\]\(#(\w+)\)/);
  return pieces.map((piece, at) => (at % 3 === 0 ? piece : at % 3 === 1 && h("a", { href: addressOf("guide", pieces[at + 1]) }, piece)));
}

/** A name or value of a program: left to right in both languages. */
export function code(text: string, className?: string): HTMLElement {
  return h("code", { dir: "ltr", class: className }, text);
}
