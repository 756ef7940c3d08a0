import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryMirrorState, startMirror } from "../../../adapters/mirror/mod.ts";
import type { Mirror, MirrorStateStore } from "../../../adapters/mirror/mod.ts";
import { mirrorTroubles } from "../../../adapters/operations/watchers.ts";
import type { AssetCode, Observation } from "../../../core/mod.ts";
import { DAY, HOUR, MINUTE } from "../../support/generators.ts";
import { createVirtualMirror } from "./virtual.ts";
import type { VirtualMirror, Way } from "./virtual.ts";

const START = "2026-11-22T20:00:00Z";
const USD = { codes: ["USD_RLS"] } as const;

function feedDollar({ world }: VirtualMirror, value = 1_900_000, businessTime = "2026-11-22T19:50:00Z"): Promise<void> {
  return world.feed(["USD_RLS", value, businessTime]);
}

function after(ms: number, from = START): number {
  return Date.parse(from) + ms;
}

function paid({ asked }: VirtualMirror): string[] {
  return asked.filter((line) => line.includes("/assets"));
}

function stored({ store }: VirtualMirror, code: AssetCode, businessTime: string): Observation | undefined {
  return store.observations.around(code, after(0, businessTime) as Observation["businessTime"]).at;
}

/** Answers requests for prices with something else; those for the time and the access pass. */
function instead(answer: (pass: () => Promise<Response>, request: Request) => Promise<Response> | Response): Way {
  return async (request, pass) => (request.url.includes("/assets") ? answer(pass, request) : pass());
}

function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json", ...headers } });
}

const RECORD = { code: "USD_RLS", value: 1_900_000, businessTime: "2026-11-22T19:50:00.000Z", quoteUnit: "RLS" };

test("mirror: the first answer stores the latest values, with the provider of the setting, and history follows", async () => {
  const virtual = await createVirtualMirror({ ...USD, provider: "desk" });
  await virtual.world.feed(["USD_RLS", 1_890_000, "2026-11-20T10:00:00Z"]);
  await feedDollar(virtual);
  const mirror = await virtual.run({ until: after(10_000) });
  assert.deepEqual(paid(virtual).slice(0, 2), ["GET /api/v1/assets", "GET /api/v1/assets/USD_RLS/history?from=2026-10-22&to=2026-11-22"]);
  const { value, provider, qualityStatus } = stored(virtual, "USD_RLS", "2026-11-22T19:50:00Z")!;
  assert.deepEqual([value, provider, qualityStatus], [1_900_000, "desk", "ACCEPTED"]);
  assert.equal(stored(virtual, "USD_RLS", "2026-11-20T10:00:00Z")?.value, 1_890_000);
  const { units, lastRefresh, state, next, archive } = mirror.status();
  assert.deepEqual([units.used, units.left, units.day, lastRefresh, state], [paid(virtual).length, 50 - paid(virtual).length, "2026-11-22", "2026-11-22T20:00:00.000Z", "running"]);
  assert.equal(next.act.length > 0 && archive[0]?.oldestRecord === "2026-11-20T10:00:00.000Z", true);
});

test("mirror: the key goes to the upstream's own routes that need it, in a header field, and nowhere else", async () => {
  const virtual = await createVirtualMirror(USD);
  await feedDollar(virtual);
  const seen: string[] = [];
  virtual.setWay((request, pass) => {
    seen.push(`${new URL(request.url).pathname} ${request.headers.get("X-API-Key") === null ? "no key" : "key"}`);
    assert.deepEqual([request.url.includes(virtual.account.key), request.redirect], [false, "manual"]);
    if (request.url.endsWith("/status")) assert.equal(request.headers.get("Cache-Control"), "no-cache");
    return pass();
  });
  await virtual.run({ until: after(5_000) });
  assert.deepEqual(seen.slice(0, 4), ["/api/v1/status no key", "/api/v1/access key", "/api/v1/status no key", "/api/v1/assets key"]);
});

test("mirror: records that are there are not written again, also those of another provider", async () => {
  const virtual = await createVirtualMirror(USD);
  await feedDollar(virtual);
  const own: Observation = {
    code: "USD_RLS", value: 1_900_000, businessTime: after(-10 * MINUTE) as Observation["businessTime"], sourceTime: null,
    insertTime: after(0) as Observation["insertTime"], provider: "own import", qualityStatus: "ACCEPTED", qualityMessage: "",
  };
  virtual.store.observations.append([own]);
  const before = await virtual.store.observations.version();
  await virtual.run({ until: after(3 * HOUR) });
  assert.ok(paid(virtual).length > 4, String(paid(virtual).length));
  assert.equal(await virtual.store.observations.version(), before);
  assert.equal(stored(virtual, "USD_RLS", "2026-11-22T19:50:00Z")?.provider, "own import");
});

test("mirror: a record that was withdrawn here stays rejected, until the upstream corrects it", async () => {
  const virtual = await createVirtualMirror(USD);
  await feedDollar(virtual);
  await virtual.run({ until: after(5_000) });
  virtual.store.observations.append([{ ...stored(virtual, "USD_RLS", "2026-11-22T19:50:00Z")!, qualityStatus: "REJECTED" }]);
  await virtual.run({ until: after(HOUR) });
  assert.equal(stored(virtual, "USD_RLS", "2026-11-22T19:50:00Z")?.qualityStatus, "REJECTED");
  await feedDollar(virtual, 1_910_000);
  await virtual.run({ until: after(2 * HOUR) });
  const { value, qualityStatus } = stored(virtual, "USD_RLS", "2026-11-22T19:50:00Z")!;
  assert.deepEqual([value, qualityStatus], [1_910_000, "ACCEPTED"]);
});

test("mirror: toman for rial becomes PENDING and is reported, also of all assets, and however often it comes again", async () => {
  const virtual = await createVirtualMirror(USD);
  await feedDollar(virtual);
  await virtual.run({ until: after(30 * MINUTE) });
  await feedDollar(virtual, 190_100, "2026-11-22T20:35:00Z");
  const mirror = await virtual.run({ until: after(40 * MINUTE) });
  assert.equal(stored(virtual, "USD_RLS", "2026-11-22T20:35:00Z")?.qualityStatus, "PENDING");
  assert.deepEqual(mirror.status().pending, [{ code: "USD_RLS", value: 190_100, businessTime: "2026-11-22T20:35:00.000Z" }]);
  const { qualityMessage } = stored(virtual, "USD_RLS", "2026-11-22T20:35:00Z")!;
  assert.equal(qualityMessage, "looks like toman: about 1900000 expected; waits for a decision");
  assert.equal(virtual.events.filter(({ kind, message }) => kind === "pending" && message.startsWith("USD_RLS looks like toman")).length, 1);
  for (let hour = 1; hour < 80; hour++) {
    await virtual.run({ until: after(hour * HOUR) });
    const time = new Date(after(hour * HOUR)).toISOString();
    await virtual.world.feed(["USD_RLS", 190_000 + hour, time], ["EUR_RLS", 220_000 + hour, time], ["SEKKEH_RLS", 210_000_000 + hour, time]);
  }
  await virtual.run({ until: after(80 * HOUR) });
  const { value } = await virtual.store.observations.latest(["USD_RLS", "EUR_RLS", "SEKKEH_RLS"]);
  assert.deepEqual(value.map((one) => one?.value), [1_900_000, undefined, undefined]);
  // The right price comes back, and is served at once.
  await feedDollar(virtual, 1_901_000, "2026-11-26T04:00:00Z");
  await virtual.run({ until: after(81 * HOUR) });
  assert.equal(stored(virtual, "USD_RLS", "2026-11-26T04:00:00Z")?.qualityStatus, "ACCEPTED");
});

test("mirror: a jump by another factor waits, and is a price with all that has waited when it has stood for two days; one that falls back is none", async () => {
  const virtual = await createVirtualMirror(USD);
  await feedDollar(virtual);
  const statusOf = (hour: number) => stored(virtual, "USD_RLS", new Date(after(hour * HOUR)).toISOString())?.qualityStatus;
  for (let hour = 1; hour <= 60; hour++) {
    await virtual.run({ until: after(hour * HOUR) });
    await feedDollar(virtual, hour === 2 ? 800_000 : hour < 5 ? 1_900_000 : 4_400_000 + hour, new Date(after(hour * HOUR)).toISOString());
    await virtual.run({ until: after(hour * HOUR + 31 * MINUTE) });
    if (hour !== 2) assert.equal(statusOf(hour), hour < 5 || hour >= 53 ? "ACCEPTED" : "PENDING", String(hour));
  }
  assert.deepEqual([2, 5, 20, 52].map(statusOf), ["PENDING", "ACCEPTED", "ACCEPTED", "ACCEPTED"]);
});

test("mirror: a slip in the history is pending, and asked for a second time a day later", async () => {
  const virtual = await createVirtualMirror(USD);
  await virtual.world.feed(["USD_RLS", 1_880_000, "2026-11-17T10:00:00Z"], ["USD_RLS", 189_000, "2026-11-18T10:00:00Z"], ["USD_RLS", 1_890_000, "2026-11-19T10:00:00Z"]);
  await feedDollar(virtual);
  await virtual.run({ until: after(HOUR) });
  const statuses = () => ["2026-11-17", "2026-11-18", "2026-11-19"].map((day) => stored(virtual, "USD_RLS", `${day}T10:00:00Z`)?.qualityStatus);
  assert.deepEqual(statuses(), ["ACCEPTED", "PENDING", "ACCEPTED"]);
  await virtual.world.feed(["USD_RLS", 1_889_000, "2026-11-18T10:00:00Z"]);
  const mirror = await virtual.run({ until: after(30 * HOUR) });
  assert.deepEqual(statuses(), ["ACCEPTED", "ACCEPTED", "ACCEPTED"]);
  assert.deepEqual(mirror.status().pending, []);
});

test("mirror: of an answer, bad records are refused with the reason, unknown codes counted, and the good ones stored", async () => {
  const virtual = await createVirtualMirror(USD);
  const bad = [
    { ...RECORD, code: "EUR_RLS", value: 0 }, { ...RECORD, code: "GBP_RLS", value: -5 }, { ...RECORD, code: "AED_RLS", value: "many" },
    { ...RECORD, code: "TRY_RLS", businessTime: "2026-11-22T20:30:00Z" }, { ...RECORD, code: "CHF_RLS", businessTime: "yesterday" },
    { ...RECORD, code: "CAD_RLS", quoteUnit: "TMN" }, null, 5, [], { ...RECORD, code: "__proto__" }, { ...RECORD, code: "XYZ_RLS" },
  ];
  virtual.setWay(instead((pass, request) => (request.url.endsWith("/assets") ? json([...bad, { ...RECORD, qualityStatus: "REJECTED", provider: "they" }]) : pass())));
  const mirror = await virtual.run({ until: after(1_000) });
  const { count, last, unknownCodes } = mirror.status().refused;
  assert.equal(count, 9);
  assert.deepEqual(unknownCodes, ["__proto__", "XYZ_RLS"]);
  assert.match(last.find(({ code }) => code === "TRY_RLS")!.reason, /in the future/);
  assert.match(last.find(({ code }) => code === "CAD_RLS")!.reason, /quoted in "TMN", and here in RLS/);
  const all = [];
  for await (const one of virtual.store.observations.records()) all.push([one.code, one.qualityStatus, one.provider]);
  assert.deepEqual(all, [["USD_RLS", "ACCEPTED", "prices.example"]]);
});

test("mirror: history of another asset or of other days is refused, and a server that gives nothing else is asked three times", async () => {
  const virtual = await createVirtualMirror(USD);
  await feedDollar(virtual);
  const strange = [{ ...RECORD, businessTime: "2019-01-01T00:00:00Z" }, { ...RECORD, code: "EUR_RLS" }];
  virtual.setWay(instead((pass, request) => (request.url.includes("/history") ? json(strange) : pass())));
  const mirror = await virtual.run({ until: after(2 * HOUR) });
  assert.equal(paid(virtual).length, 4, "refreshes only: what was answered in between did not reach the upstream");
  assert.equal(mirror.status().archive[0]?.complete, true);
  assert.ok(mirror.status().refused.count >= 6, String(mirror.status().refused.count));
});

const broken: readonly (readonly [what: string, answer: () => Response])[] = [
  ["not JSON", () => new Response("<html>", { headers: { "Content-Type": "text/html" } })],
  ["half of the JSON", () => new Response('[{"code":"USD_RLS"')],
  ["no good record", () => json([{ ...RECORD, value: 0 }])],
  ["a number too many of records", () => json(Array.from({ length: 10_001 }, () => RECORD))],
  ["503", () => json({ status: 503, code: "UNAVAILABLE", message: "x" }, 503, { "Retry-After": "1" })],
  ["404 of another program", () => new Response("not found", { status: 404 })],
  ["a redirect", () => new Response(null, { status: 302, headers: { Location: "https://evil.example/api/v1/assets" } })],
  ["a body that breaks", () => new Response(new ReadableStream({ start: (stream) => stream.error(new Error("terminated")) }))],
];
for (const [what, answer] of broken) {
  test(`mirror: ${what} for an answer: its unit counts, it is tried again ever later, and works again by itself`, async () => {
    const virtual = await createVirtualMirror(USD);
    await feedDollar(virtual);
    const times: number[] = [];
    virtual.setWay(instead((_, request) => {
      assert.equal(new URL(request.url).host, "prices.example");
      times.push(virtual.now());
      return answer();
    }));
    const mirror = await virtual.run({ until: after(20 * MINUTE) });
    assert.deepEqual(mirror.status().units.used, times.length);
    assert.equal(mirror.status().state, "failing");
    assert.ok(times.length >= 4 && times.length <= 6, `${times.length} tries`);
    const waits = times.slice(1).map((time, index) => time - times[index]!);
    for (const [index, wait] of waits.slice(1).entries()) assert.ok(wait > waits[index]!, `${waits}`);
    virtual.setWay((_, pass) => pass());
    const later = await virtual.run({ until: after(60 * MINUTE) });
    assert.equal(later.status().state, "running");
    assert.equal(stored(virtual, "USD_RLS", "2026-11-22T19:50:00Z")?.value, 1_900_000);
  });
}

test("mirror: an upstream that is away all day costs no unit, and is found soon when it is back", async () => {
  const virtual = await createVirtualMirror(USD);
  await feedDollar(virtual);
  virtual.setWay(() => { throw new TypeError("fetch failed"); });
  const mirror = await virtual.run({ until: after(20 * HOUR) });
  assert.equal(mirror.status().units.used, 0);
  assert.match(mirror.status().trouble!.message, /fetch failed/);
  assert.equal(virtual.events.filter(({ kind }) => kind === "failing").length, 1, "one line in the log");
  virtual.setWay((_, pass) => pass());
  const back = await virtual.run({ until: after(20 * HOUR + 6 * MINUTE) });
  assert.equal(back.status().state, "running");
  assert.equal(virtual.events.some(({ kind }) => kind === "failing"), true);
});

for (const status of [401, 403]) {
  test(`mirror: ${status}: it stops and says so, asks for nothing more, and a start with a key that works goes on`, async () => {
    const virtual = await createVirtualMirror(USD);
    await feedDollar(virtual);
    virtual.setWay(instead(() => json({ status, code: "NO", message: `the key ${virtual.account.key} is no key` }, status)));
    const mirror = await virtual.run({ until: after(50 * HOUR) });
    assert.equal(mirror.status().state, "stopped");
    assert.deepEqual(mirror.status().next, { act: "none, until it is started again", at: null });
    assert.equal(virtual.asked.filter((line) => line.includes("/status")).length, 2);
    const told = JSON.stringify([mirror.status(), virtual.events]);
    assert.match(told, new RegExp(`${status} NO: the key … is no key`));
    assert.equal(told.includes(virtual.account.key), false);
    virtual.setWay((_, pass) => pass());
    assert.equal((await virtual.run({ until: after(51 * HOUR) })).status().state, "running");
  });
}

test("mirror: a key that is refused costs nothing at the start: the access is checked first", async () => {
  const virtual = await createVirtualMirror({ ...USD, key: "mz_live_nobody" });
  const mirror = await virtual.run({ until: after(HOUR) });
  assert.equal(mirror.status().state, "stopped");
  assert.deepEqual(virtual.asked, ["GET /api/v1/status", "GET /api/v1/access"]);
});

const rests: readonly (readonly [what: string, headers: Record<string, string>, ms: number])[] = [
  ["until Retry-After", { "Retry-After": "5400" }, 90 * MINUTE],
  ["until the upstream's next day, without one", {}, 4 * HOUR],
];
for (const [what, headers, ms] of rests) {
  test(`mirror: 429: it rests ${what}, also over restarts`, async () => {
    const virtual = await createVirtualMirror(USD);
    await feedDollar(virtual);
    virtual.setWay(instead(() => json({ status: 429, code: "QUOTA_EXCEEDED", message: "x" }, 429, headers)));
    const { state, rest } = (await virtual.run({ until: after(MINUTE) })).status();
    assert.deepEqual([state, rest?.message], ["resting", "the upstream has answered 429"]);
    assert.equal(virtual.events.filter(({ kind }) => kind === "resting").length, 1);
    const times: number[] = [];
    virtual.setWay(instead((pass) => {
      times.push(virtual.now() - after(0));
      return pass();
    }));
    for (let at = 10 * MINUTE; at < ms; at += 25 * MINUTE) await virtual.run({ until: after(at), crash: at % 2 === 0 });
    await virtual.run({ until: after(ms + 10 * MINUTE) });
    assert.ok(times[0]! >= ms - 2 * MINUTE && times[0]! <= ms + 5 * MINUTE, `${times[0]! / MINUTE} minutes`);
  });
}

test("mirror: units that others spend on the same key are respected", async () => {
  const virtual = await createVirtualMirror(USD);
  await feedDollar(virtual);
  for (let i = 0; i < 48; i++) await virtual.world.ask("/api/v1/assets/USD_RLS", { key: virtual.account.key });
  const mirror = await virtual.run({ until: after(3 * HOUR) });
  assert.equal(paid(virtual).length, 2);
  const { state, rest, units } = mirror.status();
  assert.deepEqual([state, rest?.until, units.left], ["resting", "2026-11-23T00:00:00.000Z", 0]);
  assert.equal(rest?.message, "all units of this key are used, 2 of them by this mirror");
  assert.equal(virtual.events.filter(({ kind }) => kind === "resting").length, 1, "one line in the log");
  assert.equal(virtual.statuses.includes(429), false);
  assert.equal((await virtual.run({ until: after(5 * HOUR) })).status().state, "running");
});

test("mirror: of the units that it may spend and those of the key's plan the smaller number counts, which the log says once", async () => {
  const virtual = await createVirtualMirror({ ...USD, units: 10, unitsADay: 50, startAt: "2026-11-22T00:30:00Z" });
  await feedDollar(virtual, 1_900_000, "2026-11-21T19:50:00Z");
  const mirror = await virtual.run({ until: "2026-11-23T12:00:00Z" });
  const { units, refreshEverySeconds } = mirror.status();
  assert.deepEqual([units.perDay, units.allowed, refreshEverySeconds], [10, 50, 3 * 60 * 60]);
  assert.equal(virtual.statuses.includes(429), false);
  const told = virtual.events.filter(({ kind }) => kind === "smaller-plan").map(({ message }) => message);
  assert.deepEqual(told, ["The plan of the upstream's key has 10 units a day, and the mirror may spend 50: it plans with 10"]);
  const enough = await createVirtualMirror({ ...USD, units: 50, unitsADay: 10 });
  assert.equal((await enough.run({ until: after(HOUR) })).status().units.perDay, 10);
  assert.equal(enough.events.some(({ kind }) => kind === "smaller-plan"), false);
});

test("mirror: one that has never received anything is not ready, and neither is one that fails or rests for long; one that does not is ready", async () => {
  const virtual = await createVirtualMirror(USD);
  await feedDollar(virtual);
  virtual.setWay(() => { throw new TypeError("fetch failed"); });
  const troublesOf = (mirror: Mirror) => mirrorTroubles(mirror.status()).map(({ code, message }) => `${code} ${message}`);
  const away = await virtual.run({ until: after(MINUTE) });
  assert.deepEqual([away.status().overdue, troublesOf(away).length], [true, 1]);
  assert.match(troublesOf(away)[0]!, /^mirror-failing The mirror has not received any values yet: .*fetch failed/);
  virtual.setWay((_, pass) => pass());
  assert.deepEqual(troublesOf(await virtual.run({ until: after(20 * MINUTE) })), []);
  virtual.setWay(() => { throw new TypeError("fetch failed"); });
  const failing = await virtual.run({ until: after(HOUR) });
  assert.deepEqual([failing.status().state, troublesOf(failing)], ["failing", []]);
  assert.match(troublesOf(await virtual.run({ until: after(3 * HOUR) }))[0]!, /^mirror-failing The mirror has received no values since 2026-11-22T20:.*: .*fetch failed/);
  virtual.setWay(instead(() => json({ status: 429, code: "QUOTA_EXCEEDED", message: "x" }, 429, { "Retry-After": "20000" })));
  assert.match(troublesOf(await virtual.run({ until: after(5 * HOUR) }))[0]!, /^mirror-failing .*: the upstream has answered 429$/);
});

test("mirror: a redirect is told with the URL that may be mirrored instead", async () => {
  const cases: readonly (readonly [location: string | undefined, told: RegExp])[] = [
    ["https://www.prices.example/market/api/v1/status", /redirects to "https:.*\/market", which is not followed.*--mirror https:\/\/www\.prices\.example\/market$/],
    ["/login", /redirects to "https:\/\/prices\.example\/login", which is not followed.*: check the URL$/],
    ["http://", /redirects to another address.*check the URL$/],
    [undefined, /redirects to another address.*check the URL$/],
  ];
  for (const [location, told] of cases) {
    const virtual = await createVirtualMirror(USD);
    virtual.setWay(async () => new Response(null, { status: 308, headers: location === undefined ? {} : { Location: location } }));
    assert.match((await virtual.run({ until: after(MINUTE) })).status().trouble!.message, told);
  }
});

test("mirror: where this machine's clock and the upstream's are days apart, no unit is spent, and it says why", async () => {
  const virtual = await createVirtualMirror(USD);
  await feedDollar(virtual);
  virtual.setSkew(-400 * DAY);
  const mirror = await virtual.run({ until: after(3 * HOUR) });
  assert.deepEqual(paid(virtual), []);
  assert.match(mirror.status().trouble!.message, /clock.*9600 hours apart/);
});

test("mirror: when a request leaves, its unit is saved already", async () => {
  let written = 0;
  const save = (state: unknown): void => void (written = Number(/"used":(\d+)/.exec(JSON.stringify(state))?.[1]));
  const virtual = await createVirtualMirror({ ...USD, state: { load: () => undefined, save } });
  await feedDollar(virtual);
  let left = 0;
  virtual.setWay(instead((pass) => {
    left++;
    assert.equal(written, left);
    return pass();
  }));
  await virtual.run({ until: after(2 * HOUR) });
  assert.ok(left >= 7, `${left}`);
});

test("mirror: what cannot be saved is not asked for", async () => {
  const virtual = await createVirtualMirror({ ...USD, state: { load: () => undefined, save: () => { throw new Error("ENOSPC"); } } });
  await feedDollar(virtual);
  await virtual.run({ until: after(HOUR) });
  assert.deepEqual(paid(virtual), []);
  assert.equal(virtual.events.some(({ kind, message }) => kind === "state-not-saved" && message.includes("ENOSPC")), true);
});

test("mirror: while the store takes no records, nothing is asked for", async () => {
  const virtual = await createVirtualMirror({ ...USD, canStore: () => false });
  await virtual.run({ until: after(HOUR) });
  assert.deepEqual(virtual.asked, []);
});

test("mirror: that the upstream wants attribution is passed on once, and again only when it is new", async () => {
  let calls = 0;
  const virtual = await createVirtualMirror({ ...USD, onAttributionRequired: () => void calls++ });
  await feedDollar(virtual);
  for (const day of [1, 2, 3]) await virtual.run({ until: after(day * DAY) });
  assert.equal(calls, 1);
  const free = await createVirtualMirror({ ...USD, attributionRequired: false, onAttributionRequired: () => void calls++ });
  const mirror = await free.run({ until: after(DAY) });
  assert.deepEqual([calls, mirror.status().attributionRequired], [1, false]);
});

test("mirror: options that cannot be used are refused at once", async () => {
  const { store } = await createVirtualMirror();
  const good = { upstream: "https://prices.example", key: "k", observations: store.observations, state: memoryMirrorState() };
  const upstreams = ["prices.example", "https://a:b@prices.example", "https://prices.example?key=1", "https://prices.example/api/v1"];
  const keys = ["", undefined as unknown as string, "two words"];
  const others = [{ unitsADay: 0 }, { codes: ["NO_RLS" as AssetCode] }, { state: { load: () => ({}), save: () => undefined } }];
  for (const wrong of [...upstreams.map((upstream) => ({ upstream })), ...keys.map((key) => ({ key })), ...others]) {
    await assert.rejects(startMirror({ ...good, ...wrong }), /^(?:TypeError|RangeError): Cannot/, JSON.stringify(wrong));
  }
});

test("mirror: codes that a later start adds get their history at once, without another refresh", async () => {
  const shared: MirrorStateStore = memoryMirrorState();
  const first = await createVirtualMirror({ ...USD, state: shared });
  await first.world.feed(["USD_RLS", 1_900_000, "2026-11-22T19:50:00Z"], ["EUR_RLS", 2_100_000, "2026-11-22T19:50:00Z"]);
  await first.run({ until: after(5 * MINUTE) });
  const later = await createVirtualMirror({ codes: ["USD_RLS", "EUR_RLS", "GBP_RLS"], state: shared, startAt: "2026-11-22T20:05:00Z" });
  await later.world.feed(["USD_RLS", 1_900_000, "2026-11-22T19:50:00Z"], ["EUR_RLS", 2_100_000, "2026-11-22T19:50:00Z"]);
  const mirror = await later.run({ until: after(6 * MINUTE) });
  assert.match(paid(later)[0]!, /EUR_RLS\/history/);
  assert.deepEqual(mirror.status().missing, ["GBP_RLS"]);
});

test("mirror: 403 without an error code of the API, as of a firewall, is a failure like another", async () => {
  const virtual = await createVirtualMirror(USD);
  await feedDollar(virtual);
  virtual.setWay(async () => new Response("<html>Forbidden</html>", { status: 403, headers: { "Content-Type": "text/html" } }));
  assert.equal((await virtual.run({ until: after(20 * MINUTE) })).status().state, "failing");
  virtual.setWay((_, pass) => pass());
  assert.equal((await virtual.run({ until: after(2 * HOUR) })).status().state, "running");
});

test("mirror: an answer that never comes does not keep it from being closed", async () => {
  const { store, account } = await createVirtualMirror();
  let asked: () => void = () => undefined;
  const hasAsked = new Promise<void>((resolve) => (asked = resolve));
  const mirror = await startMirror({
    upstream: "https://prices.example", key: account.key, observations: store.observations, state: memoryMirrorState(),
    fetch: (_, init) => new Promise((_resolve, reject) => {
      init!.signal!.addEventListener("abort", () => reject(new Error("aborted")));
      asked();
    }),
  });
  await hasAsked;
  await mirror.close();
  assert.equal(mirror.status().units.used, 0);
});
