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

/** A client for a test, and a function that sends any command. */
export interface TestClient {
  readonly client: RedisClient;
  command(...args: readonly [string, ...string[]]): Promise<unknown>;
}

/** How long a ledger waits for an answer of Redis, unless a test sets it: long enough for a busy machine. */
export const timeoutMs = 60_000;

let prefixes = 0;

/** Opens clients and ledgers for a test file, and closes all of them at the end. */
export function createOpener(port: () => number): {
  connect(port?: number, password?: string): Promise<TestClient>;
  /** A new open ledger with its own prefix. */
  ledger(options?: RedisQuotaOptions & InitRedisQuotaOptions): Promise<RedisQuota>;
  /** A different prefix for each test. */
  prefix(): string;
} {
  const opener = {
    prefix: () => `test${++prefixes}`,
    /** Connects as the adapter's README says. The client reconnects at once, so that tests need not wait. */
    async connect(at = port(), password?: string): Promise<TestClient> {
      const client = createClient({
        ...(password !== undefined && { password }),
        socket: { host: "127.0.0.1", port: at, reconnectStrategy: 20 },
        disableOfflineQueue: true,
      });
      client.on("error", () => {});
      await client.connect();
      after(() => client.destroy());
      return { client, command: (...args) => client.sendCommand(args) };
    },
    async ledger(options: RedisQuotaOptions & InitRedisQuotaOptions = {}) {
      const { client } = await opener.connect();
      const all = { prefix: opener.prefix(), timeoutMs, ...options };
      await initRedisQuota(client, { counters: "as-backed-up", ...all });
      return createRedisQuota(client, all);
    },
  };
  return opener;
}
