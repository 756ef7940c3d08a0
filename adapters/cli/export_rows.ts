import { formatDecimal, formatTimestamp, guardFormula, joinCsv } from "../../core/internal.ts";
import type { AssetCode, Observation } from "../../core/mod.ts";
import { COLUMNS } from "../intake/tables/record_columns.ts";
import { recordLine, snapshotLine } from "../stores/snapshot/snapshot_lines.ts";
import { eachRecord, type Records } from "./iterate_records.ts";

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

/** The text of an export, in parts, the number of its records, and that of the records, by code, whose codes are not among the selected ones. */
export interface ExportText {
  readonly parts: readonly string[];
  readonly records: number;
  readonly leftOut: ReadonlyMap<AssetCode, number>;
}

const ROWS_PER_PART = 5_000;

/**
 * Writes observations in the order of the selection, then by business time.
 *
 * @param records Grouped by asset; within an asset and a status, ascending by business time.
 */
export async function exportText(
  records: Records,
  { codes, from, to, allStatuses }: ExportSelection,
  { head, row }: ExportFormat,
): Promise<ExportText> {
  // Texts take much less memory than a million objects.
  const texts = new Map<AssetCode, string[]>(codes.map((code) => [code, []]));
  const leftOut = new Map<AssetCode, number>();
  let group: Observation[] = [];
  let count = 0;

  function finishGroup(): void {
    const [first] = group;
    if (!first) return;
    const parts = texts.get(first.code);
    if (allStatuses) group.sort((a, b) => a.businessTime - b.businessTime);
    for (let start = 0; start < group.length; start += ROWS_PER_PART) {
      parts?.push(
        group
          .slice(start, start + ROWS_PER_PART)
          .map(row)
          .join(""),
      );
    }
    count += group.length;
    group = [];
  }

  await eachRecord(records, (observation) => {
    const { code, businessTime, qualityStatus } = observation;
    if (businessTime < from || businessTime >= to || !(allStatuses || qualityStatus === "ACCEPTED")) return;
    if (!texts.has(code)) return void leftOut.set(code, (leftOut.get(code) ?? 0) + 1);
    if (group.length > 0 && group[0]!.code !== code) finishGroup();
    group.push(observation);
  });
  finishGroup();
  return { parts: [head, ...codes.flatMap((code) => texts.get(code) ?? [])], records: count, leftOut };
}

function csvRow(observation: Observation): string {
  const { code, value, businessTime, sourceTime, provider, qualityStatus, qualityMessage } = observation;
  const source = sourceTime === null ? "" : formatTimestamp(sourceTime);
  const texts = joinCsv([guardFormula(provider ?? ""), qualityStatus, guardFormula(qualityMessage)]);
  return `${code},${formatDecimal(value)},${formatTimestamp(businessTime)},${source},${texts}\n`;
}
