import { gzipSync } from "node:zlib";
import { createZone, dayNumber } from "../../../core/internal.ts";
import type { CalendarDate } from "../../../core/mod.ts";
import { repeated, unescaped, words } from "../../support/transcript.ts";
import { serial, type WorkbookCell, workbook } from "../../support/xlsx.ts";
import { zipOf } from "../../support/zip.ts";

/**
 * A realistic file, and the outcome of its import. This is a case of the corpus, the files `*.txt` beside this one:
 *
 * ```
 * $ import morning.csv evening.csv --code USD_RLS --day-at 16:30
 * date,price\n2026-08-19,1903000
 * --- evening.csv
 * date,price\n2026-08-20,1907000
 * => USD_RLS: 19=1903000 20=1907000
 * ```
 *
 * - The command may end with the encoding of the file, such as `# windows-1256`.
 * - In the lines of the file, `\n`, `\r`, `\t` and `\u200f` are escapes. `*250 text` repeats a line 250 times. Values
 *   in braces grow from line to line: `{1500000+1000}`, `{2026-01-01T13:00:00Z+1d}`.
 * - `--- name` begins the next file, the next file in an archive, or the next sheet of a workbook. `--- stored` begins
 *   records that are in the store before the import.
 * - `=>` begins the outcome: the stored records. `partly` means exit code 65, because lines were refused. `asked` means
 *   exit code 65, and records that only the printed command stores. `refused` means that nothing is stored. The
 *   printed lines are below the outcome. `MAZANEH_UPDATE=1` rewrites only the printed lines.
 * - A line with `===` begins the files that only the nightly run imports: they take the same branches of the code as
 *   the files above it.
 */
export interface OddFile {
  /** The first line of the case in the corpus. */
  readonly at: number;
  readonly isNightly: boolean;
  readonly files: readonly { readonly name: string; readonly bytes: string | Uint8Array }[];
  /** The records that are in the store before the import. */
  readonly before: string | undefined;
  readonly options: string;
  /** `stored` and `partly`: the import itself stores the records. `asked`: the printed command stores the records. */
  readonly outcome: "stored" | "partly" | "asked" | "refused";
  /** The expected records, in the form that `truthOf` reads. */
  readonly truth: string;
  /** The lines that the import prints about the files; empty if the case does not list them. */
  readonly notes: readonly string[];
  /** The index of the line with the outcome in the corpus. */
  readonly outcomeAt: number;
}

const TEHRAN = createZone("Asia/Tehran");

type Part = { readonly name: string; readonly lines: string[] };

/** The lines of the outcome, followed by the printed notes. */
export function outcomeLines(
  { outcome, truth }: OddFile,
  [first = "", ...notes]: readonly string[],
): readonly string[] {
  if (outcome === "refused") return [`=> refused: ${first}`, ...notes];
  const lines = [first, ...notes].filter((line) => line !== "");
  return [(outcome === "stored" ? `=> ${truth}` : `=> ${outcome} ${truth}`).trimEnd(), ...lines];
}

/** The cases of a file of the corpus. */
export function casesOf(text: string): readonly OddFile[] {
  const lines = text.trimEnd().split("\n");
  const starts = lines.flatMap((line, at) => (/^(?:\$ import|===) /.test(line) ? [at] : []));
  let isNightly = false;
  return starts.flatMap((start, i) => {
    isNightly ||= lines[start]!.startsWith("===");
    return lines[start]!.startsWith("$") ? { ...oddFile(lines.slice(start, starts[i + 1]), start + 1), isNightly } : [];
  });
}

function oddFile([command = "", ...lines]: readonly string[], at: number): Omit<OddFile, "isNightly"> {
  const [, given = "", encoding = ""] = /^\$ import (.*?)(?: +# (\S+))?$/.exec(command) ?? [];
  const end = lines.findIndex((line) => /^=>( |$)/.test(line));
  if (end < 0) throw new Error(`The case at line ${at} has no outcome`);
  const [, outcome = "stored", rest = ""] = /^=> (partly|asked|refused)?:? ?(.*)$/.exec(lines[end] ?? "") ?? [];
  const parts: Part[] = [{ name: "", lines: [] }];
  for (const line of lines.slice(0, end)) {
    const [, name] = /^--- (.*)$/.exec(line) ?? [];
    if (name !== undefined) parts.push({ name, lines: [] });
    else parts.at(-1)!.lines.push(...repeated(line));
  }
  const before = parts.find(({ name }) => name === "stored");
  const used = parts.filter((part) => part !== before && (part.name !== "" || part.lines.length > 0));
  const names = words(given.split(" --")[0]!);
  const after = lines.slice(end + 1);
  const last = after.findIndex((line) => line === "" || line.startsWith("# "));
  const notes = after.slice(0, last < 0 ? after.length : last);
  const isRefused = outcome === "refused";
  return {
    ...{
      at,
      before: before && textOf(before.lines),
      outcome: outcome as OddFile["outcome"],
      truth: isRefused ? "" : rest,
    },
    files: names.map((name, i) => ({
      name,
      bytes: names.length > 1 ? textOf(used[i]!.lines) : bytesOf(name, encoding, used),
    })),
    options: /--.*/.exec(given)?.[0] ?? "",
    notes: isRefused && rest !== "" ? [rest, ...notes] : notes,
    outcomeAt: at + end,
  };
}

function textOf(lines: readonly string[]): string {
  return unescaped(lines.join("\n"));
}

function bytesOf(name: string, encoding: string, parts: readonly Part[]): string | Uint8Array {
  if (name.endsWith(".zip")) return zipOf(parts.map((part) => ({ name: part.name, content: textOf(part.lines) })));
  if (name.endsWith(".xlsx")) return workbookOf(parts);
  const text = parts.map(({ lines }) => textOf(lines)).join("\n");
  if (encoding === "windows-1256") return windows1256(text);
  if (encoding === "utf-16le") return Buffer.from(text, "utf16le");
  if (encoding === "utf-16be") return Buffer.from(text, "utf16le").swap16();
  if (encoding === "latin1") return Buffer.from(text, "latin1");
  return encoding === "gzip" ? gzipSync(text) : text;
}

/** A workbook with a sheet for each part. `|` separates cells. `@2026-08-21` is a date, which may have an hour. */
function workbookOf(parts: readonly Part[]): Uint8Array {
  const cellOf = (text: string): WorkbookCell => {
    const [, date, hour] = /^@(\d{4}-\d\d-\d\d)(T.*)?$/.exec(text) ?? [];
    if (date !== undefined) return hour === undefined ? { date: serial(date) } : { time: serial(`${date}${hour}Z`) };
    return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : textOf([text.replace(/^"(.*)"$/, "$1")]);
  };
  const rowsOf = ({ lines }: Part): WorkbookCell[][] =>
    lines.flatMap((line) => line.split("\\n")).map((line) => line.split("|").map(cellOf));
  return workbook(Object.fromEntries(parts.map((part) => [part.name, rowsOf(part)])));
}

/** A text in the Windows encoding for Persian and Arabic. */
export function windows1256(text: string): Uint8Array {
  const decoder = new TextDecoder("windows-1256");
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
  return Uint8Array.from([...text.replaceAll("ی", "ي").replaceAll("ک", "ك")], (letter) => bytes.get(letter) ?? 0x3f);
}

/**
 * Reads a text such as `USD_RLS: 20=1907000 2023-01-25=438000 2026-08-21T13:00Z=1905000`. Returns the expected records
 * as sorted `CODE value time`, with times in seconds. A number alone is a day in August 2026. The default hour is
 * 16:30. Without `Z`, the time is in Tehran.
 */
export function truthOf(text: string): readonly string[] {
  let code = "";
  return text
    .split(" ")
    .flatMap((word) => {
      if (word.endsWith(":")) code = word.slice(0, -1);
      const [when = "", value] = word.split("=");
      if (value === undefined && word !== "" && !word.endsWith(":")) throw new Error(`"${word}" is no outcome`);
      if (value === undefined) return [];
      const iso = /^\d\d(?!\d)/.test(when) ? `2026-08-${when}` : when;
      const [date = "", clock = "16:30"] = iso.split("T");
      const [hour = "0", minute = "0", second = "0"] = clock.replace("Z", "").split(":");
      const ofDay = ((+hour * 60 + +minute) * 60 + +second) * 1_000;
      const time = iso.endsWith("Z")
        ? Date.parse(`${date}T00:00Z`) + ofDay
        : TEHRAN.momentAt(dayNumber(date as CalendarDate), ofDay);
      return [record(code, +value, time)];
    })
    .sort();
}

export function record(code: string, value: number, time: number): string {
  return `${code} ${value} ${new Date(Math.round(time / 1_000) * 1_000).toISOString().slice(0, 19)}`;
}
