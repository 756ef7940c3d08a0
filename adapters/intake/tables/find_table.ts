import { ok } from "../../../core/internal.ts";
import { cleanText } from "./clean_text.ts";
import { numbered } from "./column_names.ts";
import { CSV_FAULTS } from "./csv_rows.ts";
import type { Layout } from "./describe_reading.ts";
import type { TableOptions } from "./detect_dialect.ts";
import { unitOfHeader, unitOfValue, unitOfWord } from "./detect_price_unit.ts";
import { parseEpoch } from "./epoch_and_serial_times.ts";
import { parseJsonLine } from "./json_rows.ts";
import { lacksPrices, type ReadResult, unread, unreadBecause } from "./open_questions.ts";
import { isMissing, parseNumber } from "./parse_numbers.ts";
import { type ColumnPlan, planColumns } from "./plan_columns.ts";
import { splitCsv } from "./split_fields.ts";
import type { SplitLine } from "./split_lines.ts";
import { createCsvTable, createObjectTable, type TableReader } from "./table_reader.ts";
import { chatInWords } from "./unreadable_shapes.ts";
import { parseWrittenTime } from "./written_time.ts";

/** A table, and the first of the sample's lines that it reads. */
export interface FoundTable {
  readonly table: TableReader<SplitLine>;
  readonly start: number;
}

/** Stands between the cells of a row in the text of a sheet. No cell has it. */
export const CELL_SEPARATOR = "\u001f";
const SEPARATORS: readonly (readonly [separator: string, layout: Layout])[] = [
  [",", "CSV"],
  [";", "CSV with semicolons"],
  ["\t", "CSV with tabs"],
  ["|", "CSV with bars"],
  ["،", "CSV with Persian commas"],
  ["؛", "CSV with Persian semicolons"],
  [CELL_SEPARATOR, "Excel"],
];
/** How many lines may be titles: spreadsheets have them above the header. */
const MAX_TITLE_LINES = 20;
/** The columns of Binance's files of candles. */
const KLINE = ["start", "open", "high", "low", "close", "", "end", "", "", "", "", ""];
/** Spreadsheets break long names of columns into lines, within quotes. */
const MAX_HEADER_LINES = 5;
const NOT_UTF8_ADVICE = '; spreadsheets save it as "CSV UTF-8"';

/** Finds the table in the first lines of a file, the first of which is not blank; the failure says why the file cannot be read. */
export function findTable(sample: readonly SplitLine[], options: TableOptions): ReadResult<FoundTable> {
  const [line] = sample;
  if (!line) return unread("it is empty");
  if ("fault" in line)
    return unread(
      `line ${line.number} should be the header: ${line.fault}${line.fault.endsWith("UTF-8 text") ? NOT_UTF8_ADVICE : ""}`,
    );
  if (line.text.includes("\0")) return unread(`it is not UTF-8 text${NOT_UTF8_ADVICE}`);
  if (!line.text.trimStart().startsWith("{")) return findCsv(sample, options);
  const objects = createObjectTable(
    sample.flatMap((other) => parseJsonLine(other) ?? []),
    "NDJSON",
    options,
  );
  if (!objects.ok) return objects;
  const table: TableReader<SplitLine> = {
    ...objects.value,
    read(other, records) {
      const item = parseJsonLine(other);
      if (item) objects.value.read(item, records);
    },
  };
  return ok({ table, start: 0 });
}

/** The first line that leaves nothing open, by any separator, is the header; else the one that looks most like it, which has the most fields. */
function findCsv(sample: readonly SplitLine[], options: TableOptions): ReadResult<FoundTable> {
  let best: ReadResult<FoundTable> = unread("it has no header");
  let mostFields = 0;
  const titles = [options.notes?.sheet ?? []].flat();
  for (const [at, line] of sample.slice(0, MAX_TITLE_LINES).entries()) {
    if ("fault" in line) continue;
    for (const [separator, layout] of SEPARATORS) {
      const text = headerFrom(sample.slice(at, at + MAX_HEADER_LINES), separator);
      const below = at + text.split("\n").length;
      const { names, units, plan } = readHeader(text, { separator, next: sample[below], options });
      // Above a table without a header, there are titles at most.
      const isFirst = titles.every((title) =>
        title
          .split(separator)
          .slice(1)
          .every((cell) => cell.trim() === ""),
      );
      const data = isFirst ? namesOfData(names, options) : undefined;
      const isHeader = plan.ok && plan.value.questions.length === 0;
      const fields = names.filter((name) => name !== "").length;
      if (!isHeader && !data && fields <= mostFields) continue;
      mostFields = fields;
      const header = data
        ? { plan: planColumns(data, options), start: at, number: 0, text: "", titles }
        : {
            plan,
            start: units === undefined ? below : below + 1,
            number: line.number,
            text,
            titles: [...titles, ...(units ?? [])],
          };
      const table = header.plan.ok
        ? createCsvTable({ ...header, layout, separator, plan: header.plan.value }, sample.slice(header.start), options)
        : header.plan;
      best = table.ok ? ok({ table: table.value, start: header.start }) : table;
      if (isHeader || data) return best;
    }
    titles.push(line.text);
  }
  if (best.ok || !lacksPrices(best.error)) return best;
  const lines = sample.flatMap((line) => ("text" in line && line.text.trim() !== "" ? [[line.text]] : []));
  return unreadBecause(chatInWords(lines.slice(0, MAX_TITLE_LINES)), best.error);
}

/** The names of the columns of a table without a header, by what is in the cells of its first row; `undefined` for a row that is none of data. */
function namesOfData(cells: readonly string[], { names: assets, code }: TableOptions): readonly string[] | undefined {
  if (cells.length > 10 && [0, 6].every((at) => parseEpoch(cells[at]!)) && cells.every((cell) => parseNumber(cell)))
    return KLINE;
  const kinds = cells.map((cell) => {
    const clean = cleanText(cell);
    if (isMissing(cell)) return "";
    const isAsset = assets.find(cell).codes.length > 0;
    if (!/\d/.test(clean) && unitOfWord(clean) && !(isAsset && code === undefined)) return "unit";
    if (/^\d\d?:\d\d(?::\d\d)?$/.test(clean)) return "time";
    if (parseWrittenTime(clean)) return "date";
    if (parseNumber(unitOfValue(cell)?.rest ?? cell)) return "value";
    return isAsset ? "asset" : undefined;
  });
  const countOf = (wanted: string): number => kinds.filter((kind) => kind === wanted).length;
  if (kinds.includes(undefined) || countOf("date") !== 1 || countOf("value") === 0) return undefined;
  return kinds.map((kind, at) => (kind && countOf(kind) > 1 ? `column ${at + 1}` : (kind ?? "")));
}

/** The header that begins with the first of these lines: that one, and those which its quotes enclose. */
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

/**
 * The columns of a header, with the units of the line below it where that has nothing else, those that contradict it apart; or
 * with that line's names, where those of the first are for several columns.
 */
function readHeader(
  text: string,
  {
    separator,
    next,
    options,
  }: { readonly separator: string; readonly next: SplitLine | undefined; readonly options: TableOptions },
): { readonly names: readonly string[]; readonly units?: readonly string[]; readonly plan: ReadResult<ColumnPlan> } {
  const fields = splitCsv(text, separator);
  if (!fields.ok) return { names: [text], plan: unread(`its header cannot be read: ${CSV_FAULTS[fields.error]}`) };
  const names = numbered(
    fields.value.map((name) =>
      name
        .trim()
        .replace(/(?<!\s)\s*\n\s*/g, " ")
        .replace(/\p{Cc}/gu, ""),
    ),
  );
  const cells =
    next && "text" in next
      ? next.text.split(separator).map((cell) => cell.replace(/^[\s"([]+/, "").replace(/(?<![\s")\]])[\s")\]]+$/, ""))
      : [];
  const units = cells.map((cell) => unitOfWord(cell));
  const isBelow = cells.length === names.length && !cells.some((cell) => /\d/.test(cleanText(cell)));
  const isShared = names.filter((name) => name !== "").length > 1;
  if (
    isBelow &&
    isShared &&
    names.some((name, at) => at > 0 && name === "" && names[at - 1] !== "" && cells[at] !== "")
  ) {
    const full = numbered(
      names.map((name, at) =>
        cells[at] === "" ? name : `${name || (names.slice(0, at).findLast(Boolean) ?? "")} ${cells[at]!}`.trim(),
      ),
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
