import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { type AccountId, type CalendarDate, type QuotaLedger, type QuotaTaken, Unavailable } from "../../core/mod.ts";
import type { TcpProxy } from "./tcp_proxy.ts";
import { until } from "./wait_until.ts";

const DAY = "2026-11-21" as CalendarDate;
const LIMIT = 150;
const ACCOUNTS = ["cut0", "cut1", "cut2"] as AccountId[];

/** Cuts the connections of two ledgers while all units are taken. Checks that `direct` counts the granted units. */
export async function countThroughCuts(
  ledgers: readonly [QuotaLedger, QuotaLedger],
  direct: QuotaLedger,
  proxy: TcpProxy,
): Promise<void> {
  const take = async (n: number): Promise<QuotaTaken> => ledgers[n % 2]!.take(ACCOUNTS[n % 3]!, DAY, LIMIT);
  const takeMany = (many: number) => Promise.allSettled(Array.from({ length: many }, (_, n) => take(n)));
  const used = async (): Promise<number> =>
    (await Promise.all(ACCOUNTS.map((account) => direct.used(account, DAY)))).reduce((sum, units) => sum + units);
  let [granted, refused] = [0, 0];
  for (let round = 0; round < 12; round++) {
    const settled = takeMany(40);
    if (round % 3 === 0) proxy.answers = "cut";
    if (round % 3 === 1) await delay(1);
    if (round % 3 !== 0) proxy.cut();
    for (const result of await settled) {
      if (result.status === "fulfilled") granted += result.value.granted ? 1 : 0;
      else assert.ok(++refused && result.reason instanceof Unavailable, String(result.reason));
    }
    proxy.answers = "pass";
    for (const ledger of ledgers) await until("it is connected again", async () => isAnswering(ledger));
  }
  assert.ok(refused > 0, "the cuts were felt");
  await until("units whose answer was lost are given back", async () => (await used()) === granted);
  await until("all units are taken", async () => {
    const taken = await takeMany(60);
    const last = taken.filter((result) => result.status === "fulfilled" && result.value.granted).length;
    granted += last;
    return last === 0 && taken.every(({ status }) => status === "fulfilled");
  });
  assert.deepEqual([granted, await used()], [ACCOUNTS.length * LIMIT, ACCOUNTS.length * LIMIT]);
}

async function isAnswering(ledger: QuotaLedger): Promise<boolean> {
  try {
    await ledger.used(ACCOUNTS[0]!, DAY);
    return true;
  } catch {
    return false;
  }
}
