import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { randomBytes } from "../../../adapters/http/web_system.ts";
import { makeKey } from "../../../core/accounts/keys.ts";
import { type BenchKeys, MANY_UNITS, prices } from "./market.ts";
import { type Started, type StartOptions, start, temporaryDirectory } from "./processes.ts";

/** A filled store, with the environment variables that point the program to it. */
export interface Installation {
  readonly env: NodeJS.ProcessEnv;
  readonly keys: BenchKeys;
}

/** A running server. */
export interface Server extends Started {
  readonly at: number;
}

/** Fills a new store with prices and keys, using the commands of the program `main`, as users do. */
export function install(main: string, env: NodeJS.ProcessEnv, now: number): Installation {
  const run = (...args: readonly string[]): string =>
    execFileSync(process.execPath, [main, ...args], { encoding: "utf8", env: { ...process.env, ...env } });
  const file = join(temporaryDirectory(), "prices.csv");
  let text = "code,value,businessTime,provider\n";
  for (const { code, time, value } of prices(now)) text += `${code},${value},${new Date(time).toISOString()},bench\n`;
  writeFileSync(file, text);
  const isDatabase = env["MAZANEH_STORE"] !== undefined;
  if (isDatabase) run("migrate");
  run("import", "--yes", "--doubtful", "accept", ...(isDatabase ? [] : ["--init"]), file);
  run("plans", "set", "rich", "--daily-units", String(MANY_UNITS), "--attribution", "no");
  const { key } = JSON.parse(run("keys", "create", "rich", "--plan", "rich", "--json")) as { readonly key: string };
  return { env, keys: { rich: key, unknown: makeKey(randomBytes(38)).key } };
}

/** Starts the program on a filled store. */
export function serve(main: string, { env }: Installation, side?: StartOptions["side"]): Promise<Server> {
  return withPort(start([main, "serve", "--port", "0"], { env, ...(side && { side }) }));
}

/** The process, with the port that it prints. */
export async function withPort(started: Started): Promise<Server> {
  return { ...started, at: Number(await started.printed(/http:\/\/127\.0\.0\.1:(\d+)/)) };
}
