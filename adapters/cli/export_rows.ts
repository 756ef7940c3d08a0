import { formatDecimal, formatTimestamp, guardFormula, joinCsv } from "../../core/internal.ts";
import type { AssetCode, Observation } from "../../core/mod.ts";
import { COLUMNS } from "../intake/tables/record_columns.ts";
import type { Records } from "../stores/shared/engine.ts";
import { recordLine, snapshotLine } from "../stores/snapshot/snapshot_lines.ts";

/** A file format: the text before the first record, and the text of each record, with line ends. */
export interface ExportFormat {
  readonly head: string;
  row(observation: Observation): string;
}

/** The formats by their names for `--format`. `import` reads all of them. */
export const EXPORT_FORMATS: ReadonlyMap<string, ExportFormat> = new Map([
  ["csv", { head: `${COLUMNS.join(",")}\n`, row: csvRow }],
  // Without a byte order mark, Excel reads a file that is opened by double click in the code page of Windows.
  ["csv-excel", { head: `\ufeff${COLUMNS.join(",")}\n`, row: csvRow }],
  ["ndjson", { head: "", row: recordLine }],
]);

/** For a deployment without a disk, which `--snapshot` asks for. */
export const SNAPSHOT_FORMAT: ExportFormat = { head: "", row: snapshotLine };

/** Which observations are written. */
export interface ExportSelection {
  /** In the order in which they are written. */
  readonly codes: readonly AssetCode[];
  /** From this business time on. */
  readonly from: number;
  /** Up to this business time, excluded. */
  readonly to: number;
  /** Whether observations that are not accepted are written too. */
  readonly allStatuses: boolean;
}

/** The text of an export, and what was written when all of it has been read. */
export interface ExportText {
  readonly parts: AsyncIterable<string>;
  records(): number;
  /** The number of the records, by code, whose codes are not among the selected ones. */
  readonly leftOut: ReadonlyMap<AssetCode, number>;
}

const ROWS_PER_PART = 5_000;

/**
 * Writes observations in their order; those of several statuses by asset, then by business time.
 *
 * @param records Grouped by asset; within an asset and a status, ascending by business time.
 */
export function exportText(
  records: Records,
  { codes, from, to, allStatuses }: ExportSelection,
  { head, row }: ExportFormat,
): ExportText {
  const selected = new Set(codes);
  const leftOut = new Map<AssetCode, number>();
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
      // Of all statuses, an asset at a time is held, as they come one status after the other.
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
