import { execFileSync } from "node:child_process";
import { nodeSystem } from "../../../adapters/node/mod.ts";
import { issueKey } from "../../../core/mod.ts";
import type { AccountId, UtcMillis } from "../../../core/mod.ts";
import { startServer } from "../support/server.ts";
import type { StartOptions, StartedServer } from "../support/server.ts";
import type { InstanceSetup } from "./instance.ts";

/** The source of an instance. */
export const INSTANCE = "test/bench/scale_out/instance.ts";

/** A filled store, and the instances that serve it. */
export interface House {
  readonly key: string;
  readonly instances: readonly StartedServer[];
}

/** Fills a store with prices up to `now` and a key, and starts instances on it. `program` is the built instance.ts. */
export async function openHouse(program: string, now: number, { store }: InstanceSetup, instances: number, options: StartOptions): Promise<House> {
  const { key, entry } = await issueKey(nodeSystem, { accountId: "rich" as AccountId, createdAt: now as UtcMillis });
  execFileSync(process.execPath, [program, JSON.stringify({ store, fill: { now, entry } } satisfies InstanceSetup)], { stdio: "inherit" });
  const started: StartedServer[] = [];
  while (started.length < instances) started.push(await startServer([program, JSON.stringify({ store } satisfies InstanceSetup)], options));
  return { key, instances: started };
}
