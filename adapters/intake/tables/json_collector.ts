import { ok } from "../../../core/internal.ts";
import type { TableOptions } from "./detect_dialect.ts";
import { parseEpoch } from "./epoch_and_serial_times.ts";
import { type JsonItem, toItem } from "./json_rows.ts";
import { LISTS_WITHOUT_NAMES, rowsOfJson } from "./json_shapes.ts";
import { isFields } from "./known_json_services.ts";
import { findAsSuggested, type ReadResult, type Suggested } from "./open_questions.ts";
import { createObjectTable, type TableReader } from "./table_reader.ts";
import { withCandleColumns } from "./unnamed_columns.ts";
import { chatInWords, noteInWords } from "./unreadable_shapes.ts";
import { joinBytes, textOf } from "./utf8_text.ts";

type JsonTable = Suggested<{ readonly table: TableReader<JsonItem>; readonly rows: readonly unknown[] }>;

/** Enough for a million short records. Importing them takes about ten times as much memory. */
const MAX_JSON_BYTES = 64 * 1_048_576;
/** The deepest nesting of lists and objects that is searched for rows. */
export const MAX_DEPTH = 10;
const MAX_VALUES = 8_000_000;
const TOO_LARGE = "its JSON has more than 64 MB or 8,000,000 values: write one object a line, e.g. with jq -c '.[]'";
const SAMPLE_ITEMS = 20_000;
/** A line of a chat begins with a time, as in `[20/08/2026, 16:30] Ali: …`. */
const CHAT = /^\s*\[[^[\]{}"]*\]\s*[\p{L}~]/u;
const SAMPLE_LINES = 20;
const BYTE_ORDER_MARK = /^\ufeff/;
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Collects the bytes of JSON that must be parsed as a whole: an array, or one or several answers of a service. */
export function createJsonCollector(options: TableOptions, maxBytes = MAX_JSON_BYTES) {
  let chunks: Uint8Array[] = [];
  const ends: number[] = [];
  let [length, depth, count] = [0, 0, 0];
  let [isInText, isEscaped] = [false, false];

  /** Counts lists, objects and values before anything is parsed, because parsing ten million brackets takes 600 MB. */
  function measure(chunk: Uint8Array): string | undefined {
    if (length + chunk.length > maxBytes) return TOO_LARGE;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (isEscaped) isEscaped = false;
      else if (isInText) [isInText, isEscaped] = [byte !== QUOTE, byte === BACKSLASH];
      else if (byte === QUOTE) isInText = true;
      else if (byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT) {
        if (byte !== COMMA && ++depth > MAX_DEPTH) return `its JSON is more than ${MAX_DEPTH} lists or objects deep`;
        if (++count > MAX_VALUES) return TOO_LARGE;
      } else if ((byte === CLOSE_LIST || byte === CLOSE_OBJECT) && --depth === 0) ends.push(length + at + 1);
    }
    return undefined;
  }

  return {
    /** Collects the next bytes, or returns why they cannot be read. */
    push(chunk: Uint8Array): string | undefined {
      const reason = measure(chunk);
      length += chunk.length;
      if (reason === undefined) chunks.push(chunk);
      return reason;
    },
    /** Parses all bytes. Returns the reader of the table, and the rows to pass to `toItem`. */
    end(): JsonTable {
      const bytes = joinBytes(chunks);
      chunks = [];
      const values: unknown[] = [];
      try {
        for (const [at, end] of [...ends, bytes.length].entries()) {
          const text = textOf(bytes.subarray(ends[at - 1] ?? 0, end));
          if (text === undefined) return nothing("its JSON is not UTF-8 text");
          if (at < ends.length) values.push(JSON.parse(text.replace(BYTE_ORDER_MARK, "")));
          else if (text.trim() !== "") throw new SyntaxError("more text");
        }
      } catch {
        const text = textOf(bytes) ?? "";
        const chat = CHAT.test(text) ? chatInWords(text.split("\n", SAMPLE_LINES).map((line) => [line])) : undefined;
        return nothing(chat ?? "its JSON is damaged or incomplete; none of it was read");
      }
      const { form, rows, title, beside = [] } = rowsOfJson(values);
      if (rows.length === 0) return nothing(noteInWords(values[0]) ?? "its JSON is empty");
      const sample = rows.slice(0, SAMPLE_ITEMS).map((row, at) => toItem(at + 1, row));
      return findAsSuggested(options, (using) => {
        const named = form === LISTS_WITHOUT_NAMES ? withCandles(rows.slice(0, SAMPLE_ITEMS), using) : ok(using);
        if (!named.ok) return named;
        const table = createObjectTable(sample, form, { ...named.value, titles: [title ?? []].flat(), beside });
        return table.ok ? ok({ table: table.value, rows }) : table;
      });
    },
  };
}

/** For candles as plain lists without field names, adds the usual columns. CoinGecko's lists have five cells. */
function withCandles(rows: readonly unknown[], options: TableOptions): ReadResult<TableOptions> {
  const lists = rows.filter(isFields);
  const isEndPossible = !lists.some((row) => "6" in row) && lists.every((row) => parseEpoch(String(row["1"])));
  return withCandleColumns(lists.map(Object.values), { time: 0, first: 1, isEndPossible }, options);
}

function nothing(reason: string): Suggested<never> {
  return { found: undefined, why: { reason } };
}
