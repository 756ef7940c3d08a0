import type { Verification } from "../../shared/engine.ts";
import type { Damage } from "../log/damage.ts";

/** Damage, with the number of its line in the file. */
export interface FoundDamage extends Damage {
  /** The number of the line at `offset`, counted from 1. */
  readonly line: number;
}

/** What a check has found in one file of a store. */
export interface FileReport {
  readonly file: string;
  readonly bytes: number;
  /** Good lines after the header. */
  readonly lines: number;
  /** Sequence numbers of the first and the last line, or `null` without lines. */
  readonly first: number | null;
  readonly last: number | null;
  /** Lines that cannot be served. */
  readonly bad: readonly FoundDamage[];
  /** An incomplete write at the end, which the next start cuts off. */
  readonly torn: FoundDamage | null;
  /** Why this file prevents opening the store or restoring the backup, or `null` if it does not. */
  readonly unreadable: string | null;
}

/** What a check has found in a store or a backup. */
export interface StoreReport {
  /** 0: no fault; 1: only incomplete writes; 2: bad or missing lines; 3: unreadable. */
  readonly state: 0 | 1 | 2 | 3;
  readonly files: readonly FileReport[];
}

const STATES: Readonly<Record<StoreReport["state"], string>> = {
  0: "All is well.",
  1: "The last write to a file is incomplete; the next start moves it to quarantine/.",
  2: "Lines are bad or missing. Restore a backup, or serve the rest; if the server does not start, use repair.",
  3: "The data cannot be read. Restore a backup, or use repair.",
};

/** A report on the files of a store, in the form that all engines use. */
export function verificationOf(report: StoreReport): Verification {
  const { state, files } = report;
  return {
    ...{ state, report, verdict: STATES[state] },
    heading: ["file", "lines", "bytes", "sequence", "found"],
    rows: files.map(({ file, lines, bytes, first, last, ...found }) => [
      file,
      lines,
      bytes,
      first === null ? "-" : `${first} to ${last}`,
      inWords(found),
    ]),
    places: files.flatMap(placesOf),
  };
}

function placesOf({ file, bad, torn, unreadable }: FileReport): string[] {
  return [
    ...(unreadable === null ? [] : [`${file}: ${unreadable}`]),
    ...[...bad, ...(torn ? [torn] : [])].map(({ line, offset, length, reason }) => {
      // Missing bytes have no length. If a file or its beginning is missing, there is no line number either.
      if (length === 0 && offset === 0) return `${file}: ${reason}`;
      const size = length === 0 ? "" : `, length ${formatCount(length)}`;
      return `${file}, line ${formatCount(line)}, byte ${formatCount(offset)}${size}: ${reason}`;
    }),
  ];
}

function inWords({ bad, torn, unreadable }: Pick<FileReport, "bad" | "torn" | "unreadable">): string {
  if (unreadable !== null) return "unreadable";
  const words = [...(bad.length > 0 ? [`${formatCount(bad.length)} bad`] : []), ...(torn ? ["torn end"] : [])];
  return words.join(", ") || "good";
}

function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}
