import assert from "node:assert/strict";
import { test } from "node:test";
import type { Mirror } from "../../../adapters/feeds/mirror/mod.ts";
import type { AssetCode } from "../../../core/mod.ts";
import { at, DAY, HOUR, MINUTE } from "../../support/generators.ts";
import { likelyPrice } from "../../support/likely_prices.ts";
import { createRandom } from "../../support/seeded_random.ts";
import { IS_NIGHTLY, share } from "../../support/suite_size.ts";
import { UPSTREAM_KINDS, type UpstreamKind, type UpstreamRecord, type UpstreamRequest } from "./upstream_kinds.ts";
import { createRunningMirror } from "./virtual.ts";

const CODES = ["USD_RLS", "BTC_USD", "SEKKEH_RLS"] as const satisfies readonly AssetCode[];
const DAYS = IS_NIGHTLY ? 90 : 3;
/** Spent units are averaged over this many days at the end of a run: over two months in nightly runs. */
const LAST_DAYS = IS_NIGHTLY ? 60 : 1;
const PAST_DAYS = 70;
/** The most units a day that the mirror may spend. */
const BUDGET = 50;
const START = "2026-11-23T05:00:00Z";
/** The UTC offset of the upstream's market days. */
const TEHRAN = 3.5 * HOUR;
const KEY = "sk-0123456789abcdef-upstream";

/** The price at a time; it differs from minute to minute. */
function valueOf(code: (typeof CODES)[number], time: number): number {
  return likelyPrice(code, time) * (1 + Math.sin(time / (9 * DAY)) / 50) + (Math.floor(time / MINUTE) % 7);
}

function recordAt(code: (typeof CODES)[number], time: number): UpstreamRecord {
  return {
    code,
    value: valueOf(code, time),
    businessTime: new Date(time).toISOString(),
    quoteUnit: code.endsWith("_RLS") ? "RLS" : "USD",
  };
}

/** Runs a mirror of this upstream, and checks what it has spent, stored and reported. */
async function check(kind: UpstreamKind, seed: number): Promise<void> {
  const {
    plan = 50,
    dayBeginsMs = 0,
    clockMs = () => 0,
    aMonth = Infinity,
    others = 0,
    isHealthy = () => true,
    everyMs = 15 * MINUTE,
  } = kind;
  const begin = Date.parse(START);
  const end = begin + DAYS * DAY;
  const { next: chance } = createRandom(seed);
  const [counted, sent] = [new Map<number, number>(), new Map<number, number>()];
  const add = (counts: Map<number, number>, day: number, by = 1): void =>
    void counts.set(day, (counts.get(day) ?? 0) + by);
  const dayOf = (time: number): number => Math.floor((time - dayBeginsMs) / DAY);
  const firstTime = begin - PAST_DAYS * DAY;
  const paidAt: number[] = [];
  let [minute, inMinute, statuses] = [0, 0, 0];
  const monthOf = (time: number): number => Math.floor((time - begin) / 30 / DAY);
  const lastMove = (time: number): number => Math.floor(time / everyMs) * everyMs;
  const hereDay = (): number => (running.now() - begin) / DAY;

  function answer(url: URL): Response | "lost" | "cut" {
    const now = running.now() + clockMs(hereDay());
    const day = dayOf(now);
    const name = url.pathname.split("/").at(-1)!;
    const route = name === "history" || name === "access" || name === "status" ? name : "assets";
    if (route === "status") [statuses] = [statuses + 1, add(counted, day, 0)];
    const isPaid = route === "assets" || route === "history";
    if (isPaid) add(sent, day);
    const asked: UpstreamRequest = {
      now,
      day: (now - begin) / DAY,
      route,
      key: KEY,
      chance,
      resetsAt: (day + 1) * DAY + dayBeginsMs,
      used: (counted.get(day) ?? 0) + (isPaid ? 1 : 0) + Math.floor((others * ((now - dayBeginsMs) % DAY)) / DAY),
    };
    const other = kind.instead?.(asked);
    if (other === "lost") return other;
    const headers = (from: UpstreamKind["says"]): Record<string, string> =>
      route === "status" ? {} : { ...kind.says?.(asked), ...from?.(asked) };
    const limited = (): Response =>
      kind.limited?.() ??
      new Response('{"code":"QUOTA_EXCEEDED","message":"no"}', { status: 429, headers: headers(kind.saysAt429) });
    if (other !== undefined && !kind.countsFailures) return other;
    if (isPaid) {
      if (Math.floor(now / MINUTE) !== minute) [minute, inMinute] = [Math.floor(now / MINUTE), 0];
      if (kind.aMinute !== undefined && ++inMinute > kind.aMinute) return limited();
      const month = aMonth < Infinity ? paidAt.filter((time) => monthOf(time) === monthOf(running.now())).length : 0;
      if (asked.used > plan || month >= aMonth) return limited();
      add(counted, day);
    }
    if (other !== undefined) return other;
    if (isPaid) paidAt.push(running.now());
    const latest = lastMove(now);
    const records = (list: readonly UpstreamRecord[]): readonly unknown[] => kind.records?.(list, asked) ?? list;
    const answer = (body: unknown): Response => new Response(JSON.stringify(body), { headers: headers(undefined) });
    if (route === "status")
      return answer({ status: "OK", serverTime: new Date(kind.status?.(now, begin) ?? now).toISOString() });
    if (route === "access") return answer({ accessType: "FREE", attributionRequired: false });
    if (route === "assets") return answer(records(CODES.map((code) => recordAt(code, latest))));
    return answer(records(closesOf(url, latest, firstTime)));
  }

  function closesOf(url: URL, latest: number, first: number): UpstreamRecord[] {
    const code = CODES.find((one) => url.pathname.includes(one))!;
    const [from, to] = [Date.parse(url.searchParams.get("from")!), Date.parse(url.searchParams.get("to")!)];
    const days = Array.from({ length: (to - from) / DAY + 1 }, (_, i) =>
      Math.min(latest, lastMove(from + (i + 1) * DAY - TEHRAN - 1)),
    );
    return days
      .filter((time, i) => time >= first && time >= from + i * DAY - TEHRAN)
      .map((time) => recordAt(code, time));
  }

  const running = createRunningMirror(START, {
    key: KEY,
    codes: CODES,
    unitsADay: BUDGET,
    async fetch(input) {
      running.pass(chance() * 2_000);
      const found = answer(new URL(String(input)));
      if (found === "lost") throw new TypeError("fetch failed");
      if (found === "cut")
        return new Response(new ReadableStream({ start: (stream) => stream.error(new Error("terminated")) }));
      return found;
    },
  });

  let upSince = begin;
  let oldest = { ms: 0, at: begin };
  let isSkewed = false;
  let mirror: Mirror | undefined;
  let lies = 0;
  let closes = 0;
  let lastNight = 0;
  running.onTime(async (now, one) => {
    mirror = one;
    // For a while, the machine's clock is wrong by up to a day and a half, forward or back.
    if (!kind.isClockRight && chance() < (isSkewed ? 0.05 : 0.002)) {
      isSkewed = !isSkewed;
      running.setSkew(isSkewed ? Math.round((chance() - 0.5) * 70 * HOUR) : 0);
    }
    if (isSkewed || !isHealthy((now - begin) / DAY)) upSince = now;
    const [latest] = (await running.store.observations.latest(["BTC_USD"])).value;
    if (!latest) return;
    const midnight = Math.floor((now + TEHRAN) / DAY) * DAY - TEHRAN;
    if (midnight !== lastNight && now - midnight > 10 * MINUTE && now - midnight < HOUR && now - upSince > 2 * HOUR) {
      lastNight = midnight;
      if (running.store.observations.around("BTC_USD", at(midnight)).before?.businessTime !== lastMove(midnight - 1))
        closes++;
    }
    // How long the upstream has had a newer value than the mirror.
    const ms = now - (latest.businessTime + everyMs - clockMs((now - begin) / DAY));
    if (now - upSince > HOUR && ms > oldest.ms) oldest = { ms, at: now };
    const { state, readyUntil, lastRefresh } = one.status();
    // After a refresh, the mirror is ready for at least three refresh intervals.
    const intervalMs = (Date.parse(readyUntil ?? "") - Date.parse(lastRefresh ?? "")) / 3;
    if (
      state === "running" &&
      isHealthy((now - begin) / DAY) &&
      ms > Math.max(2 * HOUR, 2 * intervalMs) &&
      !isSkewed &&
      now - upSince > HOUR
    )
      lies++;
  });
  while (running.now() < end) {
    const isLast = running.now() > end - DAY;
    mirror = await running.run({
      until: end,
      sleeps: isLast ? Infinity : Math.ceil(chance() * 800),
      crash: chance() < 0.5,
    });
    if (running.now() >= end) break;
    running.pass(chance() < 0.1 ? chance() * 20 * HOUR : chance() * 2 * MINUTE);
    upSince = running.now();
  }

  const wrong: string[] = [];
  const found = new Set<string>();
  const times = new Set<number>();
  for await (const one of running.store.observations.records()) {
    if (one.qualityStatus !== "ACCEPTED") continue;
    const code = one.code as (typeof CODES)[number];
    if (code === "BTC_USD") times.add(one.businessTime);
    if (one.value === valueOf(code, one.businessTime))
      found.add(`${code} ${Math.floor((one.businessTime + TEHRAN) / DAY)}`);
    else wrong.push(`${code} ${new Date(one.businessTime).toISOString()} ${one.value}`);
  }
  const holes = CODES.flatMap((code) => {
    const last = Math.floor((end + TEHRAN) / DAY) - 2;
    const count = Math.floor((end - firstTime) / DAY) - 4;
    const missing = Array.from({ length: count }, (_, i) => last - i).filter((day) => !found.has(`${code} ${day}`));
    return missing.map((day) => `${code} ${new Date(day * DAY).toISOString().slice(0, 10)}`);
  });
  // An uncertain close is requested within a month.
  const lastRight = kind.healsIn === Infinity ? 0 : Math.floor((end + TEHRAN) / DAY) - 35;
  for (let day = Math.floor((begin + TEHRAN) / DAY); day < lastRight; day++) {
    const close = lastMove((day + 1) * DAY - TEHRAN - 1);
    if (!times.has(close)) wrong.push(`the close of ${new Date(close).toISOString()} is missing`);
  }
  if (lies > 0) wrong.push(`${lies} times, the status was "running" although the values were old`);
  assert.deepEqual(wrong, []);

  // The most paid requests in any 24 hours, wherever the upstream's days begin and whatever its clock says.
  let [paid, first] = [0, 0];
  for (const [i, time] of paidAt.entries()) {
    while (paidAt[first]! <= time - DAY) first++;
    paid = Math.max(paid, i - first + 1);
  }
  const most = (counts: ReadonlyMap<number, number>): number => Math.max(0, ...counts.values());
  assert.ok(
    paid <= BUDGET && (plan === Infinity || most(counted) <= BUDGET) && most(sent) <= 2 * BUDGET,
    `requests in a day: ${paid} paid, ${most(counted)} counted, ${most(sent)} sent`,
  );
  // In short runs, restarts take up most of a day, so the planned units are checked instead of the spent units.
  const perDay = paidAt.filter((time) => time >= end - LAST_DAYS * DAY).length / LAST_DAYS;
  const planned = mirror?.status().units.perDay ?? 0;
  assert.ok((IS_NIGHTLY ? perDay : planned) >= (kind.spends ?? 0), `${perDay} units a day, ${planned} planned`);
  assert.ok(statuses / DAYS <= 2 * BUDGET + 300, `${statuses} requests for the upstream's time`);

  const minutes = Math.ceil(oldest.ms / MINUTE);
  assert.ok(minutes <= (kind.oldest ?? 39), `${minutes} minutes on day ${((oldest.at - begin) / DAY).toFixed(2)}`);
  const nights = kind.nights ?? (kind.oldest === undefined ? 0 : Infinity);
  assert.ok(closes <= nights, `yesterday's close was wrong on ${closes} nights`);
  if ((kind.healsIn ?? 5) <= DAYS) assert.deepEqual(holes.slice(0, 10), [], `${holes.length} holes`);

  const reported = JSON.stringify([running.events, mirror?.status()]);
  if (kind.never) assert.doesNotMatch(reported, kind.never);
  assert.equal(reported.includes(KEY), false, "the key stays secret");
}

for (const [i, kind] of share([...UPSTREAM_KINDS.entries()], 6)) {
  test(`mirror: ${DAYS} days with ${kind.name} at the upstream: the mirror stays within its units, and values are fresh, right and complete`, () =>
    check(kind, 1_000 + i));
}
