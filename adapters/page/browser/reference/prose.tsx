import type { ComponentChildren } from "preact";
import { usePage } from "../context.ts";
import { addressOf } from "../places.ts";
import { persianOf } from "./translations.ts";

/** A text of the document, with `code` between backticks. It is in English where there is no translation. */
export function Prose({ tag: Tag, text, class: look }: { readonly tag: "p" | "span" | "div" | "h1" | "h2"; readonly text: string; readonly class?: string }) {
  const { preferences } = usePage();
  const persian = preferences.language === "fa" ? persianOf(text) : undefined;
  return <Tag {...(persian === undefined && { lang: "en", dir: "ltr" })} class={look}>{withCode(persian ?? text)}</Tag>;
}

/** A text in the page's language, with `code` between backticks and links to [parts of the guide](#clients). */
export function withCode(text: string): ComponentChildren {
  return text.split("`").map((part, at) => (at % 2 === 1 ? <Code text={part} /> : withLinks(part)));
}

function withLinks(text: string): ComponentChildren {
  // Of the pieces, each third is a link's text, and the one after it the name of the part.
  const pieces = text.split(/\[([^\]]+)\]\(#(\w+)\)/);
  return pieces.map((piece, at) => (at % 3 === 0 ? piece : at % 3 === 1 && <a href={addressOf("guide", pieces[at + 1])}>{piece}</a>));
}

/** A name or value of a program: left to right in both languages. */
export function Code({ text, class: look }: { readonly text: string; readonly class?: string }) {
  return <code dir="ltr" class={look}>{text}</code>;
}
