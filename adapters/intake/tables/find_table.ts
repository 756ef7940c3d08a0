import { ok } from "../../../core/internal.ts";
import { cleanText } from "./clean_text.ts";
import { numbered } from "./column_names.ts";
import { CSV_FAULTS } from "./csv_rows.ts";
import type { TableOptions } from "./detect_dialect.ts";
import { unitOfHeader, unitOfWord } from "./detect_price_unit.ts";
import { parseJsonLine } from "./json_rows.ts";
import { lacksPrices, type ReadResult, unread, unreadBecause } from "./open_questions.ts";
import { type ColumnPlan, planColumns } from "./plan_columns.ts";
import { splitCsv } from "./split_fields.ts";
import type { SplitLine } from "./split_lines.ts";
import { createCsvTable, createObjectTable, type TableReader } from "./table_reader.ts";
import { findUnnamedColumns, type UnnamedColumns, withCandleColumns } from "./unnamed_columns.ts";
import { chatInWords } from "./unreadable_shapes.ts";

/** A table, and the number of lines above its first row. */
type FoundTable = { readonly table: TableReader<SplitLine>; readonly start: number };

/** Separates the cells of a row in the text of a sheet. No cell contains this character. */
export const CELL_SEPARATOR = "\u001f";
const SEPARATORS: readonly (readonly [separator: string, layout: string])[] = [
  [",", "CSV"],
  [";", "CSV with semicolons"],
  ["\t", "CSV with tabs"],
  ["|", "CSV with bars"],
  ["،", "CSV with Persian commas"],
  ["؛", "CSV with Persian semicolons"],
  [CELL_SEPARATOR, "Excel"],
];
const MAX_TITLE_LINES = 20;
const ROWS_OF_CANDLES = 200;
const INDEX_NAME = /^date(?:time)?$/i;
/** Spreadsheets write a long column name in quotes and on several lines. */
const MAX_HEADER_LINES = 5;
const NOT_UTF8_ADVICE = '; spreadsheets save it as "CSV UTF-8"';

/** Finds the table in the first lines of a file. The first line must not be blank. */
export function findTable(sample: readonly SplitLine[], options: TableOptions): ReadResult<FoundTable> {
  const [line] = sample;
  if (!line) return unread("it is empty");
  if ("fault" in line)
    return unread(
      `line ${line.number} should be the header: ${line.fault}${line.fault.endsWith("UTF-8 text") ? NOT_UTF8_ADVICE : ""}`,
    );
  if (line.text.includes("\0")) return unread(`it is not UTF-8 text${NOT_UTF8_ADVICE}`);
  if (!line.text.trimStart().startsWith("{")) return findCsv(sample, options);
  const items = sample.flatMap((other) => parseJsonLine(other) ?? []);
  const objects = createObjectTable(items, "NDJSON", options);
  if (!objects.ok) return objects;
  const read = (other: SplitLine) => {
    const item = parseJsonLine(other);
    return item ? objects.value.read(item) : [];
  };
  return ok({ table: { ...objects.value, read }, start: 0 });
}

/** The header is the first line that raises no questions with some separator, else the line with the most fields. */
function findCsv(sample: readonly SplitLine[], options: TableOptions): ReadResult<FoundTable> {
  let best: ReadResult<FoundTable> = unread("it has no header");
  let mostFields = -1;
  /** The place of a line with the units for the header above it. */
  let ofUnits = -1;
  const titles = [options.notes?.sheet ?? []].flat();
  for (const [at, line] of sample.slice(0, MAX_TITLE_LINES).entries()) {
    if ("fault" in line) continue;
    for (const [separator, layout] of at === ofUnits ? [] : SEPARATORS) {
      const text = headerFrom(sample.slice(at, at + MAX_HEADER_LINES), separator);
      const end = at + text.split("\n").length;
      const [index, lines] = findIndexName(sample.slice(end - 1, end + 2), separator) ?? [undefined, 0];
      const below = end + lines;
      const header = index === undefined ? text : [index, ...text.split(separator).slice(1)].join(separator);
      const { names, units, plan } = readHeader(header, { separator, next: sample[below], options });
      // Only titles of one cell may be above a table without a header.
      const isFirst = titles.every((title) => title.split(separator).slice(1).join("").trim() === "");
      const cells = splitCsv(line.text, separator);
      const data = cells.ok ? findUnnamedColumns(cells.value, options) : undefined;
      if (data && !isFirst) continue;
      // If the day is given, a header needs no time, so a title may look like a header.
      const isHeader = !data && plan.ok && plan.value.questions.length === 0 && options.day === undefined;
      // A row such as `1,903,000` has more parts than its real header has fields.
      const fields = names.filter((name) => name !== "" && !/^\p{Nd}/u.test(name.trim())).length;
      if (units && fields > 1 && areUnits(sample[below], separator)) ofUnits = below;
      if (!isHeader && !data?.isSure && fields <= mostFields) continue;
      mostFields = fields;
      const start = units === undefined ? below : below + 1;
      const unnamed = data && planUnnamed(data, sample.slice(at), { separator, options });
      const found = unnamed
        ? { plan: unnamed, start: at, headerLine: 0, text: "", titles }
        : { plan, start, headerLine: line.number, text, titles: [...titles, ...(units ?? [])] };
      const table = found.plan.ok
        ? createCsvTable({ ...found, layout, separator, plan: found.plan.value }, sample.slice(found.start), options)
        : found.plan;
      best = table.ok ? ok({ table: table.value, start: found.start }) : table;
      if (isHeader || data?.isSure) return best;
    }
    titles.push(line.text);
  }
  if (best.ok || !lacksPrices(best.error)) return best;
  const lines = sample.flatMap((line) => ("text" in line && line.text.trim() !== "" ? [[line.text]] : []));
  return unreadBecause(chatInWords(lines.slice(0, MAX_TITLE_LINES)), best.error);
}

/** Plans the columns of a table without a header. The rows may be candles. */
function planUnnamed(
  { names, prices }: UnnamedColumns,
  sample: readonly SplitLine[],
  { separator, options }: Omit<HeaderContext, "next">,
): ReadResult<ColumnPlan> {
  const rows = sample.slice(0, ROWS_OF_CANDLES).flatMap((line) => {
    const cells = "text" in line ? splitCsv(line.text, separator) : undefined;
    return cells?.ok ? [cells.value] : [];
  });
  const using = prices ? withCandleColumns(rows, prices, options) : ok(options);
  return using.ok ? planColumns(names, using.value) : using;
}

function areUnits(line: SplitLine | undefined, separator: string): boolean {
  const cells = line && "text" in line ? line.text.split(separator) : [];
  return cells.every((cell) => cell.trim() === "" || unitOfWord(cell));
}

/** Finds a first column's name that pandas wrote below the header, as in `Date,,,`, and its distance in lines. */
function findIndexName([header, ...below]: readonly SplitLine[], separator: string): [string, number] | undefined {
  const cellsOf = (line: SplitLine | undefined): string[] => (line && "text" in line ? line.text.split(separator) : []);
  const at = below.findIndex((line) => INDEX_NAME.test(cellsOf(line).join("")));
  const [name = "", ...others] = cellsOf(below[at]);
  // With several tickers, the names in a header repeat.
  return name !== "" && new Set(cellsOf(header)).size > others.length ? [name, at + 1] : undefined;
}

/** Returns the header that begins on the first line. The header continues on the next line while a quote is open. */
function headerFrom(lines: readonly SplitLine[], separator: string): string {
  const texts: string[] = [];
  for (let [at, isOpen] = [0, true]; isOpen && at < lines.length; at++) {
    const line = lines[at]!;
    if ("fault" in line) break;
    texts.push(line.text);
    const fields = splitCsv(texts.join("\n"), separator);
    isOpen = !fields.ok && fields.error === "OPEN_QUOTE";
  }
  return texts.join("\n");
}

type HeaderContext = Readonly<{ separator: string; next: SplitLine | undefined; options: TableOptions }>;

/**
 * Reads the columns of a header. If the next line has only units, these are added to the names, and `units` are the
 * units that contradict the names. If the next line continues the names, it is joined to them, and `units` is empty.
 */
function readHeader(
  text: string,
  { separator, next, options }: HeaderContext,
): { readonly names: readonly string[]; readonly plan: ReadResult<ColumnPlan>; readonly units?: readonly string[] } {
  const fields = splitCsv(text, separator);
  if (!fields.ok) return { names: [text], plan: unread(`its header cannot be read: ${CSV_FAULTS[fields.error]}`) };
  const onOneLine = (name: string): string => name.trim().replace(/(?<!\s)\s*\n\s*/g, " ");
  const names = numbered(fields.value.map((name) => onOneLine(name).replace(/\p{Cc}/gu, "")));
  const below = next && "text" in next ? next.text.split(separator) : [];
  const cells = below.map((cell) => cell.replace(/^[\s"([]+/, "").replace(/(?<![\s")\]])[\s")\]]+$/, ""));
  const units = cells.map((cell) => unitOfWord(cell));
  const isBelow = cells.length === names.length && !cells.some((cell) => /\d/.test(cleanText(cell)));
  const isShared = names.some((name, at) => at > 0 && name === "" && names[at - 1] !== "" && cells[at] !== "");
  if (isBelow && isShared && names.filter((name) => name !== "").length > 1) {
    const sharedName = (at: number): string => names.slice(0, at + 1).findLast(Boolean) ?? "";
    const full = numbered(
      names.map((name, at) => (cells[at] === "" ? name : `${sharedName(at)} ${cells[at]!}`.trim())),
    );
    return { names: full, units: [], plan: planColumns(full, options) };
  }
  if (!isBelow || !units.some(Boolean) || cells.some((cell, at) => cell !== "" && !units[at]))
    return { names, plan: planColumns(names, options) };
  const isOther = (at: number): boolean =>
    units[at] !== undefined && (unitOfHeader(names[at]!)?.unit ?? units[at])!.name !== units[at].name;
  const full = names.map((name, at) => (units[at] && !unitOfHeader(name) ? `${name} (${cells[at]!})` : name));
  return { names, units: cells.filter((_, at) => isOther(at)), plan: planColumns(full, options) };
}
