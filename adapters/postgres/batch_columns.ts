import { element, toStored } from "./text.ts";

/** A column of a batch. */
export interface Column {
  readonly array: string;
  /** The value of all rows as text, or `null` for none; `undefined` where they differ. */
  readonly constant: string | null | undefined;
}

/** A column of numbers. */
export function numberColumn(values: readonly (number | null)[]): Column {
  const [first = null] = values;
  if (values.every((value) => value === first)) return { array: repeated(String(first ?? "NULL"), values.length), constant: first === null ? null : String(first) };
  return { array: arrayOf(values.map((value) => value ?? "NULL")), constant: undefined };
}

/** A column of texts, as they are stored. */
export function textColumn(values: readonly (string | null)[]): Column {
  const [first = null] = values;
  if (values.every((value) => value === first)) {
    const stored = first === null ? null : toStored(first);
    return { array: repeated(element(stored), values.length), constant: stored };
  }
  // A batch has few different names and messages.
  const written = new Map<string | null, string>();
  const elements = values.map((value) => {
    let text = written.get(value);
    if (text === undefined) written.set(value, (text = element(value === null ? null : toStored(value))));
    return text;
  });
  return { array: arrayOf(elements), constant: undefined };
}

/** An array of SQL with this element only. */
export function repeated(text: string, length: number): string {
  return length === 0 ? "{}" : `{${`${text},`.repeat(length - 1)}${text}}`;
}

/** Elements as an array of SQL. */
export function arrayOf(elements: readonly (string | number)[]): string {
  return `{${elements.join(",")}}`;
}
