import { demandOperands } from "../args.ts";
import { describePlan } from "../book.ts";
import { defineCommand } from "../command.ts";
import { changeBook, withDesk } from "../desk.ts";
import { EXIT, wrongUsage } from "../failure.ts";
import { settingOptions } from "../settings_sources.ts";

/** `plans set`: makes a plan, or changes one. */
export const plansSet = defineCommand({
  name: "plans set",
  operands: "NAME",
  summary: "Make a plan, or change one for all accounts that have it",
  details: "A new plan needs both options. Accounts get a plan with accounts set or keys create.",
  options: {
    "daily-units": { kind: "text", placeholder: "COUNT", summary: "Units a day: a whole number from 1, or unlimited" },
    attribution: { kind: "text", placeholder: "yes|no", summary: "Whether its accounts must credit the data source" },
    ...settingOptions(["data"]),
  },
  async run(surroundings, { options, operands }) {
    const { NAME } = demandOperands(operands, "NAME");
    const units = options["daily-units"];
    const { attribution } = options;
    if (units === undefined && attribution === undefined) throw wrongUsage("--daily-units or --attribution is missing");
    const patch = {
      ...(units !== undefined && { dailyUnits: readUnits(units) }),
      ...(attribution !== undefined && { attributionRequired: readYesNo(attribution) }),
    };
    return withDesk(options, surroundings, "made", async (desk) => {
      const { plans } = await changeBook(desk, [{ op: "plan.patch", name: NAME, ...patch }]);
      const plan = plans.find(({ name }) => name === NAME)!;
      const credit = plan.attributionRequired ? "attribution required" : "no attribution required";
      await surroundings.terminal.write(options.json ? `${JSON.stringify(plan)}\n` : `There is the ${describePlan(plan)}, ${credit}.\n`);
      return EXIT.done;
    });
  },
});

function readUnits(text: string): number | null {
  if (text === "unlimited") return null;
  const units = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (units < 1) throw wrongUsage(`--daily-units must be a whole number from 1, or unlimited: received "${text}"`);
  return units;
}

function readYesNo(text: string): boolean {
  if (text === "yes" || text === "no") return text === "yes";
  throw wrongUsage(`--attribution must be yes or no: received "${text}"`);
}
