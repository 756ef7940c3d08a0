import { resolve } from "node:path";
import { createZone, quotaDayAt } from "../../../core/internal.ts";
import { type Backup, backupStore, RESTORED_QUOTA, restoreStore } from "../../stores/json_files/mod.ts";
import type { CopyCounts } from "../../stores/shared/store_copying.ts";
import { defineCommand } from "../command.ts";
import { CommandFailure, codeOf, EXIT } from "../command_failure.ts";
import { demandDirectory } from "../engines/engine.ts";
import { demandOperands, readChoice, textOption } from "../parse_arguments.ts";
import { countOf, formatCount } from "../text_table.ts";

const INSTEAD = "Back up a database with its own tools: for PostgreSQL, pg_dump and pg_restore";

/** `backup`: copies the data as of one moment. */
export const backup = defineCommand({
  details: `Copies the data as of one moment, also while a server runs. The copy holds everything that was
acknowledged before the command began. DIR appears when the copy is complete on the disk; it must be
new or empty, and the directory above it must exist. The backup holds no keys, only their digests.

If data is damaged, the backup holds all that can be read, and copies of the damaged files in its
quarantine/. Then the exit code is 2: keep the earlier good backups, and run repair.`,
  async run(context, { operands, findEngine }) {
    const { DIR } = demandOperands(operands, "DIR");
    const directory = demandDirectory(await findEngine(), INSTEAD);
    const made = await backupStore(directory, DIR, { now: context.clock() }).catch((error: unknown) => {
      // A backup removes the temporary directory of any earlier backup to the same directory.
      const isOvertaken =
        codeOf(error) === "ENOENT" && String((error as NodeJS.ErrnoException).path).startsWith(resolve(DIR));
      if (!isOvertaken) throw error;
      throw new CommandFailure(
        `Cannot write to "${DIR}" because another backup to it has begun; wait until it ends`,
        EXIT.failed,
      );
    });
    return {
      json: { backup: DIR, ...made },
      text: `The backup ${DIR} holds ${contentOf(made)}.\n${damageOf(made)}`,
      exitCode: made.damages > 0 ? EXIT.damaged : EXIT.done,
    };
  },
});

/** `restore`: makes a data directory from a backup. */
export const restore = defineCommand({
  details: `Makes a data directory from a backup. TARGET must be new or empty, and appears when the whole
backup was read without damage and is on the disk. Clients then fetch their cached answers again.
The exit code is 2 if the backup was made from damaged data, and so is incomplete.

Finished quota days are restored as they were. A backup does not know which units were used after it
was taken. --counters says how the units of the current quota day, in --quota-time-zone, are counted:
  spent           accounts that had used a unit of the day have none left [default]
  all-spent       no account with a limit has units left; choose this when the backup is from an
                  earlier day and no unit may be given twice
  as-backed-up    counters are as in the backup, so units may be given twice
Units that spent and all-spent make unavailable are in the column "withheld" of mazaneh usage.`,
  settings: ["quotaTimeZone"],
  options: {
    counters: textOption("HOW", `${RESTORED_QUOTA.join(", ")} [default ${RESTORED_QUOTA[0]}]`),
  },
  async run({ clock }, { options, operands, settings }) {
    const { BACKUP, TARGET } = demandOperands(operands, "BACKUP", "TARGET");
    const quota = readChoice("--counters", options.counters ?? RESTORED_QUOTA[0], RESTORED_QUOTA);
    const { quotaTimeZone } = settings.values;
    const now = clock();
    const today = quotaDayAt(createZone(quotaTimeZone), now).date;
    const { backup, spent } = await restoreStore(BACKUP, TARGET, { now, today, quota });
    const lines = [`The backup of ${backup.takenAt} is restored in ${TARGET}: ${contentOf(backup)}.`];
    for (const { day, accounts } of spent.filter(({ accounts }) => accounts > 0))
      lines.push(`${countOf(accounts, "account")} ${accounts === 1 ? "has" : "have"} no unit left on ${day}.`);
    return {
      json: { data: TARGET, ...backup, spent },
      text: `${lines.join("\n")}\n${damageOf(backup)}`,
      exitCode: backup.damages > 0 ? EXIT.damaged : EXIT.done,
    };
  },
});

/** The line about missing data in a backup; empty if the backup is complete. */
function damageOf({ damages, damagedFiles }: Backup): string {
  if (damages === 0) return "";
  const places = damages === 1 ? "a place that" : `${formatCount(damages)} places that`;
  return `It lacks ${places} could not be read, in ${damagedFiles.join(", ")}; the damaged files are in its quarantine/. Run mazaneh repair, or use an earlier backup.\n`;
}

function contentOf({ records, accounts, keys, days, imports }: CopyCounts): string {
  const parts = [countOf(records, "record"), countOf(accounts, "account"), countOf(keys, "key")];
  return `${parts.join(", ")}, ${countOf(imports, "import")}, counters of ${countOf(days, "quota day")}`;
}
