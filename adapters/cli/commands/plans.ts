import { demandNoKey, planInWords, readUnits } from "../account_text.ts";
import { defineCommand } from "../command.ts";
import { wrongUsage } from "../command_failure.ts";
import { demandOperands, textOption } from "../parse_arguments.ts";
import { table } from "../text_table.ts";
import { INIT_OPTION, readBook, withAccounts } from "../with_store.ts";

/** `plans list`: all plans. */
export const plansList = defineCommand({
  settings: ["data"],
  async run(context, { options, settings }) {
    const { plans } = await readBook({ options, context, settings });
    const rows = plans.map(({ name, dailyUnits, attributionRequired }) => {
      return [name, dailyUnits ?? "unlimited", attributionRequired ? "yes" : "no"];
    });
    return { json: { plans }, text: table(["plan", "daily units", "attribution"], rows, "There are no plans.") };
  },
});

/** `plans set`: makes a plan, or changes one. */
export const plansSet = defineCommand({
  details: "A new plan needs both options. Assign plans to accounts with accounts set or keys create.",
  settings: ["data"],
  options: {
    "daily-units": textOption("COUNT", "Units a day: a whole number from 1, or unlimited"),
    attribution: textOption("yes|no", "Whether its accounts must credit the data source"),
    ...INIT_OPTION,
  },
  async run(context, { options, operands, settings }) {
    const { NAME } = demandOperands(operands, "NAME");
    demandNoKey("NAME", NAME);
    const { "daily-units": units, attribution } = options;
    if (units === undefined && attribution === undefined) throw wrongUsage("--daily-units or --attribution is missing");
    const patch = {
      ...(units !== undefined && { dailyUnits: readUnits("--daily-units", units) }),
      ...(attribution !== undefined && { attributionRequired: readYesNo(attribution) }),
    };
    const { plans } = await withAccounts({ options, context, settings }, ({ update }) =>
      update([{ op: "plan.patch", name: NAME, ...patch }]),
    );
    const plan = plans.find(({ name }) => name === NAME)!;
    const credit = plan.attributionRequired ? "attribution required" : "no attribution required";
    return { json: plan, text: `There is the ${planInWords(plan)}, ${credit}.\n` };
  },
});

function readYesNo(text: string): boolean {
  if (text === "yes" || text === "no") return text === "yes";
  throw wrongUsage(`--attribution must be yes or no: received "${text}"`);
}
