// The server under attack: a standalone server with its own store in a separate process.
// It sends the parent process its address and a key, and on request its peak memory or its memory in use.
import { readdirSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { nodeSystem } from "../../adapters/http/node/mod.ts";
import { startStandalone } from "../../adapters/server/standalone.ts";
import { jsonFilesEngine } from "../../adapters/stores/json_files/engine.ts";
import { type AssetCode, createIngest, createKey } from "../../core/mod.ts";

export const CODE = "USD_RLS" as AssetCode;
export const CANDLE_MS = 900_000;
/** The maximum number of candles in one answer. The store has records for 200 such answers. */
export const LONGEST = 10_000;
export const RECORDS = LONGEST + 300;

/** The server's message when it listens. */
export interface Listening {
  readonly origin: string;
  readonly key: string;
  /** A key for pushes. */
  readonly writeKey: string;
  /** The business time of the server's first record. There is one record for each candle. */
  readonly firstMs: number;
}

async function main(data: string): Promise<void> {
  const firstMs = (Math.floor(nodeSystem.clock() / CANDLE_MS) - RECORDS) * CANDLE_MS;
  const store = await jsonFilesEngine(data, nodeSystem).open();
  const large = { op: "plan.patch", name: "LARGE", dailyUnits: 10_000_000, attributionRequired: false } as const;
  await store.accounts.update([large]);
  const key = await createKey(store.accounts, nodeSystem, "client", { plan: "LARGE" });
  const writeKey = await createKey(store.accounts, nodeSystem, "writer", { plan: "LARGE", may: "write" });
  const record = (_: unknown, i: number) => ({
    code: CODE,
    value: 1_900_000 + ((i * 7_919) % 50_021),
    businessTime: new Date(firstMs + i * CANDLE_MS).toISOString(),
  });
  await createIngest({ ...nodeSystem, ...store })(Array.from({ length: RECORDS }, record));
  const server = await startStandalone({ store: async () => store, host: "127.0.0.1", port: 0, ingest: true });
  let peak = 0;
  let [used, longestTurn] = [process.cpuUsage(), 0];
  setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
    longestTurn = Math.max(longestTurn, millisecondsOf(process.cpuUsage(used)));
    used = process.cpuUsage();
  }, 5);
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  process.on("message", (what) => {
    if (what === "heap") collect();
    process.send?.({
      peak,
      heap: process.memoryUsage().heapUsed,
      cpu: millisecondsOf(process.cpuUsage()),
      longestTurn,
      files: readdirSync("/proc/self/fd").length,
    });
    longestTurn = 0;
    peak = process.memoryUsage.rss();
  });
  process.on("SIGTERM", () => void server.stop().then(() => process.exit(0)));
  process.send?.({ origin: `http://127.0.0.1:${server.address.port}`, key, writeKey, firstMs } satisfies Listening);
}

function millisecondsOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}

if (process.send && process.env["DOOR_DATA"] !== undefined) await main(process.env["DOOR_DATA"]);
