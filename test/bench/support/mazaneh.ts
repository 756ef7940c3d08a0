import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { openJsonFiles } from "../../../adapters/json_files/mod.ts";
import { systemClock } from "../../../adapters/system.ts";
import type { Observation } from "../../../core/mod.ts";
import { sampleObservations } from "../../../fixtures/sample.ts";
import { temporaryDirectory } from "./cleanup.ts";
import { startServer } from "./server.ts";
import type { StartOptions, StartedServer } from "./server.ts";

/** Our running program, with keys of its accounts. */
export interface RunningMazaneh {
  readonly server: StartedServer;
  /** Key of an account with a thousand million units a day. */
  readonly rich: string;
  /** Key of an account whose only unit of the day is used up. */
  readonly spent: string;
  /** When its sample archive was made. */
  readonly filledAt: number;
}

/** More units than any benchmark uses. */
export const MANY_UNITS = 1_000_000_000;

/** Starts the program on a new directory with the sample archive, with every feature on. */
export async function startMazaneh(main: string, options: StartOptions): Promise<RunningMazaneh> {
  const data = join(temporaryDirectory(), "data");
  const store = await openJsonFiles(data, { clock: systemClock });
  let batch: Observation[] = [];
  for (const observation of sampleObservations(systemClock())) {
    if (batch.push(observation) < 5_000) continue;
    await store.observations.append(batch);
    batch = [];
  }
  await store.observations.append(batch);
  await store.close();
  const server = await startServer([main, "serve", "--json", "--port", "0", "--data", data], options);
  run("plans", "set", "MANY", "--daily-units", String(MANY_UNITS), "--attribution", "no");
  run("plans", "set", "ONE", "--daily-units", "1", "--attribution", "no");
  const [rich, spent] = [keyOf("rich", "MANY"), keyOf("spent", "ONE")];
  const ask = (path: string, key: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${server.port}/api/v1/assets/${path}`, { headers: { "X-API-Key": key } });
  await (await ask("USD_RLS", spent)).arrayBuffer();
  const catalog = (await (await ask("supported", rich)).json()) as { readonly assets: readonly { readonly insertTime: string }[] };
  return { server, rich, spent, filledAt: Date.parse(catalog.assets[0]!.insertTime) };

  function keyOf(account: string, plan: string): string {
    const [key] = /mz_live_\w+/.exec(run("keys", "create", account, "--plan", plan, "--json")) ?? [];
    if (key === undefined) throw new Error("The program made no key");
    return key;
  }

  function run(...args: readonly string[]): string {
    return execFileSync(process.execPath, [main, ...args, "--data", data], { encoding: "utf8" });
  }
}
