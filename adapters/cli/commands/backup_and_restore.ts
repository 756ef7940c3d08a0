import { createZone, quotaDayAt } from "../../../core/internal.ts";
import { type Backup, backupStore, RESTORED_QUOTA, restoreStore } from "../../stores/json_files/mod.ts";
import type { CopyCounts } from "../../stores/shared/store_copying.ts";
import { defineCommand } from "../command.ts";
import { EXIT, wrongUsage } from "../command_failure.ts";
import { demandDirectory } from "../engines/engine.ts";
import { demandOperands } from "../parse_arguments.ts";
import { formatCount } from "../text_table.ts";
import { engineFor } from "../with_store.ts";

const INSTEAD = "Copy a database with its own tools: PostgreSQL with pg_dump, and pg_restore puts it back";

/** `backup`: copies the data as of one moment. */
export const backup = defineCommand({
  details: `Copies the data as of one moment, also while a server runs. The copy holds everything that was
acknowledged before the command began. DIR appears when the copy is complete on the disk; it must be
new or empty, and the directory above it must exist. The backup holds no keys, only their digests.

Of damaged data, the backup holds what can be read, and in its quarantine/ the damaged files as they
are. It says so, and the exit code is 2: keep the good backups from before, and run repair.`,
  settings: ["data"],
  async run(context, { options, operands, settings }) {
    const { DIR } = demandOperands(operands, "DIR");
    const directory = demandDirectory(await engineFor({ options, context, settings }), INSTEAD);
    const { isNoted, ...made } = await backupStore(directory, DIR, { now: context.clock() });
    if (!isNoted && made.damages === 0)
      context.terminal.note("The data directory cannot be written: its server will not know of this backup");
    return {
      json: { backup: DIR, ...made },
      text: `The backup ${DIR} holds ${contentOf(made)}.\n${damageOf(made)}`,
      exitCode: made.damages > 0 ? EXIT.damaged : EXIT.done,
    };
  },
});

/** `restore`: makes a data directory from a backup. */
export const restore = defineCommand({
  details: `Makes a data directory from a backup. TARGET must be new or empty, and appears when all of
the backup was read without damage and everything is on the disk. Clients fetch answers that they
have cached again. The exit code is 2 where the backup is of damaged data, and lacks a part of them.

Finished quota days are restored as they were. A backup does not know which units were used after it
was taken. --counters says how the units of the current quota day, in --quota-time-zone, are counted:
  spent           accounts that had used a unit of the day have none left [default]
  all-spent       no account with a limit has units left; choose this when the backup is from an
                  earlier day and no unit may be given twice
  as-backed-up    counters are as in the backup, so units may be given twice
Units that spent and all-spent take from the day are withheld: usage shows them apart.`,
  settings: ["quotaTimeZone"],
  options: {
    counters: {
      kind: "text",
      placeholder: "HOW",
      summary: `${RESTORED_QUOTA.join(", ")} [default ${RESTORED_QUOTA[0]}]`,
    },
  },
  async run({ clock }, { options, operands, settings }) {
    const { BACKUP, TARGET } = demandOperands(operands, "BACKUP", "TARGET");
    const { counters = RESTORED_QUOTA[0] } = options;
    const quota = RESTORED_QUOTA.find((known) => known === counters);
    if (!quota) throw wrongUsage(`--counters must be one of ${RESTORED_QUOTA.join(", ")}: received "${counters}"`);
    const { quotaTimeZone } = settings.values;
    const now = clock();
    const today = quotaDayAt(createZone(quotaTimeZone), now).date;
    const { backup, spent } = await restoreStore(BACKUP, TARGET, { now, today, quota });
    const lines = [
      `The backup of ${backup.takenAt} is restored in ${TARGET}: ${contentOf(backup)}.`,
      ...spent.flatMap(({ day, accounts }) =>
        accounts > 0
          ? `${formatCount(accounts)} ${accounts === 1 ? "account has" : "accounts have"} no unit left of ${day}.`
          : [],
      ),
    ];
    if (lines.length > 1)
      lines.push(
        "The backup does not know which units were used after it was taken. --counters decides how they are counted: see mazaneh restore --help.",
      );
    return {
      json: { data: TARGET, ...backup, spent },
      text: `${lines.join("\n")}\n${damageOf(backup)}`,
      exitCode: backup.damages > 0 ? EXIT.damaged : EXIT.done,
    };
  },
});

/** What a backup lacks of its store, as a line; empty where it lacks nothing. */
function damageOf({ damages, damagedFiles }: Backup): string {
  if (damages === 0) return "";
  const places = damages === 1 ? "a place that" : `${formatCount(damages)} places that`;
  return `It lacks ${places} could not be read, in ${damagedFiles.join(", ")}; the damaged files are in its quarantine/. Run mazaneh repair, or use a backup from before.\n`;
}

function contentOf({ records, accounts, keys, days, imports }: CopyCounts): string {
  const counted = [
    [records, "records"],
    [accounts, "accounts"],
    [keys, "keys"],
    [imports, "imports and withdrawals"],
  ] as const;
  return `${counted.map(([count, what]) => `${formatCount(count)} ${what}`).join(", ")}, counters of ${formatCount(days)} quota days`;
}
