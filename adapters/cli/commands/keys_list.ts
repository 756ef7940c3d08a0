import { keyJson, keyState } from "../book.ts";
import { demandOperands } from "../args.ts";
import { defineCommand } from "../command.ts";
import { withDesk } from "../desk.ts";
import { EXIT } from "../failure.ts";
import { settingOptions } from "../settings_sources.ts";
import { formatTime, table } from "../table.ts";

/** `keys list`: all keys, without their secrets. */
export const keysList = defineCommand({
  name: "keys list",
  operands: "",
  summary: "List all keys by their IDs",
  options: settingOptions(["data"]),
  async run(surroundings, { options, operands }) {
    demandOperands(operands);
    const { keys } = await withDesk(options, surroundings, "there", (desk) => desk.book());
    const now = surroundings.clock();
    const rows = keys.map((key) => [
      key.id, key.accountId, keyState(key, now), formatTime(key.createdAt), formatTime(key.expiresAt), key.note,
    ]);
    await surroundings.terminal.write(
      options.json
        ? `${JSON.stringify({ keys: keys.map((key) => keyJson(key, now)) })}\n`
        : table(["id", "account", "state", "created", "expires", "note"], rows, "There are no keys."),
    );
    return EXIT.done;
  },
});
