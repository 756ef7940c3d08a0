// JavaScript allows NUL and half a surrogate pair in a text. PostgreSQL does not, so both are escaped.

/** The characters that are escaped: a NUL, half a surrogate pair, and the backslash itself. */
const SPECIAL = /[\0\\]|\p{Surrogate}/gu;
const ESCAPE = /\\(\\|0|u[0-9a-f]{4})/g;

/** A text as it is stored, with a few characters escaped. Different texts stay different. */
export function toStored(text: string): string {
  return text.replace(SPECIAL, (unit) => {
    if (unit === "\\") return "\\\\";
    return unit === "\0" ? "\\0" : `\\u${unit.charCodeAt(0).toString(16)}`;
  });
}

/** The original of a stored text. */
export function fromStored(stored: string): string {
  if (!stored.includes("\\")) return stored;
  return stored.replace(ESCAPE, (_, escape: string) => {
    if (escape === "\\") return "\\";
    return escape === "0" ? "\0" : String.fromCharCode(parseInt(escape.slice(1), 16));
  });
}

/**
 * Parses JSON that PostgreSQL has made from rows, with stored texts.
 *
 * @param optional The members that are left out if they are `null`.
 */
export function fromJson<T>(text: string, optional: readonly string[]): T {
  return JSON.parse(text, (name, value: unknown) => {
    if (value === null && optional.includes(name)) return undefined;
    return typeof value === "string" ? fromStored(value) : value;
  }) as T;
}

/** A value in an SQL array. */
export type Element = string | number | null;

/** Values as an SQL array, for `$n::text::type[]`. Texts are escaped as by `toStored`. */
export function arrayOf(elements: readonly Element[]): string {
  return `{${elements.map(inArray).join(",")}}`;
}

function inArray(element: Element): string {
  if (element === null) return "NULL";
  if (typeof element === "number") return String(element);
  return PLAIN.test(element) ? element : `"${toStored(element).replace(/["\\]/g, "\\$&")}"`;
}

// The text NULL is quoted, because PostgreSQL would read it as a missing value.
const PLAIN = /^(?!null$)\w+$/i;
