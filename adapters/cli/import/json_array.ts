import { ok } from "../../../core/internal.ts";
import type { FormatOptions } from "./dialect.ts";
import { parseJsonArray } from "./json_rows.ts";
import type { JsonItem } from "./json_rows.ts";
import { unread } from "./needs.ts";
import type { Reading, Unread } from "./needs.ts";
import { createObjectTable } from "./table.ts";
import type { Table } from "./table.ts";

/** Collects the bytes of a JSON array, which is parsed as a whole. */
export interface ArrayCollector {
  /** Takes the next bytes; the failure says that there are too many. */
  push(chunk: Uint8Array): Unread | undefined;
  /** Parses all bytes; makes the table of the elements. */
  end(): Reading<{ readonly table: Table<JsonItem>; readonly items: readonly JsonItem[] }>;
}

/** A million short records. They take up some ten times as much memory while they are imported. */
const MAX_ARRAY_BYTES = 64 * 1_048_576;
const SAMPLE_ITEMS = 200;

/** Makes a collector. */
export function createArrayCollector(options: FormatOptions, maxBytes = MAX_ARRAY_BYTES): ArrayCollector {
  let chunks: Uint8Array[] = [];
  let length = 0;
  return {
    push(chunk) {
      length += chunk.length;
      if (length > maxBytes) chunks = [];
      else chunks.push(chunk);
      return length > maxBytes ? { reason: `its JSON array is larger than ${Math.floor(maxBytes / 1_048_576)} MB: write one object a line, e.g. with jq -c '.[]'` } : undefined;
    },
    end() {
      let text: string;
      try {
        text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
      } catch {
        return unread("its JSON array is not UTF-8 text");
      }
      const items = parseJsonArray(text);
      if (!items) return unread("its JSON array is damaged, or does not end; nothing of it was read");
      if (items.length === 0) return unread("its JSON array is empty");
      const table = createObjectTable(items.slice(0, SAMPLE_ITEMS), "JSON array", options);
      return table.ok ? ok({ table: table.value, items }) : table;
    },
  };
}
