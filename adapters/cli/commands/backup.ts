import { backupStore } from "../../json_files/mod.ts";
import { demandOperands } from "../args.ts";
import { defineCommand } from "../command.ts";
import { dataDirectory, withDesk } from "../desk.ts";
import { EXIT } from "../failure.ts";
import { settingOptions } from "../settings_sources.ts";
import { formatCount } from "../table.ts";

const DETAILS = `Copies the data as it is at one moment, also while a server runs: all that was acknowledged before
the command began is in it. DIR appears when all of it is on the disk; there must be nothing in it
yet, and the directory above it must be there. BACKUP.json lists the files with their length and
SHA-256. The backup holds digests of keys and no key, and no file of quarantine/.`;

/** `backup`: a copy of the data at one moment. */
export const backup = defineCommand({
  name: "backup",
  operands: "DIR",
  summary: "Copy the data to a new directory, also while a server runs",
  details: DETAILS,
  options: settingOptions(["data"]),
  async run(surroundings, { options, operands }) {
    const { DIR } = demandOperands(operands, "DIR");
    const data = await dataDirectory(options, surroundings.environment, "there");
    const { storeId, takenAt, files } = await withDesk(options, surroundings, "there", (desk) => {
      return backupStore(desk, data, DIR, { now: surroundings.clock() });
    });
    const bytes = files.reduce((sum, { length }) => sum + length, 0);
    await surroundings.terminal.write(
      options.json
        ? `${JSON.stringify({ backup: DIR, storeId, takenAt, files: files.length, bytes })}\n`
        : `The backup ${DIR} holds ${formatCount(files.length)} files, ${formatCount(bytes)} bytes.\n`,
    );
    return EXIT.done;
  },
});
