import type { RequestFields } from "./messages.ts";

/** A field value without the spaces and tabs around it; no other white space counts as a blank. Source: RFC 9110, 5.6.3. */
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

/** The elements of a field whose value is a comma-separated list. */
export function fieldElements(headers: RequestFields, name: string): string[] {
  const value = headers.get(name) ?? "";
  return value
    .split(",")
    .map(withoutBlanks)
    .filter((element) => element !== "");
}

/** The longest `Content-Type` that is read. */
const MAX_TYPE_LENGTH = 256;

/** The media type of a body in UTF-8, in lower case; empty for another charset, and where the field is absent or too long. */
export function utf8MediaType(headers: RequestFields): string {
  const value = headers.get("content-type") ?? "";
  if (value.length > MAX_TYPE_LENGTH) return "";
  const [type = "", ...parameters] = value.toLowerCase().split(";").map(withoutBlanks);
  return parameters.every(
    (parameter) => !parameter.startsWith("charset") || /^charset\s*=\s*"?utf-8"?$/.test(parameter),
  )
    ? type
    : "";
}

const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/**
 * The weights of what a field such as `Accept` names, in lower case. An element with an invalid weight is left out. Parameters are
 * not compared: an element that has some counts only where its name does not appear without any. Source: RFC 9110, 12.4.2.
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

/** The value of a field in a list of name, value, name, value. `name` in lower case; repeated values come with `, ` between them. */
export function valueOf(list: readonly string[], name: string): string | undefined {
  let value: string | undefined;
  for (let i = 0; i + 1 < list.length; i += 2) {
    const field = list[i]!;
    // The length tells most names apart, so that hardly any is put into lower case.
    if (field.length !== name.length || field.toLowerCase() !== name) continue;
    value = value === undefined ? list[i + 1]! : `${value}, ${list[i + 1]!}`;
  }
  return value;
}
