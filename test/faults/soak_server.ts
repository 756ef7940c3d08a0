// The server of the soak test: a store and a hardened server in a separate process, with a fast clock, so that quota
// days are short. It stores a new record every 100 ms. Its parent requests samples.
import { readdirSync } from "node:fs";
import { createNodeServer, nodeSystem } from "../../adapters/http/node/mod.ts";
import { openJsonFiles } from "../../adapters/stores/json_files/mod.ts";
import { createApi, createIngest, createKey, type UtcMillis } from "../../core/mod.ts";

const DAY_MS = 86_400_000;

/** The server's settings. */
export interface SoakSetup {
  readonly data: string;
  /** The length of a quota day. */
  readonly daySeconds: number;
  readonly limitedUnits: number;
}

/** The server's message when it listens. */
export interface SoakStart {
  readonly origin: string;
  /** The keys of the account without a limit, and of the one with few units. */
  readonly rich: string;
  readonly limited: string;
}

/** The server's state after a garbage collection. */
export interface SoakSample {
  readonly residentMb: number;
  readonly files: number;
}

async function main({ data, daySeconds, limitedUnits }: SoakSetup): Promise<void> {
  const begun = Date.now();
  const clock = (): UtcMillis =>
    Math.round(begun + ((Date.now() - begun) * DAY_MS) / (daySeconds * 1_000)) as UtcMillis;
  const system = { ...nodeSystem, clock };
  const store = await openJsonFiles(data, system);
  await store.access.update([
    { op: "plan.patch", name: "RICH", dailyUnits: null, attributionRequired: false },
    { op: "plan.patch", name: "LIMITED", dailyUnits: limitedUnits, attributionRequired: false },
  ]);
  const rich = await createKey(store.accounts, system, "rich", { plan: "RICH" });
  const limited = await createKey(store.accounts, system, "limited", { plan: "LIMITED" });
  const ingest = createIngest({ ...system, ...store });
  const server = createNodeServer(createApi({ ...system, ...store }));
  const address = await server.listen({ host: "127.0.0.1", port: 0 });
  const recording = setInterval(async () => {
    const businessTime = new Date(clock() - 1_000).toISOString();
    await ingest([{ code: "USD_RLS", value: 1_900_000 + (clock() % 50_021), businessTime }]);
  }, 100);

  process.on("message", async (what) => {
    globalThis.gc?.();
    if (what === "stop") {
      clearInterval(recording);
      await server.close();
      await store.close();
    }
    const [residentMb, files] = [process.memoryUsage.rss() / 1e6, readdirSync("/proc/self/fd").length];
    process.send?.({ residentMb, files } satisfies SoakSample, () => what === "stop" && process.exit(0));
  });
  process.send?.({ origin: `http://127.0.0.1:${address.port}`, rich, limited } satisfies SoakStart);
}

const setup = process.env["SOAK_SETUP"];
if (process.send && setup !== undefined) await main(JSON.parse(setup) as SoakSetup);
