import { demandOperands } from "../args.ts";
import { keyState } from "../book.ts";
import { defineCommand } from "../command.ts";
import { withDesk } from "../desk.ts";
import { EXIT } from "../failure.ts";
import { settingOptions } from "../settings_sources.ts";
import { table } from "../table.ts";

/** `accounts list`: all accounts. */
export const accountsList = defineCommand({
  name: "accounts list",
  operands: "",
  summary: "List all accounts with their plan, status and number of live keys",
  options: settingOptions(["data"]),
  async run(surroundings, { options, operands }) {
    demandOperands(operands);
    const { accounts, keys } = await withDesk(options, surroundings, "there", (desk) => desk.book());
    const now = surroundings.clock();
    const listed = accounts.map(({ id, plan, status }) => {
      const liveKeys = keys.filter((key) => key.accountId === id && keyState(key, now) === "live").length;
      return { account: id, plan, status, liveKeys };
    });
    const rows = listed.map(({ account, plan, status, liveKeys }) => [account, plan, status, liveKeys]);
    await surroundings.terminal.write(
      options.json
        ? `${JSON.stringify({ accounts: listed })}\n`
        : table(["account", "plan", "status", "live keys"], rows, "There are no accounts."),
    );
    return EXIT.done;
  },
});
