// Opens all ledgers in one process and takes units of them, as it is told. JavaScript as users get it.
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { createClient } from "redis";
import { openJsonFiles } from "../../../adapters/json_files/mod.ts";
import { migrate, openPostgres } from "../../../adapters/postgres/mod.ts";
import { createRedisQuota, initRedisQuota } from "../../../adapters/redis/mod.ts";
import { systemClock } from "../../../adapters/system.ts";
import type { AccountId, CalendarDate, QuotaLedger } from "../../../core/mod.ts";
import { answerOrders } from "../support/orders.ts";
import { collectGarbage } from "../support/timing.ts";
import type { EngineUrls } from "./engines.ts";

/** What is taken: so many units as fit into the time, by callers that each wait for their own. */
export interface TakesOrder {
  readonly ledger: string;
  readonly accounts: number;
  readonly seconds: number;
  readonly callers: number;
}

/** What this process is told first. */
export interface LedgersOrder {
  readonly urls: EngineUrls;
  /** Where the JSON files go: not into memory. */
  readonly directory: string;
}

const DAY = "2026-11-22" as CalendarDate;
let ledgers: ReadonlyMap<string, QuotaLedger>;
let runs = 0;

answerOrders((message) => {
  const order = message as LedgersOrder | TakesOrder;
  return "urls" in order ? open(order) : take(order);
});

/** Opens the ledgers; returns their names. All of them give exactly 10 of the last 10 units to 500 takes. */
async function open({ urls, directory }: LedgersOrder): Promise<readonly string[]> {
  const pool = new pg.Pool({ connectionString: urls.postgres });
  pool.on("error", () => {});
  await migrate(pool);
  ledgers = new Map<string, QuotaLedger>([
    ["JSON files", (await openJsonFiles(mkdtempSync(join(directory, "ledger-")), { clock: systemClock })).quota],
    ["Redis, appendfsync everysec", await openRedisLedger(urls.redisEachSecond)],
    ["Redis, appendfsync always", await openRedisLedger(urls.redis)],
    ["PostgreSQL", (await openPostgres(pool, { clock: systemClock })).quota],
  ]);
  for (const [name, ledger] of ledgers) {
    for (let used = 1; used <= 40; used++) await ledger.take("checked" as AccountId, DAY, 50);
    const taken = await Promise.all(Array.from({ length: 500 }, async () => ledger.take("checked" as AccountId, DAY, 50)));
    const granted = taken.filter((one) => one.granted).length;
    if (granted !== 10) throw new Error(`${name} has granted ${granted} of the last 10 units`);
  }
  return [...ledgers.keys()];
}

async function openRedisLedger(url: string): Promise<QuotaLedger> {
  const client = createClient({ url, disableOfflineQueue: true });
  client.on("error", () => {});
  await client.connect();
  await initRedisQuota(client, { counters: "as-backed-up" });
  return createRedisQuota(client);
}

/** Returns the microseconds on the clock for a take. The accounts have used nothing before. */
async function take({ ledger: name, accounts, seconds, callers }: TakesOrder): Promise<number> {
  const ledger = ledgers.get(name)!;
  const run = ++runs;
  const names = Array.from({ length: accounts }, (_, at) => `run${run}-${at}` as AccountId);
  const limit = 10_000_000 / accounts;
  let taken = 0;
  collectGarbage();
  const began = performance.now();
  const end = began + seconds * 1_000;
  await Promise.all(Array.from({ length: callers }, async (_, caller) => {
    for (let at = caller; performance.now() < end; at += callers) {
      const { granted } = await ledger.take(names[at % accounts]!, DAY, limit);
      if (!granted) throw new Error(`${name} grants no more of ${limit} units`);
      // A ledger in memory answers without waiting, and would never let the other callers in.
      if (++taken % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }));
  return ((performance.now() - began) * 1_000) / taken;
}
