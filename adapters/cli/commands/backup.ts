import { createZone, quotaDayAt } from "../../../core/internal.ts";
import { RESTORED_QUOTA, restoreStore } from "../../json_files/mod.ts";
import { demandOperands } from "../args.ts";
import { defineCommand } from "../command.ts";
import { engineFor } from "../with_store.ts";
import { demandFiles } from "../engine.ts";
import { wrongUsage } from "../failure.ts";
import { settingOptions, settingsInForce } from "../settings_sources.ts";
import { formatCount } from "../table.ts";
import type { CopyCounts } from "../../store/copy.ts";

const INSTEAD = "Copy a database with its own tools: PostgreSQL with pg_dump, and pg_restore puts it back";

/** `backup`: copies the data as of one moment. */
export const backup = defineCommand({
  name: "backup",
  operands: "DIR",
  summary: "Copy the data to a new directory, also while a server runs",
  details: `Copies the data as of one moment, also while a server runs. The copy holds everything that was
acknowledged before the command began. DIR appears when the copy is complete on the disk; it must be
new or empty, and the directory above it must exist. Damaged data are refused, so that no good
backup is replaced by a bad one. The backup holds no keys, only their digests, and no replaced
records.`,
  options: settingOptions(["data"]),
  async run(context, { options, operands }) {
    const { DIR } = demandOperands(operands, "DIR");
    const engine = demandFiles(await engineFor({ options, context }), INSTEAD);
    const made = await engine.backup(DIR);
    return { json: { backup: DIR, ...made }, text: `The backup ${DIR} holds ${contentOf(made)}.\n` };
  },
});

/** `restore`: makes a data directory from a backup. */
export const restore = defineCommand({
  name: "restore",
  operands: "BACKUP TARGET",
  summary: "Make a data directory from a backup",
  details: `Makes a data directory from a backup. TARGET must be new or empty, and appears when all of
the backup was read without damage and everything is on the disk. Clients
fetch answers that they have cached again.

A backup does not know which units were used after it was taken. --counters says how the units of the
current quota day are counted:
  spent           accounts that had used a unit of the day have none left [default]
  all-spent       no account with a limit has units left; choose this when the backup is from an
                  earlier day and no unit may be given twice
  as-backed-up    counters are as in the backup, so units may be given twice`,
  options: {
    counters: { kind: "text", placeholder: "HOW", summary: `${RESTORED_QUOTA.join(", ")} [default ${RESTORED_QUOTA[0]}]` },
    ...settingOptions(["quotaTimeZone"]),
  },
  async run({ environment, clock }, { options, operands }) {
    const { BACKUP, TARGET } = demandOperands(operands, "BACKUP", "TARGET");
    const { counters = RESTORED_QUOTA[0] } = options;
    const quota = RESTORED_QUOTA.find((known) => known === counters);
    if (!quota) throw wrongUsage(`--counters must be one of ${RESTORED_QUOTA.join(", ")}: received "${counters}"`);
    const { quotaTimeZone } = (await settingsInForce(options, environment)).values;
    const now = clock();
    const today = quotaDayAt(createZone(quotaTimeZone), now).date;
    const { backup, spent } = await restoreStore(BACKUP, TARGET, { now, today, quota });
    const lines = [
      `The backup of ${backup.takenAt} is restored in ${TARGET}: ${contentOf(backup)}.`,
      ...spent.flatMap(({ day, accounts }) => (accounts > 0 ? `${formatCount(accounts)} ${accounts === 1 ? "account has" : "accounts have"} no unit left of ${day}.` : [])),
    ];
    if (lines.length > 1) lines.push("The backup does not know which units were used after it was taken. --counters decides how they are counted: see mazaneh restore --help.");
    return { json: { data: TARGET, ...backup, spent }, text: `${lines.join("\n")}\n` };
  },
});

function contentOf({ records, accounts, keys, days, imports }: CopyCounts): string {
  const counted = [[records, "records"], [accounts, "accounts"], [keys, "keys"], [imports, "imports and withdrawals"]] as const;
  return `${counted.map(([count, what]) => `${formatCount(count)} ${what}`).join(", ")}, counters of ${formatCount(days)} quota days`;
}
