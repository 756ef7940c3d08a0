import assert from "node:assert/strict";
import { test } from "node:test";
import { createPrices } from "../../../core/mod.ts";
import type { AssetCode, UtcMillis } from "../../../core/mod.ts";
import { chances } from "../../core/mirror/simulation.ts";
import { DAY, HOUR, MINUTE } from "../../support/generators.ts";
import { likelyPrice } from "../../support/likely_prices.ts";
import type { LikelyCode } from "../../support/likely_prices.ts";
import { runs } from "../../support/size.ts";
import { createVirtualMirror } from "./virtual.ts";

const CODES = [
  "USD_RLS", "EUR_RLS", "SEKKEH_RLS", "GOLD_18_RLS", "BTC_USD", "ETH_USD", "USDT_RLS", "GBP_RLS", "AED_RLS", "TRY_RLS", "GOLD_OUNCE_USD", "STOCK_IR",
] as const satisfies readonly AssetCode[];
/** Two years by night. */
const HISTORY_DAYS = Math.min(730, runs(80));
/** Sixty by night. */
const DAYS = Math.min(60, runs(8));
const STEP = 15 * MINUTE;

/** A market that moves a little every day. */
function valueOf(code: LikelyCode, time: number): number {
  return likelyPrice(code, time) * (1 + Math.sin(time / (9 * DAY)) / 50) + (Math.floor(time / STEP) % 7);
}

test(`mirror: ${DAYS} days with outages, restarts, crashes, clock jumps, broken answers: the budget holds, values stay young, the archive is the upstream's`, async () => {
  const virtual = await createVirtualMirror({ codes: CODES, startAt: "2026-11-22T20:00:00Z" });
  const { world, store, asked, statuses } = virtual;
  const begin = virtual.now();
  const end = begin + DAYS * DAY;
  const chance = chances(42);

  let fedUntil = begin - HISTORY_DAYS * DAY;
  async function feed(until: number, stepMs: number): Promise<void> {
    const records: { code: string; value: number; businessTime: string }[] = [];
    for (; fedUntil <= until; fedUntil += stepMs) {
      for (const code of CODES) records.push({ code, value: valueOf(code, fedUntil), businessTime: new Date(fedUntil).toISOString() });
    }
    await world.feed(...records);
  }
  await feed(begin, 6 * HOUR);
  fedUntil = begin + STEP;

  let upSince: number = begin;
  let oldest = 0;
  let skew = 0;
  let jumps = 0;
  function setSkew(ms: number): void {
    jumps++;
    skew = ms;
    virtual.setSkew(ms);
  }
  virtual.onTime(async (now) => {
    await feed(now, STEP);
    // The machine's clock is set wrong for a while, forward or back, by up to a day and a half.
    if (skew === 0 ? chance() < 0.003 : chance() < 0.05) setSkew(skew === 0 ? Math.round((chance() - 0.5) * 70 * HOUR) : 0);
    if (skew !== 0) upSince = now;
    const [latest] = (await store.observations.latest(["BTC_USD"])).value;
    // For how long the upstream has had a newer one.
    if (latest && now - upSince > HOUR) oldest = Math.max(oldest, now - (latest.businessTime + STEP));
  });

  const outages = [[2, 3], [9, 30], [20.9, 0.3], [33, 1], [44, 49]].map(([day, hours]) => [begin + day! * DAY, begin + day! * DAY + hours! * HOUR] as const);
  const requests = new Map<number, number>();
  virtual.setWay(async (request, pass) => {
    const now = virtual.now();
    if (outages.some(([from, to]) => now >= from && now < to)) {
      upSince = now;
      throw new TypeError("fetch failed");
    }
    if (!request.headers.has("X-API-Key") || request.url.endsWith("/access")) return pass();
    const luck = chance();
    if (luck < 0.985) virtual.pass(chance() * 14_000);
    else upSince = now;
    // Cut before the upstream has it, or behind that, or answered with something else.
    if (luck > 0.997) throw new TypeError("fetch failed");
    const day = Math.floor(virtual.now() / DAY);
    requests.set(day, (requests.get(day) ?? 0) + 1);
    const answer = await pass();
    if (luck > 0.994) throw new TypeError("terminated");
    if (luck > 0.990) return new Response("<html>504</html>", { status: 504 });
    if (luck > 0.985) return new Response("{", { headers: { "Content-Type": "application/json" } });
    return answer;
  });

  let mirror;
  let starts = 0;
  while (virtual.now() < end) {
    mirror = await virtual.run({ until: end, sleeps: Math.ceil(chance() * 600), crash: chance() < 0.5 });
    starts++;
    const isLong = chance() < 0.1;
    if (virtual.now() < end) virtual.pass(isLong ? 50 * HOUR : chance() * 2 * MINUTE);
    upSince = virtual.now();
  }

  assert.ok(starts > 1 && jumps > DAYS / 6, `${starts} starts, ${jumps} times that the clock was set`);
  assert.equal(statuses.includes(429), false, "the upstream never had to refuse");
  for (const [day, count] of requests) assert.ok(count <= 50, `${count} units on ${new Date(day * DAY).toISOString()}`);
  assert.ok(oldest <= 37 * MINUTE, `${oldest / MINUTE} minutes`);
  assert.ok(asked.length > 30 * DAYS, `${asked.length} requests`);

  let records = 0;
  for await (const one of store.observations.records()) {
    const theirs = world.store.observations.find(one.code, one.businessTime);
    assert.equal(one.value, theirs?.value, `${one.code} ${new Date(one.businessTime).toISOString()}`);
    records++;
  }
  assert.ok(records > 12 * HISTORY_DAYS, `${records} records`);

  const ours = createPrices({ clock: virtual.now, ...store });
  const theirs = createPrices({ clock: virtual.now, ...world.store });
  // The newest days are still watched by refreshes alone.
  for (const code of CODES) {
    for (let day = begin - (HISTORY_DAYS - 1) * DAY; day < end - 14 * DAY; day += 31 * DAY) {
      const [from, to] = [dateOf(day), dateOf(Math.min(day + 30 * DAY, end - 14 * DAY))];
      assert.deepEqual(await ours.history(code, from, to), await theirs.history(code, from, to), `${code} ${from}`);
    }
  }
  assert.deepEqual(mirror?.status().archive.map(({ holes, complete }) => ({ holes, complete })), CODES.map(() => ({ holes: 0, complete: true })));
});

function dateOf(time: number): string {
  return new Date(time as UtcMillis).toISOString().slice(0, 10);
}
