import type { RequestFields } from "./messages.ts";

/** Removes spaces and tabs from both ends of a field value; keeps all other white space. Source: RFC 9110, 5.6.3. */
export function withoutBlanks(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && isBlank(value.charCodeAt(start))) start++;
  while (end > start && isBlank(value.charCodeAt(end - 1))) end--;
  return value.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** The elements of a field that is a comma-separated list. */
export function fieldElements(headers: RequestFields, name: string): string[] {
  const elements = (headers.get(name) ?? "").split(",").map(withoutBlanks);
  return elements.filter((element) => element !== "");
}

/** A longer `Content-Type` is ignored. */
const MAX_TYPE_LENGTH = 256;

/** The media type of a UTF-8 body, in lower case. Empty if the charset is another, or the field is absent or too long. */
export function utf8MediaType(headers: RequestFields): string {
  const value = headers.get("content-type") ?? "";
  if (value.length > MAX_TYPE_LENGTH) return "";
  const [type = "", ...parameters] = value.toLowerCase().split(";").map(withoutBlanks);
  const charsets = parameters.filter((parameter) => parameter.startsWith("charset"));
  return charsets.every((charset) => /^charset\s*=\s*"?utf-8"?$/.test(charset)) ? type : "";
}

const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/**
 * The weights in a field such as `Accept`, by name in lower case. Elements with an invalid weight are left out. An
 * element with parameters other than `q` counts only if no other element has the same name. Source: RFC 9110, 12.4.2.
 */
export function weightsOf(value: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const element of value.split(",")) {
    const [name = "", ...parameters] = element.toLowerCase().split(";").map(withoutBlanks);
    const given = parameters.find((parameter) => parameter.startsWith("q="));
    const weight = given === undefined ? "1" : WEIGHT.exec(given)?.[1];
    const isPlain = parameters.every((parameter) => parameter === given);
    if (weight !== undefined && (isPlain || !weights.has(name))) weights.set(name, Number(weight));
  }
  return weights;
}

/** The values of a field, joined with `, `. `list` has name, value, name, value; `name` is in lower case. */
export function valueOf(list: readonly string[], name: string): string | undefined {
  let value: string | undefined;
  for (let i = 0; i + 1 < list.length; i += 2) {
    const field = list[i]!;
    // Compares lengths first, so that most names need not be converted to lower case.
    if (field.length !== name.length || field.toLowerCase() !== name) continue;
    value = value === undefined ? list[i + 1]! : `${value}, ${list[i + 1]!}`;
  }
  return value;
}
