import { defineCommand } from "../command.ts";
import { engineFor } from "../with_store.ts";
import { demandFiles } from "../engine.ts";
import { EXIT } from "../failure.ts";
import { settingOptions } from "../settings_sources.ts";

const DETAILS = `For data that the server refuses to open. Makes the smallest change with which the server opens it,
and moves everything that it takes out to quarantine/. Copy the directory first. If there is a good
backup, restore that instead. Damaged lines of observations stay in place, as the server starts with
them; verify shows them.`;

const INSTEAD = "A database repairs itself when it starts; what is lost all the same, its own backup brings back";

/** `repair`: changes damaged data so that it can be opened again. */
export const repair = defineCommand({
  name: "repair",
  operands: "",
  summary: "Repair data that the server refuses to open; stop the server first",
  details: DETAILS,
  options: settingOptions(["data"]),
  async run(context, { options }) {
    const repairs = await demandFiles(await engineFor(options, context, "there"), INSTEAD).repair();
    const lines = repairs.map(({ file, what }) => `${file} ${what}.\n`).join("");
    await context.terminal.write(options.json ? `${JSON.stringify({ repairs })}\n` : lines || "There is nothing to repair.\n");
    return EXIT.done;
  },
});
