import type { RequestFields } from "./messages.ts";

/** The elements of a field whose value is a comma-separated list. */
export function fieldElements(headers: RequestFields, name: string): string[] {
  const value = headers.get(name) ?? "";
  return value
    .split(",")
    .map((element) => element.trim())
    .filter((element) => element !== "");
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
