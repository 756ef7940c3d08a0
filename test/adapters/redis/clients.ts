import { after } from "node:test";
import { Redis } from "ioredis";
import { createClient } from "redis";
import { createRedisQuota, initRedisQuota } from "../../../adapters/redis/mod.ts";
import type { InitRedisQuotaOptions, RedisClient, RedisQuota, RedisQuotaOptions } from "../../../adapters/redis/mod.ts";

/** A client of a test, and what the tests need of it besides. */
export interface TestClient {
  readonly client: RedisClient;
  /** Sends any command. */
  command(...args: readonly [string, ...string[]]): Promise<unknown>;
  close(): void;
}

/** How each client library connects, as the adapter's page says. A client reconnects at once, so that tests need not wait. */
export const CLIENTS: Readonly<Record<"node-redis" | "ioredis", (port: number, password?: string) => Promise<TestClient>>> = {
  async "node-redis"(port, password) {
    const client = createClient({ ...(password !== undefined && { password }), socket: { host: "127.0.0.1", port, reconnectStrategy: 20 }, disableOfflineQueue: true });
    client.on("error", () => {});
    await client.connect();
    return { client, command: (...args) => client.sendCommand(args), close: () => client.destroy() };
  },
  async ioredis(port, password) {
    const client = new Redis({
      ...{ host: "127.0.0.1", port, ...(password !== undefined && { password }), lazyConnect: true, retryStrategy: () => 20 },
      ...{ enableOfflineQueue: false, autoResendUnfulfilledCommands: false, maxRetriesPerRequest: 0 },
    });
    client.on("error", () => {});
    await client.connect();
    return { client, command: (command, ...args) => client.call(command, args), close: () => client.disconnect() };
  },
};

/** The libraries with which each test runs. */
export const LIBRARIES = ["node-redis", "ioredis"] as const;

/** Opens clients and ledgers of a test file, and closes all of them in the end. */
export function createOpener(port: () => number): {
  connect(library: (typeof LIBRARIES)[number], port?: number, password?: string): Promise<TestClient>;
  /** An open ledger of its own prefix, made anew. */
  ledger(library: (typeof LIBRARIES)[number], options?: RedisQuotaOptions & InitRedisQuotaOptions): Promise<RedisQuota>;
  /** Another prefix for each test. */
  prefix(): string;
} {
  const open: TestClient[] = [];
  let prefixes = 0;
  after(() => open.forEach((one) => one.close()));
  const opener = {
    prefix: () => `test${++prefixes}`,
    async connect(library: (typeof LIBRARIES)[number], at = port(), password?: string) {
      const connected = await CLIENTS[library](at, password);
      open.push(connected);
      return connected;
    },
    async ledger(library: (typeof LIBRARIES)[number], options: RedisQuotaOptions & InitRedisQuotaOptions = {}) {
      const { client } = await opener.connect(library);
      const all = { prefix: opener.prefix(), ...options };
      await initRedisQuota(client, { counters: "as-backed-up", ...all });
      return createRedisQuota(client, all);
    },
  };
  return opener;
}

/** Calls `ask` until it gives something else than `undefined` or a failure; for what comes back after a while. */
export async function eventually<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      const found = await ask();
      if (found !== undefined) return found;
    } catch (error) {
      if (tries > 400) throw error;
    }
    if (tries > 400) throw new Error("it did not happen");
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
