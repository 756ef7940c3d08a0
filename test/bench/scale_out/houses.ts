import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { ASSETS } from "../../../core/mod.ts";
import { MANY_UNITS } from "../support/mazaneh.ts";
import { startServer } from "../support/server.ts";
import type { StartOptions, StartedServer } from "../support/server.ts";

/** Prices and a key in one kind of store, and the instances that serve them. */
export interface House {
  readonly key: string;
  readonly instances: readonly StartedServer[];
}

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

/** Writes a year of minutes of BTC_USD, 40 days of minutes of USD_RLS, and 40 days of all other assets, as NDJSON. */
export async function writePrices(path: string, now: number): Promise<void> {
  const file = createWriteStream(path);
  for (const { code } of ASSETS) {
    const days = code === "BTC_USD" ? 366 : 40;
    const step = code === "BTC_USD" || code === "USD_RLS" ? MINUTE : DAY;
    let lines = "";
    for (let time = now - days * DAY, n = 0; time < now; time += step, n++) {
      const value = 1_000_000 + ((n * 7_919) % 9_973) * 50;
      lines += `{"code":"${code}","value":${value},"businessTime":"${new Date(time).toISOString()}","provider":"bench"}\n`;
      if (lines.length < 1 << 20) continue;
      if (!file.write(lines)) await once(file, "drain");
      lines = "";
    }
    file.write(lines);
  }
  file.end();
  await finished(file);
}

/**
 * Makes a house with the program alone, as an operator does: tables, prices, a plan, a key, instances.
 *
 * @param options The environment names the store and the ledger, or the directory of the data.
 */
export async function openHouse(
  main: string, prices: string, instances: number, options: StartOptions & { readonly environment: Readonly<Record<string, string>> },
): Promise<House> {
  const run = (...args: readonly string[]): string => {
    return execFileSync(process.execPath, [main, ...args], { encoding: "utf8", env: { ...process.env, ...options.environment } });
  };
  const inFiles = options.environment["MAZANEH_STORE"] === undefined;
  if (!inFiles) run("migrate");
  run("import", prices, "--yes", ...(inFiles ? ["--init"] : []));
  run("plans", "set", "MANY", "--daily-units", String(MANY_UNITS), "--attribution", "no");
  const [key] = /mz_live_\w+/.exec(run("keys", "create", "rich", "--plan", "MANY", "--json")) ?? [];
  if (key === undefined) throw new Error("The program made no key");
  const serve = (): Promise<StartedServer> => startServer([main, "serve", "--json", "--port", "0"], options);
  return { key, instances: await Promise.all(Array.from({ length: instances }, serve)) };
}
