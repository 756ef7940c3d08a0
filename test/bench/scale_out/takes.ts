// Opens all ledgers in one process. Each message names a ledger, from which the process then takes units.
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { createClient } from "redis";
import { systemClock } from "../../../adapters/http/web_system.ts";
import { openJsonFiles } from "../../../adapters/stores/json_files/mod.ts";
import { migrate, openPostgres } from "../../../adapters/stores/postgres/mod.ts";
import { createRedisQuota, initRedisQuota } from "../../../adapters/stores/redis/mod.ts";
import type { AccountId, CalendarDate, QuotaLedger } from "../../../core/mod.ts";
import { answerMessages } from "../support/processes.ts";
import type { EngineUrls } from "./engines.ts";

/** A run takes units for a fixed time. Each caller waits for its unit before it takes the next one. */
export interface LedgerOrder {
  readonly ledger: string;
  readonly accounts: number;
}

const [SECONDS, CALLERS] = [1, 64];

const DAY = "2026-11-22" as CalendarDate;
const { urls, directory } = JSON.parse(process.argv[2]!) as { readonly urls: EngineUrls; readonly directory: string };
const pool = new pg.Pool({ connectionString: urls.ledger });
pool.on("error", () => {});
await migrate(pool);
const ledgers = new Map<string, QuotaLedger>([
  ["JSON files", (await openJsonFiles(mkdtempSync(join(directory, "ledger-")), { clock: systemClock })).quota],
  ["Redis, appendfsync everysec", await openRedis(urls.redisEachSecond)],
  ["Redis, appendfsync always", await openRedis(urls.redis)],
  ["PostgreSQL", (await openPostgres(pool, { clock: systemClock })).quota],
]);
let runs = 0;
console.log(`ledgers: ${JSON.stringify([...ledgers.keys()])}`);
answerMessages((message) => take(message as LedgerOrder));

async function openRedis(url: string): Promise<QuotaLedger> {
  const client = createClient({ url, disableOfflineQueue: true });
  client.on("error", () => {});
  await client.connect();
  await initRedisQuota(client, { counters: "as-backed-up" });
  return createRedisQuota(client);
}

/** Returns the elapsed microseconds per taken unit. Each run uses new accounts. */
async function take({ ledger: name, accounts }: LedgerOrder): Promise<number> {
  const ledger = ledgers.get(name)!;
  const run = ++runs;
  let taken = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: CALLERS }, async (_, caller) => {
      for (let at = caller; performance.now() < began + SECONDS * 1_000; at += CALLERS) {
        const { granted } = await ledger.take(`run${run}-${at % accounts}` as AccountId, DAY, 10_000_000);
        if (!granted) throw new Error(`${name} grants no more units`);
        // Lets other callers run: a ledger in memory answers at once, so this loop would never yield to them.
        if (++taken % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    }),
  );
  return ((performance.now() - began) * 1_000) / taken;
}
