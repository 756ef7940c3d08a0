import { formatTimestamp } from "../../../core/internal.ts";
import { type RepairPlan, repairStore } from "../../stores/json_files/mod.ts";
import { defineCommand } from "../command.ts";
import { printable, wrongUsage } from "../command_failure.ts";
import { demandDirectory } from "../engines/engine.ts";
import { switchOption } from "../parse_arguments.ts";
import { countOf, formatCount, table } from "../text_table.ts";

const VERIFY_DETAILS = `Reads every byte of the data, or of a backup given as --data, and changes nothing. While a server
runs, it checks everything that was acknowledged before the command began. Where other commands exit
with 0, verify has codes of its own:
  0    no damage was found
  1    the last write to a file is incomplete; the next start moves it to quarantine/
  2    lines are damaged or missing; the other records are served, counters may need repair
  3    the data cannot be read: the manifest, the accounts, or a file of a later version`;

/** `verify`: checks the data. */
export const verify = defineCommand({
  details: VERIFY_DETAILS,
  async run(_, { findEngine }) {
    const engine = await findEngine();
    const { state, report, heading, rows, places, verdict } = await engine.verify();
    const details = places.length === 0 ? "" : `\n${places.map((place) => `${printable(place)}\n`).join("")}`;
    return { json: report, text: `${table(heading, rows, "")}${details}\n${verdict}\n`, exitCode: state };
  },
});

const FREES_ITSELF = "A database frees its space itself: PostgreSQL with autovacuum";

/** `compact`: removes superseded records from the files. */
export const compact = defineCommand({
  details: `The log of prices keeps every line that was written. This command writes the current records to a
new file, and removes the files that also hold replaced and removed ones. No record changes, and
requests are served meanwhile. It needs free space for one copy of the records; if there is too
little, everything stays as it was. A log with damaged lines is refused, as their content would be
lost. Old records are never removed: answers about their days would change.

When a store is opened, a log of more than 16 MB is compacted automatically if more than an eighth of
it is superseded, or most of its lines hold a single record.`,
  async run(_, { findEngine }) {
    const engine = await findEngine();
    demandDirectory(engine, FREES_ITSELF);
    const { records, bytes, freed } = await engine.compact!();
    return {
      json: { records, bytes, freed },
      text: `The log holds ${countOf(records, "record")} in ${formatCount(bytes)} bytes; ${formatCount(freed)} bytes were freed.\n`,
    };
  },
});

const DETAILS = `Makes damaged data sound again: everything that can be read is written anew, the rest is moved to
quarantine/. Keys, counters and the numbers of imports stay. Shows what is lost and asks first; with
--yes it does not ask. Copy the directory before. If there is a good backup, restore that instead.`;

const SHOWN = 20;

const INSTEAD = "A database repairs itself when it starts; restore its own backup if data is lost";

/** `repair`: changes damaged data so that it can be opened again. */
export const repair = defineCommand({
  details: DETAILS,
  options: {
    yes: switchOption("Do not ask before removing data that cannot be read"),
  },
  async run(context, { options, findEngine }) {
    const { terminal } = context;
    let plan: RepairPlan = { repairs: [], lost: [] };
    const directory = demandDirectory(await findEngine(), INSTEAD);
    const confirm = async (found: RepairPlan): Promise<boolean> => {
      plan = found;
      if (options.yes) return true;
      for (const line of ["A repair would do this:", ...linesOf(found)]) terminal.note(line);
      if (!terminal.ask) throw wrongUsage("Repair removes data that cannot be read: confirm with --yes");
      return terminal.ask("Repair it?");
    };
    const repairs = await repairStore(directory, { now: context.clock(), confirm });
    if (repairs.length > 0)
      return { json: { repairs, lost: plan.lost }, text: `${linesOf(plan).join("\n")}\nThe data is sound again.\n` };
    const text = plan.repairs.length > 0 ? "Nothing was changed.\n" : "There is nothing to repair.\n";
    return { json: { repairs, lost: [] }, text };
  },
});

function linesOf({ repairs, lost }: RepairPlan): readonly string[] {
  const places = lost.slice(0, SHOWN).map(({ file, offset, reason, code, time, lastTime = time, records = 1 }) => {
    const from = time === undefined ? "" : ` at ${formatTimestamp(time)}`;
    const to = records === 1 ? "" : ` to ${formatTimestamp(lastTime!)} (${records} prices)`;
    const prices = code === undefined ? "" : ` of ${code}${from}${to}`;
    return `Lost: a line${prices}, ${file}, byte ${offset}: ${reason}.`;
  });
  if (lost.length > SHOWN) places.push(`Lost: lines in ${lost.length - SHOWN} more places.`);
  return [...repairs.map(({ file, what }) => `${file} ${what}.`), ...places];
}
