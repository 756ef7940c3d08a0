import { verifyStore } from "../../json_files/mod.ts";
import type { FileReport, StoreReport } from "../../json_files/mod.ts";
import { demandOperands } from "../args.ts";
import { defineCommand } from "../command.ts";
import { dataDirectory } from "../data_directory.ts";
import { printable } from "../failure.ts";
import { settingOptions } from "../settings_sources.ts";
import { formatCount, table } from "../table.ts";
import type { Cell } from "../table.ts";

const DETAILS = `Reads every byte of the data, or of a backup given as --data, and changes nothing. While a server
runs, it checks everything that was acknowledged before the command began. Its exit code is
  0    no damage was found
  1    the last write to a file is incomplete; the next start moves it to quarantine/
  2    lines are damaged or missing; the other records are served, counters may need repair
  3    the data cannot be read: the manifest, the accounts, or a file of a later version`;

/** The meaning of each state. */
const STATES: Readonly<Record<StoreReport["state"], string>> = {
  0: "All is well.",
  1: "The last write to a file is incomplete; the next start moves it to quarantine/.",
  2: "Lines are bad or missing. Restore a backup, or serve the rest; if the server does not start, use repair.",
  3: "The data cannot be read. Restore a backup, or use repair.",
};

/** `verify`: checks the data. */
export const verify = defineCommand({
  name: "verify",
  operands: "",
  summary: "Check all data for damage, also while a server runs",
  details: DETAILS,
  options: settingOptions(["data"]),
  async run({ terminal, environment }, { options, operands }) {
    demandOperands(operands);
    const report = await verifyStore(await dataDirectory(options, environment));
    await terminal.write(options.json ? `${JSON.stringify(report)}\n` : reportText(report));
    return report.state;
  },
});

function reportText({ state, files }: StoreReport): string {
  const rows = files.map(({ file, lines, bytes, first, last, ...found }): Cell[] => {
    return [file, lines, bytes, first === null ? "-" : `${first} to ${last}`, inWords(found)];
  });
  const places = files.flatMap(({ file, bad, torn, unreadable }) => [
    ...(unreadable === null ? [] : [`${file}: ${unreadable}`]),
    ...[...bad, ...(torn ? [torn] : [])].map(({ line, offset, length, reason }) => {
      // Of what is missing there are no bytes; where it is the file or its beginning, there is no line either.
      if (length === 0 && offset === 0) return `${file}: ${reason}`;
      const size = length === 0 ? "" : `, length ${formatCount(length)}`;
      return `${file}, line ${formatCount(line)}, byte ${formatCount(offset)}${size}: ${reason}`;
    }),
  ]);
  const details = places.length === 0 ? "" : `\n${places.map((place) => `${printable(place)}\n`).join("")}`;
  return `${table(["file", "lines", "bytes", "sequence", "found"], rows, "")}${details}\n${STATES[state]}\n`;
}

function inWords({ bad, torn, unreadable }: Pick<FileReport, "bad" | "torn" | "unreadable">): string {
  if (unreadable !== null) return "unreadable";
  const words = [...(bad.length > 0 ? [`${formatCount(bad.length)} bad`] : []), ...(torn ? ["torn end"] : [])];
  return words.join(", ") || "good";
}
