import { parseObject } from "../../../core/internal.ts";
import { isFields } from "./known_json_services.ts";
import type { RejectedRow } from "./record_columns.ts";
import type { SplitLine } from "./split_lines.ts";

/** An object of a file, or a rejected line. */
export type JsonItem = { readonly line: number; readonly object: Readonly<Record<string, unknown>> } | RejectedRow;

/** Limits the memory for names, because some files use data as keys of objects. */
const MAX_NAMES = 1_000;

/** The object of one line; `undefined` for a blank line. */
export function parseJsonLine(line: SplitLine): JsonItem | undefined {
  if ("fault" in line) return { line: line.number, reason: line.fault };
  if (line.text.trim() === "") return undefined;
  return toItem(line.number, parseObject(line.text));
}

/** The item for the value on a line or, in JSON, for an element of a list. */
export function toItem(line: number, value: unknown): JsonItem {
  return isFields(value) ? { line, object: value } : { line, reason: "line is not a JSON object" };
}

/** All names that objects use, each once. */
export function namesOf(items: readonly JsonItem[]): readonly string[] {
  const names = new Set<string>();
  for (const item of items)
    if ("object" in item) for (const name of Object.keys(item.object)) if (names.size < MAX_NAMES) names.add(name);
  return [...names];
}
