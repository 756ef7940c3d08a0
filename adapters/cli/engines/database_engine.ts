import { setTimeout as delay } from "node:timers/promises";
import { thisProcess } from "../../server/this_process.ts";
import { connectionOf } from "../../stores/postgres/connection.ts";
import { demandLedger } from "../../stores/postgres/external_ledger_id.ts";
import { openPostgres } from "../../stores/postgres/mod.ts";
import { createRedisQuota, type RedisQuota } from "../../stores/redis/mod.ts";
import { ANSWER_MS } from "../../stores/shared/answer_in_time.ts";
import type { Engine, OpenOptions, StoreAccess, StoreReader } from "../../stores/shared/engine.ts";
import { reportingChanges } from "../../stores/shared/report_changes.ts";
import type { Store, StoreChange } from "../../stores/shared/store.ts";
import { withDeadline } from "../../stores/shared/with_deadline.ts";
import { messageOf } from "../command_failure.ts";
import type { ServerAddress } from "../store_setting.ts";
import type { EngineContext } from "./engine.ts";
import {
  COMMAND_LOCK_MS,
  openPostgresClient,
  openRedisClient,
  type PostgresClientOptions,
} from "./open_database_clients.ts";

/** The database servers that an engine uses. */
export interface DatabasePlace {
  readonly store: ServerAddress;
  readonly quota: ServerAddress | "store";
}

const SERVER = { max: 10, statementMs: 10_000, follow: true, counts: true };
const COMMAND = { max: 4, lockMs: COMMAND_LOCK_MS, follow: false, counts: false };
/** A request gets 503 if PostgreSQL or Redis takes longer than `ms`, or if `maxWaiting` requests already wait. */
const DEADLINE = { ms: ANSWER_MS, maxWaiting: 1_000 };

/** How a store is opened. */
interface Use extends PostgresClientOptions {
  readonly follow: boolean;
  /** Whether to open the ledger, which is needed to count units and to read counters. */
  readonly counts: boolean;
}

/** A database that does not answer must not delay the end of a process. */
const CLOSE_MS = 2_000;

/** A store on PostgreSQL that counts units there or in Redis. Each server or command opens its own connections. */
export function databaseEngine(
  { store: database, quota: ledger }: DatabasePlace,
  { clock, terminal }: EngineContext,
): Engine {
  const name = ledger === "store" ? database.name : `${database.name}, with units in ${ledger.name}`;

  async function open({ follow, counts, ...limits }: Use) {
    const ends: (() => Promise<unknown>)[] = [];
    const close = async (): Promise<void> => {
      for (const end of ends.splice(0).reverse())
        await Promise.race([end(), delay(CLOSE_MS, undefined, { ref: false })]);
    };
    try {
      const postgres = await openPostgresClient(database, limits);
      ends.push(postgres.close);
      const store = await openPostgres(postgres.pool, { clock, follow, prepare: postgres.prepare });
      ends.push(store.close);
      const opened = { ...store, leaveConnections: postgres.leaveConnections, close };
      if (!counts) return opened;
      const redis = ledger === "store" ? undefined : await openRedisClient(ledger);
      if (redis) ends.push(redis.close);
      const quota = redis && (await createRedisQuota(redis.client));
      if (quota) ends.push(quota.close);
      await demandLedger(connectionOf(postgres.pool, postgres).query, quota?.ledgerId);
      if (!quota) return opened;
      const warnings = [...store.warnings, ...quota.warnings];
      return { ...opened, quota, watcher: bothWatchers(store.watcher, quota.watcher), warnings };
    } catch (error) {
      await close();
      throw error;
    }
  }

  /** Opens the store for a command. Records the command's changes in the database, so that all servers log them. */
  async function openNoting(): Promise<StoreAccess> {
    const { observations, accounts, imports, changes, close } = await open(COMMAND);
    // If the change cannot be recorded, it stays in force, but no server logs it. The command then prints a warning.
    const note = (change: StoreChange): Promise<void> =>
      changes.note(change).catch((error: unknown) => {
        const { user, program, pid, what } = change;
        terminal.note(
          `Warning: no server will log this change, as it could not be recorded (${messageOf(error)}): ${user} (${program}, process ${pid}) ${what}`,
        );
      });
    const noting = reportingChanges(
      {
        append: async (...batch: Parameters<StoreAccess["append"]>) => observations.append(...batch),
        update: async (changes: Parameters<StoreAccess["update"]>[0]) => accounts.update(changes),
        imports,
      },
      thisProcess(),
      note,
    );
    return { ...noting, book: async () => accounts.book(), close };
  }

  return {
    name,
    async open({ onChange }: OpenOptions = {}) {
      const store = await open(SERVER);
      await store.changes.news();
      const reportNews = async (): Promise<void> =>
        (await store.changes.news()).forEach((change) => onChange?.(change));
      const { observations, accounts, quota, timeLimit } = withDeadline(store, DEADLINE);
      const changing = { append: store.observations.append, update: store.accounts.update, imports: store.imports };
      // A change that this server makes itself, e.g. for a push, appears only in the log of this server.
      const { append, update, imports } = onChange ? reportingChanges(changing, thisProcess(), onChange) : changing;
      return {
        ...store,
        imports,
        // If a sweep fails, the next sweep tries again.
        watcher: {
          ...store.watcher,
          async sweep() {
            const others = [reportNews(), store.leaveConnections()].map((work) => work.catch(() => {}));
            await Promise.all([store.watcher.sweep?.(), ...others]);
          },
        },
        observations: { ...store.observations, ...observations, append },
        accounts: { ...store.accounts, ...accounts, update },
        quota: { ...store.quota, ...quota },
        timeLimit,
      };
    },
    reach: openNoting,
    async read(): Promise<StoreReader> {
      const { observations, accounts, info, bytes, close } = await open(COMMAND);
      return {
        book: () => accounts.book(),
        async *usage(query) {
          const counting = await open({ ...COMMAND, counts: true });
          try {
            yield* counting.quota.usage(query);
          } finally {
            await counting.close();
          }
        },
        market: async () => ({ storeId: (await info()).storeId, observations, damages: [], bytes }),
        close,
      };
    },
    async verify() {
      const { verify, close } = await open(COMMAND);
      return verify().finally(close);
    },
  };
}

function bothWatchers(store: Store["watcher"], quota: RedisQuota["watcher"]): Store["watcher"] {
  return {
    ...store,
    troubles: () => [...store.troubles(), ...quota.troubles()],
    canServe: () => (store.canServe?.() ?? true) && quota.troubles().length === 0,
    async sweep() {
      await Promise.all([store.sweep?.(), quota.sweep?.()]);
    },
  };
}
