import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createClient } from "redis";
import { type ServerProcess, serverDirectory, startServer } from "./server_process.ts";

/** A Redis server for one test file. */
export interface RedisServer extends ServerProcess {
  readonly url: string;
  /** Deletes all data, as a failover to an empty server would. */
  flush(): Promise<void>;
}

/** A test's options for its server. */
export interface RedisOptions {
  /** Settings of redis.conf, e.g. `{ appendonly: "yes", "rename-command": ["EVAL", "other"] }`. Default: nothing is written to the disk. */
  readonly settings?: Readonly<Record<string, string | readonly string[]>>;
}

const PROGRAM = ["redis-server", "valkey-server"]
  .flatMap((name) => (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, name)))
  .find((path) => existsSync(path));

/** The reason why tests cannot use Redis here; `undefined` if they can. */
export const redisMissing: string | undefined =
  PROGRAM === undefined
    ? "there is no redis-server or valkey-server (Debian: apt-get install redis-server)"
    : undefined;

/**
 * Starts an empty Redis or Valkey that ends with the test file; `undefined` if neither is installed: see
 * `redisMissing`.
 */
export async function startRedis({ settings = {} }: RedisOptions = {}): Promise<RedisServer | undefined> {
  if (PROGRAM === undefined) return undefined;
  const directory = serverDirectory(undefined);
  const set = { bind: "127.0.0.1", dir: directory, save: "", appendonly: "no", ...settings };
  const server = await startServer({
    command: PROGRAM,
    args: (port) => [
      "--port",
      String(port),
      ...Object.entries(set).flatMap(([name, value]) => [`--${name}`, value].flat()),
    ],
    ready: /Ready to accept connections/,
    portInUse: /Address already in use/,
    stopSignal: "SIGTERM",
    directory,
  });
  const url = `redis://127.0.0.1:${server.port}`;
  return Object.assign(server, {
    url,
    async flush() {
      const client = createClient({ url });
      await client.connect();
      try {
        await client.flushAll();
      } finally {
        client.destroy();
      }
    },
  });
}
