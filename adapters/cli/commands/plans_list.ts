import { demandOperands } from "../args.ts";
import { defineCommand } from "../command.ts";
import { withDesk } from "../desk.ts";
import { EXIT } from "../failure.ts";
import { settingOptions } from "../settings_sources.ts";
import { table } from "../table.ts";

/** `plans list`: all plans. */
export const plansList = defineCommand({
  name: "plans list",
  operands: "",
  summary: "List all plans with their daily units",
  options: settingOptions(["data"]),
  async run(surroundings, { options, operands }) {
    demandOperands(operands);
    const { plans } = await withDesk(options, surroundings, "there", (desk) => desk.book());
    const rows = plans.map(({ name, dailyUnits, attributionRequired }) => {
      return [name, dailyUnits ?? "unlimited", attributionRequired ? "yes" : "no"];
    });
    await surroundings.terminal.write(
      options.json ? `${JSON.stringify({ plans })}\n` : table(["plan", "daily units", "attribution"], rows, "There are no plans."),
    );
    return EXIT.done;
  },
});
