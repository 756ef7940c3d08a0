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
  const lines = Array.from(
    prices(now),
    ({ code, time, value }) => `${code},${value},${new Date(time).toISOString()},bench\n`,
  );
  writeFileSync(file, `code,value,businessTime,provider\n${lines.join("")}`);
  if (env["MAZANEH_STORE"] !== undefined) run("migrate");
  run("import", "--yes", "--doubtful", "accept", ...(env["MAZANEH_STORE"] === undefined ? ["--init"] : []), file);
  const keyOf = (account: string, units: number): string => {
    run("plans", "set", account, "--daily-units", String(units), "--attribution", "no");
    return (JSON.parse(run("keys", "create", account, "--plan", account, "--json")) as { readonly key: string }).key;
  };
  return {
    env,
    keys: { rich: keyOf("rich", MANY_UNITS), spent: keyOf("spent", 1), unknown: makeKey(randomBytes(38)).key },
  };
}

/** Starts the program on a filled store, and uses up the only unit of the key `spent`. */
export async function serve(main: string, { env, keys }: Installation, side?: StartOptions["side"]): Promise<Server> {
  const started = await withPort(start([main, "serve", "--port", "0"], { env, ...(side && { side }) }));
  const spend = await fetch(`http://127.0.0.1:${started.at}/api/v1/assets/USD_RLS`, {
    headers: { "X-API-Key": keys.spent },
  });
  await spend.arrayBuffer();
  return started;
}

/** The process, with the port that it prints. */
export async function withPort(started: Started): Promise<Server> {
  return { ...started, at: Number(await started.printed(/http:\/\/127\.0\.0\.1:(\d+)/)) };
}
