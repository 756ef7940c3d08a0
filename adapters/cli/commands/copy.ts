import { type Interruption, Stopped, watchSignals } from "../../server/signals.ts";
import type { Copying } from "../../stores/shared/store_copying.ts";
import { type CliContext, defineCommand } from "../command.ts";
import { CommandFailure, wrongUsage } from "../command_failure.ts";
import { databaseCopying } from "../engines/database_copying.ts";
import { filesCopying } from "../engines/files_engine.ts";
import { settingOptions, settingsInForce } from "../settings_sources.ts";
import type { ServerAddress } from "../store_setting.ts";
import { formatCount } from "../text_table.ts";

const WANTED = "a directory, a URL such as postgres://user@host:5432/database, or store for what MAZANEH_STORE says";

const DETAILS = `Moves an installation: --from and --to are directories or PostgreSQL databases, e.g.

  mazaneh copy --from data --to postgres://owner@db.example/market
  mazaneh copy --from store --to data

The word store means the database that MAZANEH_STORE names, which may have a password; others on this
machine could read one in --from or --to. PGPASSWORD and ~/.pgpass work as well.

Prices of all statuses, accounts, plans, keys, units used, and imports with what their undo needs are
copied as of one moment. Nothing of the source is changed. Stop its servers first: what is written
and counted there afterwards is not in the copy. The target must be new or empty; mazaneh migrate
makes the tables of a database. It holds all of the copy or, where that fails or is interrupted,
nothing; then copy again.

With --quota redis://… a database counts its units in that Redis, also where it is the source. Units
of the quota days in force become there what the source has, or stay where they are more. Between
two databases both use it. What Redis does not know counts as used.`;

/** `copy`: makes a store of another one, on any engine. */
export const copy = defineCommand({
  details: DETAILS,
  options: {
    from: { kind: "text", placeholder: "PLACE", summary: "Directory, postgres://…, or the word store" },
    to: { kind: "text", placeholder: "PLACE", summary: "The same for the copy, which must be new or empty" },
    ...settingOptions(["quota"]),
  },
  async run(context, { options }) {
    const { terminal, clock } = context;
    const [from, to] = [await findPlace("from", options, context), await findPlace("to", options, context)];
    const quota = from.quota === "store" ? to.quota : from.quota;
    if (quota === "store" && options.quota !== undefined)
      throw wrongUsage("--quota is for a database: a store in files counts units itself");
    const { counts, counters } = await untilStopped(({ signal }) =>
      from.copying.withContent(async (content) => {
        const progress = (records: number): void => {
          signal.throwIfAborted(); // Then all of the copy is removed, or rolled back.
          terminal.progress(`${formatCount(records)} records`);
        };
        const counts = await to.copying.make(content, { now: clock(), progress });
        return { counts, counters: content.usage.reduce((sum, { accounts }) => sum + accounts.length, 0) };
      }),
    );
    const { records, accounts, keys, days, imports } = counts;
    const text = [
      `Copied ${from.name} to ${to.name}${quota === "store" ? "" : `, with units in ${String(quota)}`}:`,
      ...[`  ${formatCount(records)} records`, `  ${formatCount(accounts)} accounts`, `  ${formatCount(keys)} keys`],
      ...[
        `  ${formatCount(counters)} counters of ${formatCount(days)} quota days`,
        `  ${formatCount(imports)} imports and withdrawals`,
      ],
      "Start servers on the copy alone: units used at the source from now on do not count in it.",
    ];
    return {
      json: {
        from: from.name,
        to: to.name,
        quota: quota === "store" ? null : quota,
        records,
        accounts,
        keys,
        days,
        counters,
        imports,
      },
      text: `${text.join("\n")}\n`,
    };
  },
});

/** Copies until a signal stops the program, which then says so. A second signal ends it at once. */
async function untilStopped<Value>(work: (interruption: Interruption) => Promise<Value>): Promise<Value> {
  const interruption = watchSignals();
  try {
    return await work(interruption);
  } catch (error) {
    throw error instanceof Stopped
      ? new CommandFailure(`The copy was ${error.message}, and nothing of it is left`, error.exitCode)
      : error;
  } finally {
    interruption.dispose();
  }
}

interface Place {
  readonly name: string;
  readonly copying: Copying;
  /** Where it counts units. */
  readonly quota: ServerAddress | "store";
}

/** Finds out what a place is, and the ledger of a database. */
async function findPlace(
  option: "from" | "to",
  options: Readonly<Record<string, unknown>>,
  { environment, clock }: CliContext,
): Promise<Place> {
  const { quota, config, [option]: given } = options;
  const place = String(given ?? "");
  if (place === "") throw wrongUsage(`--${option} is missing: ${WANTED}`);
  // Whatever could be a URL, as a mistyped one must not become a directory, or be shown with its password.
  const isDirectory = place !== "store" && !/^[a-z][a-z0-9+.-]*:\/|^postgres(?:ql)?:|:[^/:]*@/i.test(place);
  if (isDirectory) return { name: `"${place}"`, copying: filesCopying(place), quota: "store" };
  const { values } = await settingsInForce({ quota, config, ...(place !== "store" && { store: place }) }, environment);
  const { store } = values;
  if (store === "files")
    throw wrongUsage(
      "MAZANEH_STORE names no database: set it to a URL such as postgres://user:password@host:5432/database",
    );
  return {
    name: String(store),
    copying: databaseCopying({ store, quota: values.quota }, clock()),
    quota: values.quota,
  };
}
