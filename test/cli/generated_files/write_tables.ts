import { workbook } from "../../support/xlsx.ts";
import { zipOf } from "../../support/zip.ts";
import { windows1256 } from "../odd_files/odd_file.ts";
import type { Dialect } from "./dialects.ts";

/** A cell. `date` is a number of days, which a workbook shows as a date. */
export type Cell = string | number | { readonly date: number };
type Lines = readonly (readonly Cell[])[];

/** A table before it is written. `body` has the rows of data; `lines` also has header, title and notes. */
export interface Table {
  readonly name: string;
  readonly header: readonly string[] | undefined;
  readonly body: Lines;
  readonly lines: Lines;
}

/** Returns one file with these tables, as bytes and as a readable text. */
export function writeTables(
  { container, separator, encoding }: Dialect,
  name: string,
  tables: readonly Table[],
): { readonly name: string; readonly content: string | Uint8Array; readonly text: string } {
  const csvOf = ({ lines }: Table): string => lines.map((cells) => `${csvLine(cells, separator)}\n`).join("");
  const bytesOf = (table: Table): string | Uint8Array => encoded(csvOf(table), encoding);
  const [first] = tables;
  if (container === "workbook" || container.startsWith("sheets")) {
    const sheets = Object.fromEntries(tables.map((table) => [table.name, table.lines]));
    return { name: `${name}.xlsx`, content: workbook(sheets), text: JSON.stringify(sheets) };
  }
  if (container.startsWith("archive")) {
    const members = tables.map((table) => ({ name: `${table.name}.csv`, content: bytesOf(table) }));
    const text = tables.map((table) => `${table.name}.csv\n${csvOf(table)}`).join("\n");
    return { name: `${name}.zip`, content: zipOf(members), text };
  }
  if (container === "csv") return { name: `${name}.csv`, content: bytesOf(first!), text: csvOf(first!) };
  const json = jsonOf(container, first!);
  return { name: `${name}.json`, content: json, text: json };
}

function csvLine(cells: readonly Cell[], separator: string): string {
  return cells
    .map((cell) => String(plain(cell)))
    .map((text) => (text.includes(separator) ? `"${text}"` : text))
    .join(separator);
}

function jsonOf(container: Dialect["container"], { header, body }: Table): string {
  const rows = body.map((cells) => cells.map(plain));
  const items = rows.map((cells) => (header ? Object.fromEntries(header.map((name, at) => [name, cells[at]])) : cells));
  const pairs = rows.map((cells) => [cells[0], cells.at(-1)]);
  const columns = ["t", "o", "h", "l", "c"].map((name, at) => [name, rows.map((cells) => cells[at])]);
  const contents: Readonly<Record<string, unknown>> = {
    json: items,
    "json {data}": { status: "ok", data: items },
    "json {result: {items}}": { result: { count: items.length, items } },
    "json by day": Object.fromEntries(pairs),
    "prices of CoinGecko": { prices: pairs, market_caps: [], total_volumes: [] },
    "candles of TradingView": { s: "ok", ...Object.fromEntries(columns) },
  };
  return (container === "ndjson" ? items : [contents[container]]).map((one) => `${JSON.stringify(one)}\n`).join("");
}

function plain(cell: Cell): string | number {
  return typeof cell === "object" ? Number(cell.date.toFixed(8)) : cell;
}

function encoded(text: string, encoding: Dialect["encoding"]): string | Uint8Array {
  if (encoding === "utf-8 with BOM") return `\ufeff${text}`;
  if (encoding.startsWith("utf-16")) return Buffer.from(encoding === "utf-16" ? text : `\ufeff${text}`, "utf16le");
  // Windows-1256 has no Persian digits, and no Persian marks for decimals or thousands.
  return encoding === "windows-1256" && !/[۰-۹٠-٩٫٬]/.test(text) ? windows1256(text) : text;
}
