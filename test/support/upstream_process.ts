import { join } from "node:path";
import type { TestContext } from "node:test";
import { mazaneh, type serving, servingChild, temporaryDirectory } from "./cli.ts";
import { likelyPrice } from "./likely_prices.ts";

export const MIRRORED = ["USD_RLS", "EUR_RLS", "SEKKEH_RLS", "BTC_USD", "STOCK_IR"] as const;
/** So many units a day let a mirror refresh every 5.4 seconds, and request history 18 times a second. */
export const UNITS = 20_000;
const DAYS = 220;
const DAY = 86_400_000;

/** Starts an upstream server with some months of prices and a key, by default in its own process. */
export async function startUpstream(
  t: TestContext,
  serve: typeof serving | typeof servingChild = servingChild,
): Promise<{ readonly url: string; readonly key: string; readonly data: string }> {
  const data = join(await temporaryDirectory(t), "upstream");
  const now = Date.now();
  const times = Array.from({ length: DAYS }, (_, day) => now - day * DAY - 60_000);
  const lines = MIRRORED.flatMap((code) =>
    times.map((time) => `${code},${likelyPrice(code, time)},${new Date(time).toISOString()}`),
  );
  await mazaneh(["import", "-", "--init", "--data", data], { input: `code,value,businessTime\n${lines.join("\n")}\n` });
  await mazaneh(["plans", "set", "LARGE", "--daily-units", String(UNITS), "--attribution", "yes", "--data", data]);
  const created = await mazaneh(["keys", "create", "mirror", "--plan", "LARGE", "--data", data, "--json"]);
  const { url } = await serve(t, ["--data", data]);
  return { url, key: String(created.json()["key"]), data };
}

/** The arguments and environment for a mirror process. */
export function mirrorOf(url: string, key: string, data: string) {
  const args = ["--data", data, "--mirror", url, "--mirror-codes", MIRRORED.join(","), "--mirror-units", String(UNITS)];
  return [args, { MAZANEH_UPSTREAM_KEY: key }] as const;
}
