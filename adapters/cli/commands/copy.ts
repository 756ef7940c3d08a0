import type { Copying } from "../../store/copy.ts";
import { defineCommand } from "../command.ts";
import type { CliContext } from "../command.ts";
import { databaseCopying } from "../engines/database_copying.ts";
import { filesCopying } from "../engines/files_copying.ts";
import { CommandFailure, EXIT, wrongUsage } from "../failure.ts";
import { Stopped, watchSignals } from "../../signals.ts";
import type { Interruption } from "../../signals.ts";
import { noteLeftovers } from "../leftovers.ts";
import { settingOptions, settingsInForce } from "../settings_sources.ts";
import { flawOfStore, isAddress, readStore } from "../store_setting.ts";
import type { ServerAddress } from "../store_setting.ts";
import { formatCount } from "../table.ts";

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

type Place = { readonly directory: string } | ServerAddress | "store";

/** `copy`: makes a store of another one, on any engine. */
export const copy = defineCommand({
  name: "copy",
  operands: "",
  summary: "Copy everything to another place: from files to PostgreSQL, and back",
  details: DETAILS,
  options: {
    from: { kind: "text", placeholder: "PLACE", summary: "Directory, postgres://…, or the word store" },
    to: { kind: "text", placeholder: "PLACE", summary: "The same for the copy, which must be new or empty" },
    ...settingOptions(["quota"]),
  },
  async run(context, { options }) {
    const { terminal, clock } = context;
    const places = { from: readPlace("from", options.from), to: readPlace("to", options.to) };
    const { from, to, quota } = await findPlaces(places, options, context);
    if (typeof places.to === "object" && "directory" in places.to) await noteLeftovers(places.to.directory, terminal);
    const { counts, counters, leftOut } = await untilStopped(({ signal }) =>
      from.copying.withContent(async (content) => {
        const progress = (records: number): void => {
          signal.throwIfAborted(); // Then all of the copy is removed, or rolled back.
          terminal.progress(`${formatCount(records)} records`);
        };
        const counts = await to.copying.make(content, { now: clock(), progress });
        return { counts, counters: content.usage.reduce((sum, { accounts }) => sum + accounts.length, 0), leftOut: content.leftOut };
      }),
    );
    const { records, accounts, keys, days, imports } = counts;
    if (leftOut.length > 0) terminal.note(`These imports are not in the copy, where they could not be undone, as other records have their insert time: ${leftOut.join(", ")}. Their records are in it`);
    const text = [
      `Copied ${from.name} to ${to.name}${quota === "store" ? "" : `, with units in ${String(quota)}`}:`,
      ...[`  ${formatCount(records)} records`, `  ${formatCount(accounts)} accounts`, `  ${formatCount(keys)} keys`],
      ...[`  ${formatCount(counters)} counters of ${formatCount(days)} quota days`, `  ${formatCount(imports)} imports and withdrawals`],
      "Start servers on the copy alone: units used at the source from now on do not count in it.",
    ];
    await terminal.write(
      options.json
        ? `${JSON.stringify({ from: from.name, to: to.name, quota: quota === "store" ? null : quota, records, accounts, keys, days, counters, imports, leftOut })}\n`
        : `${text.join("\n")}\n`,
    );
    return EXIT.done;
  },
});

/** Copies until a signal stops the program, which then says so. A second signal ends it at once. */
async function untilStopped<Value>(work: (interruption: Interruption) => Promise<Value>): Promise<Value> {
  const interruption = watchSignals();
  try {
    return await work(interruption);
  } catch (error) {
    throw error instanceof Stopped ? new CommandFailure(`The copy was ${error.message}, and nothing of it is left`, error.exitCode) : error;
  } finally {
    interruption.dispose();
  }
}

function readPlace(option: "from" | "to", text: string | undefined): Place {
  if (text === undefined || text === "") throw wrongUsage(`--${option} is missing: ${WANTED}`);
  if (text === "store") return text;
  // Whatever could be a URL, as a mistyped one must not become a directory, or be shown with its password.
  if (!/^[a-z][a-z0-9+.-]*:\/|^postgres(?:ql)?:|:[^/]*@/i.test(text)) return { directory: text };
  const address = readStore(text);
  if (!isAddress(address)) throw new CommandFailure(`--${option} must be ${WANTED}: received ${flawOfStore(text)}`, EXIT.config);
  if (address.hasPassword) {
    throw new CommandFailure(`--${option}: a password on a command line can be read by all users of the machine: put the URL into MAZANEH_STORE and write --${option} store`, EXIT.config);
  }
  return address;
}

interface FoundPlace {
  readonly name: string;
  readonly copying: Copying;
}

/** Finds out what both places are, and the ledger of those that are databases. */
async function findPlaces(
  { from, to }: { readonly from: Place; readonly to: Place },
  { quota, config }: Readonly<Record<"quota" | "config", unknown>>,
  { environment, clock }: Pick<CliContext, "environment" | "clock">,
): Promise<{ readonly from: FoundPlace; readonly to: FoundPlace; readonly quota: ServerAddress | "store" }> {
  const places = [from, to];
  if (places.every((place) => place === "store")) throw wrongUsage("--from and --to are the same store");
  const url = places.includes("store") ? undefined : places.find(isAddress)?.url();
  const hasDatabase = places.includes("store") || url !== undefined;
  if (!hasDatabase && quota !== undefined) throw wrongUsage("--quota is for a database: a store in files counts units itself");
  const values = hasDatabase ? (await settingsInForce({ quota, config, store: url }, environment)).values : undefined;
  const ledger = values?.quota ?? "store";

  function find(place: Place): FoundPlace {
    if (typeof place === "object" && "directory" in place) return { name: `"${place.directory}"`, copying: filesCopying(place.directory) };
    const store = place === "store" ? values!.store : place;
    if (store === "files") throw wrongUsage("MAZANEH_STORE names no database: set it to a URL such as postgres://user:password@host:5432/database");
    return { name: String(store), copying: databaseCopying({ store, quota: ledger }, clock()) };
  }

  return { from: find(from), to: find(to), quota: ledger };
}
