import { after } from "node:test";
import { createClient } from "redis";
import {
  createRedisQuota,
  type InitRedisQuotaOptions,
  initRedisQuota,
  type RedisClient,
  type RedisQuota,
  type RedisQuotaOptions,
} from "../../../adapters/stores/redis/mod.ts";
import { startRedis } from "../../support/redis_server.ts";

/** The servers for all test files of this process. `durable` keeps its data on disk. Absent if `redisMissing`. */
export const redis = (await startRedis())!;
export const durable = (await startRedis({ settings: { appendonly: "yes", appendfsync: "always" } }))!;

/** A client for a test, with the additional methods that tests need. */
export interface TestClient {
  readonly client: RedisClient;
  /** Sends any command. */
  command(...args: readonly [string, ...string[]]): Promise<unknown>;
  close(): void;
}

/** Connects as the adapter's README says. The client reconnects at once, so that tests need not wait. */
async function connectTo(port: number, password?: string): Promise<TestClient> {
  const client = createClient({
    ...(password !== undefined && { password }),
    socket: { host: "127.0.0.1", port, reconnectStrategy: 20 },
    disableOfflineQueue: true,
  });
  client.on("error", () => {});
  await client.connect();
  return { client, command: (...args) => client.sendCommand(args), close: () => client.destroy() };
}

let prefixes = 0;

/** Opens clients and ledgers for a test file, and closes all of them at the end. */
export function createOpener(port: () => number): {
  connect(port?: number, password?: string): Promise<TestClient>;
  /** A new open ledger with its own prefix. */
  ledger(options?: RedisQuotaOptions & InitRedisQuotaOptions): Promise<RedisQuota>;
  /** A different prefix for each test. */
  prefix(): string;
} {
  const open: TestClient[] = [];
  after(() => open.forEach((one) => one.close()));
  const opener = {
    prefix: () => `test${++prefixes}`,
    async connect(at = port(), password?: string) {
      const connected = await connectTo(at, password);
      open.push(connected);
      return connected;
    },
    async ledger(options: RedisQuotaOptions & InitRedisQuotaOptions = {}) {
      const { client } = await opener.connect();
      const all = { prefix: opener.prefix(), ...options };
      await initRedisQuota(client, { counters: "as-backed-up", ...all });
      return createRedisQuota(client, all);
    },
  };
  return opener;
}

/** Calls `ask` until it returns a value and does not fail, for results that take a while. */
export async function eventually<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (const end = performance.now() + 60_000; ; ) {
    const found = await ask().catch((error: unknown) => {
      if (performance.now() > end) throw error;
      return undefined;
    });
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error("the expected result did not come within a minute");
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
