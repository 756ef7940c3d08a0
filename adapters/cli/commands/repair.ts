import { formatTimestamp } from "../../../core/internal.ts";
import { type RepairPlan, repairStore } from "../../stores/json_files/mod.ts";
import { defineCommand } from "../command.ts";
import { wrongUsage } from "../command_failure.ts";
import { demandDirectory } from "../engines/engine.ts";
import { switchOption } from "../parse_arguments.ts";
import { engineFor } from "../with_store.ts";

const DETAILS = `Makes damaged data whole again: everything that can be read is written anew, the rest is moved to
quarantine/. Keys, counters and the numbers of imports stay. Shows what is lost and asks first; with
--yes it does not ask. Copy the directory before. If there is a good backup, restore that instead.`;

const SHOWN = 20;

const INSTEAD = "A database repairs itself when it starts; restore its own backup if data is lost";

/** `repair`: changes damaged data so that it can be opened again. */
export const repair = defineCommand({
  details: DETAILS,
  settings: ["data"],
  options: {
    yes: switchOption("Do not ask before data is given up"),
  },
  async run(context, { options, settings }) {
    const { terminal } = context;
    let plan: RepairPlan = { repairs: [], lost: [] };
    const directory = demandDirectory(await engineFor({ options, context, settings }), INSTEAD);
    const confirm = async (found: RepairPlan): Promise<boolean> => {
      plan = found;
      if (options.yes) return true;
      for (const line of linesOf(found)) terminal.note(line);
      if (!terminal.ask) throw wrongUsage("Repair gives up what is lost: give --yes to agree");
      return terminal.ask("Repair it?");
    };
    const repairs = await repairStore(directory, { now: context.clock(), confirm });
    if (repairs.length > 0)
      return { json: { repairs, lost: plan.lost }, text: `${linesOf(plan).join("\n")}\nThe data is whole again.\n` };
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
  if (lost.length > SHOWN) places.push(`And ${lost.length - SHOWN} more places.`);
  return [...repairs.map(({ file, what }) => `${file} ${what}.`), ...places];
}
