import { defineCommand } from "../command.ts";
import { printable } from "../command_failure.ts";
import { table } from "../text_table.ts";
import { engineFor } from "../with_store.ts";

const DETAILS = `Reads every byte of the data, or of a backup given as --data, and changes nothing. While a server
runs, it checks everything that was acknowledged before the command began. It has exit codes of its
own for the state of the data; if it cannot look at the data, the codes of mazaneh --help apply:
  0    no damage was found
  1    the last write to a file is incomplete; the next start moves it to quarantine/
  2    lines are damaged or missing; the other records are served, counters may need repair
  3    the data cannot be read: the manifest, the accounts, or a file of a later version`;

/** `verify`: checks the data. */
export const verify = defineCommand({
  details: DETAILS,
  settings: ["data"],
  async run(context, { options, settings }) {
    const engine = await engineFor({ options, context, settings });
    const { state, report, heading, rows, places, verdict } = await engine.verify();
    const details = places.length === 0 ? "" : `\n${places.map((place) => `${printable(place)}\n`).join("")}`;
    return { json: report, text: `${table(heading, rows, "")}${details}\n${verdict}\n`, exitCode: state };
  },
});
