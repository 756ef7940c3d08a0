import { connectionOf } from "../../stores/postgres/connection.ts";
import { notedLedger, noteLedger } from "../../stores/postgres/external_ledger_id.ts";
import { type Migrated, migrate } from "../../stores/postgres/mod.ts";
import { demandWritable } from "../../stores/redis/init_ledger.ts";
import { initRedisQuota, LEDGER_COUNTERS, type RedisLedger } from "../../stores/redis/mod.ts";
import { StoreError } from "../../stores/shared/store_error.ts";
import { defineCommand } from "../command.ts";
import { CommandFailure, EXIT, wrongUsage } from "../command_failure.ts";
import { COMMAND_LOCK_MS, openPostgresClient, openRedisClient } from "../engines/open_database_clients.ts";
import { readChoice, textOption } from "../parse_arguments.ts";
import { commandNotes } from "../setting_conflicts.ts";

const DETAILS = `Makes the tables in the schema "mazaneh" of the database in --store, or updates them to the version
that this program needs, in one transaction. Run it once before the first start, and after each
upgrade; running it again does no harm. Tables of a later version are refused. The role needs the
right to create a schema in the database. Servers need less: --grant-to gives their role the right to
read and write the data.

With --quota redis://… it also makes the ledger of units there. From then on units are counted only
there, and no server starts without that Redis. Only mazaneh copy transfers units that the database
has counted so far. If units may have been used before, because Redis lost its data or you use
another Redis, choose with --counters how they count:
  spent           accounts that have used a unit of the quota day have none left; if the ledger
                  is lost, this applies to all accounts
  all-spent       no account with a limit has units left until the next quota day
  as-backed-up    counters are as Redis has them: from zero in an empty one, so units may be given
                  twice; after spent or all-spent, accounts get their unused units again`;

/** `migrate`: makes or updates the tables and the ledger of a store in a database. */
export const migrateCommand = defineCommand({
  details: DETAILS,
  settings: ["store", "quota", "quotaTimeZone"],
  options: {
    "grant-to": textOption("ROLE", "Role of the servers: gives it the right to read and write the data"),
    counters: textOption("HOW", `How to count units that may have been used already: ${LEDGER_COUNTERS.join(", ")}`),
  },
  async run({ terminal, environment, clock }, { options, settings }) {
    const { "grant-to": grantTo, counters: how } = options;
    const counters = how === undefined ? undefined : readChoice("--counters", how, LEDGER_COUNTERS);
    for (const note of commandNotes(settings, environment)) terminal.note(note);
    const { store, quota, quotaTimeZone } = settings.values;
    if (store === "files")
      throw wrongUsage(
        "A store in files needs no tables. Name a database with --store postgres://user@host:5432/database or with MAZANEH_STORE",
      );
    if (quota === "store" && counters)
      throw wrongUsage(
        "--counters is for a ledger in Redis: name it with --quota redis://host:6379/0 or with MAZANEH_QUOTA",
      );
    const redis = quota === "store" ? undefined : await openRedisClient(quota);
    const postgres = await openPostgresClient(store, { max: 1, lockMs: COMMAND_LOCK_MS });
    try {
      // Check the ledger before making the tables. If this check came later and failed, the next run would find tables,
      // and could no longer know that no unit was used.
      const { query } = connectionOf(postgres.pool, postgres);
      if (redis) {
        const there = await demandWritable(redis.client);
        // Two installations with one ledger would use up each other's units.
        if (there !== undefined && counters === undefined && there !== (await notedLedger(query)))
          throw new CommandFailure(
            `${String(quota)} has a ledger of units that may belong to another installation. Give each installation a database of its own in Redis, e.g. redis://host:6379/1; or give --counters to use that ledger for this installation`,
            EXIT.config,
          );
      }
      const tables = await migrate(postgres.pool, grantTo === undefined ? {} : { grantTo });
      // If there were no tables, there were no accounts, so no unit was ever used.
      const beginning = counters ?? (tables.from === 0 ? "as-backed-up" : undefined);
      const beginOptions = { counters: beginning, quotaTimeZone, clock };
      const ledger = redis && (await initRedisQuota(redis.client, beginOptions).catch(demandCounters));
      if (ledger) await noteLedger(query, ledger.id);
      const lines = [
        tableText(String(store), tables, grantTo),
        ...(ledger ? [ledgerText(String(quota), ledger, counters)] : []),
      ];
      return {
        json: { store, ...tables, grantedTo: grantTo ?? null, quota: ledger ? { name: quota, ...ledger } : null },
        text: `${lines.join("\n")}\n`,
      };
    } finally {
      await Promise.all([postgres.close(), redis?.close()]);
    }
  },
});

/** Rethrows an error. If the operator must decide which units count as used, the failure says so. */
function demandCounters(error: unknown): never {
  throw error instanceof StoreError
    ? new CommandFailure(`${error.message}. Choose with --counters`, error.exitCode, { cause: error })
    : error;
}

function tableText(store: string, { from, to }: Migrated, grantTo: string | undefined): string {
  let done = `Updated the tables in ${store} from version ${from} to ${to}.`;
  if (from === 0) done = `Made the tables in ${store}, version ${to}.`;
  if (from === to) done = `The tables in ${store} have version ${to} already.`;
  return grantTo === undefined ? done : `${done} Role ${grantTo} may read and write the data.`;
}

function ledgerText(quota: string, { made }: RedisLedger, counters: string | undefined): string {
  if (made) return `Made the ledger of units in ${quota}.`;
  return `The ledger of units in ${quota} stays in use${counters === undefined ? "" : `, with --counters ${counters}`}.`;
}
