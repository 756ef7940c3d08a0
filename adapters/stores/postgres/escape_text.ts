// PostgreSQL takes every text but one with a NUL, or with half a surrogate pair, which UTF-8 cannot write either. Both are
// valid in JavaScript, and come back as they were.

/** What is written as an escape: a NUL, half a surrogate pair, and the backslash itself. */
const SPECIAL = /[\0\\]|\p{Surrogate}/gu;
const ESCAPE = /\\(\\|0|u[0-9a-f]{4})/g;

/** A text as it is stored: itself, but for the few characters that are escaped. Different texts stay different. */
export function toStored(text: string): string {
  return text.replace(SPECIAL, (unit) => {
    if (unit === "\\") return "\\\\";
    return unit === "\0" ? "\\0" : `\\u${unit.charCodeAt(0).toString(16)}`;
  });
}

/** The text that was stored. */
export function fromStored(stored: string): string {
  if (!stored.includes("\\")) return stored;
  return stored.replace(ESCAPE, (_, escape: string) => {
    if (escape === "\\") return "\\";
    return escape === "0" ? "\0" : String.fromCharCode(parseInt(escape.slice(1), 16));
  });
}

/** Texts as one value of a statement, for `$n::text::text[]`. They are stored as they are. */
export function textArray(texts: readonly (string | null)[]): string {
  return `{${texts.map(element).join(",")}}`;
}

function element(text: string | null): string {
  if (text === null) return "NULL";
  return PLAIN.test(text) ? text : `"${text.replace(/["\\]/g, "\\$&")}"`;
}

// Not NULL, which would be read as no text at all.
const PLAIN = /^(?!null$)\w+$/i;
