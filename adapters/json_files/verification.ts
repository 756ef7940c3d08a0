import type { Verification } from "../store/engine.ts";
import type { FileReport, StoreReport } from "./maintenance/report.ts";

/** The meaning of each state. */
const STATES: Readonly<Record<StoreReport["state"], string>> = {
  0: "All is well.",
  1: "The last write to a file is incomplete; the next start moves it to quarantine/.",
  2: "Lines are bad or missing. Restore a backup, or serve the rest; if the server does not start, use repair.",
  3: "The data cannot be read. Restore a backup, or use repair.",
};

/** What was found in the files of a store, as a check of any engine is shown. */
export function verificationOf(report: StoreReport): Verification {
  const { state, files } = report;
  return {
    ...{ state, report, verdict: STATES[state] },
    heading: ["file", "lines", "bytes", "sequence", "found"],
    rows: files.map(({ file, lines, bytes, first, last, ...found }) => [file, lines, bytes, first === null ? "-" : `${first} to ${last}`, inWords(found)]),
    places: files.flatMap(placesOf),
  };
}

function placesOf({ file, bad, torn, unreadable }: FileReport): string[] {
  return [
    ...(unreadable === null ? [] : [`${file}: ${unreadable}`]),
    ...[...bad, ...(torn ? [torn] : [])].map(({ line, offset, length, reason }) => {
      // Of what is missing there are no bytes; where it is the file or its beginning, there is no line either.
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
