import { Stopped, watchSignals } from "../../server/signals.ts";
import { type CliContext, defineCommand } from "../command.ts";
import { CommandFailure, wrongUsage } from "../command_failure.ts";
import { databaseCopying } from "../engines/database_copying.ts";
import { filesCopying } from "../engines/files_engine.ts";
import { textOption } from "../parse_arguments.ts";
import { settingOptions, settingsInForce } from "../settings_sources.ts";
import { countOf, formatCount } from "../text_table.ts";

const WANTED =
  'a directory, a URL such as postgres://user@host:5432/database, or "store" for the database in MAZANEH_STORE';

const DETAILS = `Moves an installation: --from and --to are directories or PostgreSQL databases, e.g.

  mazaneh copy --from data --to postgres://owner@db.example/market
  mazaneh copy --from store --to data

The word store stands for the database in MAZANEH_STORE. Use it for a URL with a password, which
others on this machine could read in --from or --to. PGPASSWORD and ~/.pgpass work as well.

Copies prices of every status, accounts, plans, keys, used units, and imports with the data to undo
them, as of one moment. The source is not changed. Stop its servers first: later records and units
are not in the copy. The target must be new or empty; mazaneh migrate makes the tables of a
database. If the copy fails or is interrupted, the target stays empty; then copy again.

With --quota redis://…, the units of a database are counted in that Redis, whether the database is
the source or the target; with two databases, this applies to both. For the current quota days, the
target keeps the larger of both counts. Units that Redis does not know count as used.`;

/** `copy`: copies a store to any engine. */
export const copy = defineCommand({
  details: DETAILS,
  settings: [],
  options: {
    from: textOption("PLACE", "What to copy: a directory, postgres://…, or the word store"),
    to: textOption("PLACE", "Where to copy it, in the same form; must be new or empty"),
    ...settingOptions(["quota"]),
  },
  async run(context, { options }) {
    const { terminal, clock } = context;
    const [from, to] = [await findPlace("from", options, context), await findPlace("to", options, context)];
    const quota = from.quota === "store" ? to.quota : from.quota;
    if (quota === "store" && "quota" in options)
      throw wrongUsage("--quota is for a database: a store in files counts units itself");
    const { counts, counters } = await untilStopped((signal) =>
      from.copying.withContent(async (content) => {
        const progress = (records: number): void => {
          signal.throwIfAborted(); // An error here makes the target remove or roll back the whole copy.
          terminal.progress(`${formatCount(records)} records`);
        };
        const counts = await to.copying.make(content, { now: clock(), progress });
        return { counts, counters: content.usage.reduce((sum, { accounts }) => sum + accounts.length, 0) };
      }),
    );
    const { records, accounts, keys, days, imports } = counts;
    const text = [
      `Copied ${from.name} to ${to.name}${quota === "store" ? "" : `, with units in ${String(quota)}`}:`,
      `  ${countOf(records, "record")}`,
      `  ${countOf(accounts, "account")}`,
      `  ${countOf(keys, "key")}`,
      `  ${countOf(counters, "counter")} of ${countOf(days, "quota day")}`,
      `  ${countOf(imports, "import")}`,
      "Start servers only on the copy: units used at the source from now on are not counted in the copy.",
    ];
    const ledger = quota === "store" ? null : quota;
    return {
      json: { from: from.name, to: to.name, quota: ledger, records, accounts, keys, days, counters, imports },
      text: `${text.join("\n")}\n`,
    };
  },
});

/** Runs `work` until a signal stops it. A second signal ends the program at once. */
async function untilStopped<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  const interruption = watchSignals();
  try {
    return await work(interruption.signal);
  } catch (error) {
    throw error instanceof Stopped
      ? new CommandFailure(`The copy was ${error.message}, and all that it had copied was removed`, error.exitCode)
      : error;
  } finally {
    interruption.dispose();
  }
}

/** Finds the place that an option names. `quota`: the Redis that counts its units, or `store` for the store itself. */
async function findPlace(
  option: "from" | "to",
  options: Readonly<Record<string, unknown>>,
  { environment, clock }: CliContext,
) {
  const { quota, config, [option]: given } = options;
  const place = String(given ?? "");
  if (place === "") throw wrongUsage(`--${option} is missing: ${WANTED}`);
  // A mistyped URL must not become a directory, and messages must not show its password.
  const isDirectory = place !== "store" && !/^[a-z][a-z0-9+.-]*:\/|^postgres(?:ql)?:|:[^/:]*@/i.test(place);
  if (isDirectory) return { name: `"${place}"`, copying: filesCopying(place), quota: "store" as const };
  const { values } = await settingsInForce({ quota, config, ...(place !== "store" && { store: place }) }, environment);
  const { store, quota: ledger } = values;
  if (store === "files")
    throw wrongUsage(
      "MAZANEH_STORE does not name a database: set it to a URL such as postgres://user:password@host:5432/database",
    );
  return { name: store.name, copying: databaseCopying({ store, quota: ledger }, clock()), quota: ledger };
}
