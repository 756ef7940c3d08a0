import { repairStore } from "../../json_files/mod.ts";
import { demandOperands } from "../args.ts";
import { defineCommand } from "../command.ts";
import { dataDirectory } from "../data_directory.ts";
import { EXIT } from "../failure.ts";
import { settingOptions } from "../settings_sources.ts";

const DETAILS = `For data that the server refuses to open. It makes the smallest change after which it opens, and all
that it removes is kept in quarantine/. Make a copy of the directory first, and where there is a good
backup, restore that instead. Bad lines of observations stay where they are, as the server opens
with them; verify shows them.`;

/** `repair`: makes damaged data open again. */
export const repair = defineCommand({
  name: "repair",
  operands: "",
  summary: "Make damaged data open again; no server may run",
  details: DETAILS,
  options: settingOptions(["data"]),
  async run({ terminal, environment, clock }, { options, operands }) {
    demandOperands(operands);
    const repairs = await repairStore(await dataDirectory(options, environment, "there"), { now: clock() });
    const lines = repairs.map(({ file, what }) => `${file} ${what}.\n`).join("");
    await terminal.write(options.json ? `${JSON.stringify({ repairs })}\n` : lines || "There is nothing to repair.\n");
    return EXIT.done;
  },
});
