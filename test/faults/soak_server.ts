// The server of the soak test: a store and a hardened server in a separate process, with a fast clock, so that quota
// days are short. Its parent requests samples, key replacements and backups.
import { readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createNodeServer, nodeSystem } from "../../adapters/http/node/mod.ts";
import { backupStore, openJsonFiles, verifyStore } from "../../adapters/stores/json_files/mod.ts";
import {
  type AccountId,
  createApi,
  createIngest,
  createKey,
  issueKey,
  type KeyId,
  type UtcMillis,
} from "../../core/mod.ts";

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
  let rich = await createKey(store.accounts, system, "rich", { plan: "RICH" });
  const limited = await createKey(store.accounts, system, "limited", { plan: "LIMITED" });
  const ingest = createIngest({ ...system, ...store });
  const server = createNodeServer(createApi({ ...system, ...store }));
  const address = await server.listen({ host: "127.0.0.1", port: 0 });

  async function answer(op: unknown): Promise<unknown> {
    if (op === "sample") {
      globalThis.gc?.();
      return {
        residentMb: process.memoryUsage.rss() / 1e6,
        files: readdirSync("/proc/self/fd").length,
      } satisfies SoakSample;
    }
    if (op === "record")
      return ingest([
        {
          code: "USD_RLS",
          value: 1_900_000 + (clock() % 50_021),
          businessTime: new Date(clock() - 1_000).toISOString(),
        },
      ]);
    if (op === "roll") {
      const issued = await issueKey(system, {
        accountId: "rich" as AccountId,
        createdAt: clock(),
        expiresAt: null,
        note: "",
      });
      const at = (clock() + DAY_MS) as UtcMillis;
      await store.access.update([
        { op: "key.create", entry: issued.entry },
        { op: "key.expire", id: rich.slice(8, 16) as KeyId, at },
      ]);
      return (rich = issued.key);
    }
    if (op === "backup") {
      await backupStore(data, `${data}.backup`, { now: clock() });
      const { state } = await verifyStore(`${data}.backup`);
      await rm(`${data}.backup`, { recursive: true });
      return state;
    }
    await server.close();
    await store.close();
    return undefined;
  }
  process.on("message", async (op) => {
    const result = await answer(op);
    process.send?.({ result: result ?? null }, () => op === "stop" && process.exit(0));
  });
  process.send?.({ origin: `http://127.0.0.1:${address.port}`, rich, limited } satisfies SoakStart);
}

const setup = process.env["SOAK_SETUP"];
if (process.send && setup !== undefined) await main(JSON.parse(setup) as SoakSetup);
