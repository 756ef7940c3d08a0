import { createClient } from "redis";
import { createMemoryStore } from "../../adapters/memory_store.ts";
import { createNodeServer, nodeSystem } from "../../adapters/node/mod.ts";
import { createRedisQuota } from "../../adapters/redis/mod.ts";
import { createApi } from "../../core/mod.ts";
import type { AccountChange, Observation } from "../../core/mod.ts";

// One instance of a service whose units are counted in Redis. Its accounts and prices are those that it is given.

/** What the program is given as its argument, in JSON. */
export interface InstanceSettings {
  readonly redis: string;
  readonly changes: readonly AccountChange[];
  readonly records: readonly Observation[];
}

const { redis, changes, records } = JSON.parse(process.argv[2]!) as InstanceSettings;
const { accounts, observations } = createMemoryStore();
accounts.update(changes);
await observations.append(records);
const client = createClient({ url: redis, disableOfflineQueue: true, socket: { reconnectStrategy: () => 20 } });
client.on("error", () => {});
await client.connect();
const quota = await createRedisQuota(client);
const server = createNodeServer(createApi({ ...nodeSystem, observations, accounts, quota }), { limits: { requests: 1_000 } });
const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
process.stdout.write(`http://127.0.0.1:${port}\n`);
