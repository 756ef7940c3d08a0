// An instance of a service, on JSON files or on PostgreSQL and Redis; or, when it is told so, what fills its store.
import pg from "pg";
import { createClient } from "redis";
import { openJsonFiles } from "../../../adapters/json_files/mod.ts";
import { createNodeServer, nodeSystem } from "../../../adapters/node/mod.ts";
import { migrate, openPostgres } from "../../../adapters/postgres/mod.ts";
import { createRedisQuota, initRedisQuota } from "../../../adapters/redis/mod.ts";
import { ASSETS, createApi } from "../../../core/mod.ts";
import type { AccountKeeper, Accounts, KeyEntry, Observation, ObservationWriter, Observations, QuotaLedger, UtcMillis } from "../../../core/mod.ts";
import { MANY_UNITS } from "../support/mazaneh.ts";

/** What the program is given as its argument, in JSON. */
export interface InstanceSetup {
  /** A directory, or the addresses of PostgreSQL and Redis. */
  readonly store: { readonly directory: string } | { readonly postgres: string; readonly redis: string };
  /** Present where the store is to be filled, and not served: the moment up to which there are prices, and the key of the load. */
  readonly fill?: { readonly now: number; readonly entry: KeyEntry };
}

interface Ports {
  readonly observations: Observations & ObservationWriter;
  readonly accounts: Accounts & AccountKeeper;
  readonly quota: QuotaLedger;
  close(): Promise<void>;
}

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const BATCH = 5_000;

const { store, fill } = JSON.parse(process.argv[2]!) as InstanceSetup;
const ports = "directory" in store ? await openJsonFiles(store.directory, { clock: nodeSystem.clock }) : await openShared(store);
if (fill) {
  await fillStore(ports, fill.now as UtcMillis, fill.entry);
  await ports.close();
  process.exit(0);
}
const { observations, accounts, quota } = ports;
const server = createNodeServer(createApi({ ...nodeSystem, observations, accounts, quota }), { limits: { requests: 1_000 } });
const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
process.stdout.write(`http://127.0.0.1:${port}\n`);

async function openShared({ postgres, redis }: { readonly postgres: string; readonly redis: string }): Promise<Ports> {
  const pool = new pg.Pool({ connectionString: postgres });
  pool.on("error", () => {});
  await migrate(pool);
  const client = createClient({ url: redis, disableOfflineQueue: true });
  client.on("error", () => {});
  await client.connect();
  if (fill) await initRedisQuota(client, { counters: "as-backed-up" });
  return { ...(await openPostgres(pool, { clock: nodeSystem.clock })), quota: await createRedisQuota(client) };
}

/** A year of minutes of BTC_USD, 40 days of minutes of USD_RLS, and 40 days of all other assets. */
async function fillStore({ observations, accounts }: Ports, now: UtcMillis, entry: KeyEntry): Promise<void> {
  await accounts.update([
    { op: "plan.patch", name: "MANY", dailyUnits: MANY_UNITS, attributionRequired: false },
    { op: "key.create", entry, plan: "MANY" },
  ]);
  let batch: Observation[] = [];
  for (const { code } of ASSETS) {
    const days = code === "BTC_USD" ? 366 : 40;
    const step = code === "BTC_USD" || code === "USD_RLS" ? MINUTE : DAY;
    for (let time = now - days * DAY, n = 0; time < now; time += step, n++) {
      const plain = { sourceTime: null, provider: "bench", qualityStatus: "ACCEPTED", qualityMessage: "" } as const;
      batch.push({ code, value: 1_000_000 + ((n * 7_919) % 9_973) * 50, businessTime: time as UtcMillis, insertTime: now, ...plain });
      if (batch.length < BATCH) continue;
      await observations.append(batch);
      batch = [];
    }
  }
  await observations.append(batch);
}
