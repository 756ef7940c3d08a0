import { formatDecimal, formatTimestamp, guardFormula, joinCsv } from "../../core/internal.ts";
import type { AssetCode, Observation } from "../../core/mod.ts";
import { COLUMNS } from "../intake/tables/record_columns.ts";
import type { Records } from "../stores/shared/engine.ts";
import { recordLine, snapshotLine } from "../stores/snapshot/snapshot_lines.ts";

/** A file format: the text before the first record and the text of each record, including line ends. */
export interface ExportFormat {
  readonly head: string;
  row(observation: Observation): string;
}

/** The formats by their names for `--format`. `import` reads each format. */
export const EXPORT_FORMATS: ReadonlyMap<string, ExportFormat> = new Map([
  ["csv", { head: `${COLUMNS.join(",")}\n`, row: csvRow }],
  // Without a byte order mark, Excel reads a double-clicked file in the code page of Windows.
  ["csv-excel", { head: `\ufeff${COLUMNS.join(",")}\n`, row: csvRow }],
  ["ndjson", { head: "", row: recordLine }],
]);

/** The format of `--snapshot`, for a deployment without a disk. */
export const SNAPSHOT_FORMAT: ExportFormat = { head: "", row: snapshotLine };

/** The observations to write: those with one of these codes, from `from` (included) to `to` (excluded). */
export interface ExportSelection {
  readonly codes: readonly AssetCode[];
  readonly from: number;
  readonly to: number;
  /** Whether to write pending and rejected observations as well. */
  readonly allStatuses: boolean;
}

const ROWS_PER_PART = 5_000;

/**
 * The text of an export, in parts. The records keep their order; only with `allStatuses`, each asset's records are
 * sorted by business time. After the last part was read, the result's `records()` is the number of written records, and
 * `leftOut` has, for each code that is not in `codes`, the number of records that were left out.
 *
 * @param records Grouped by asset; within an asset and a status, ascending by business time.
 */
export function exportText(
  records: Records,
  { codes, from, to, allStatuses }: ExportSelection,
  { head, row }: ExportFormat,
) {
  const selected = new Set(codes);
  const leftOut: Map<AssetCode, number> = new Map();
  let count = 0;

  function isWritten({ code, businessTime, qualityStatus }: Observation): boolean {
    if (businessTime < from || businessTime >= to || !(allStatuses || qualityStatus === "ACCEPTED")) return false;
    if (selected.has(code)) return true;
    leftOut.set(code, (leftOut.get(code) ?? 0) + 1);
    return false;
  }

  async function* parts(): AsyncGenerator<string> {
    yield head;
    let list: Observation[] = [];
    for await (const record of records) {
      if (!isWritten(record)) continue;
      // With all statuses, the records of an asset come status by status, so all of them are held in memory and sorted.
      const isWhole = allStatuses ? list.length > 0 && list[0]!.code !== record.code : list.length === ROWS_PER_PART;
      if (isWhole) {
        yield* texts(list);
        list = [];
      }
      list.push(record);
    }
    yield* texts(list);
  }

  function* texts(list: Observation[]): Generator<string> {
    if (allStatuses) list.sort((a, b) => a.businessTime - b.businessTime);
    count += list.length;
    for (let start = 0; start < list.length; start += ROWS_PER_PART)
      yield list
        .slice(start, start + ROWS_PER_PART)
        .map(row)
        .join("");
  }

  return { parts: parts(), records: () => count, leftOut };
}

function csvRow(observation: Observation): string {
  const { code, value, businessTime, sourceTime, provider, qualityStatus, qualityMessage } = observation;
  const source = sourceTime === null ? "" : formatTimestamp(sourceTime);
  const texts = joinCsv([guardFormula(provider ?? ""), qualityStatus, guardFormula(qualityMessage)]);
  return `${code},${formatDecimal(value)},${formatTimestamp(businessTime)},${source},${texts}\n`;
}
