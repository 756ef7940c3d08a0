import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { type MirrorStateStore, startMirror } from "../../../adapters/feeds/mirror/mod.ts";
import type { MirrorState } from "../../../adapters/feeds/mirror/planner/mod.ts";
import { mirrorTroubles } from "../../../adapters/server/monitoring/trouble_watchers.ts";
import type { AssetCode, Observation } from "../../../core/mod.ts";
import { at, DAY, HOUR, MINUTE, observation } from "../../support/generators.ts";
import { createVirtualMirror, memoryMirrorState, type VirtualMirror, type Way } from "./virtual.ts";

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
  const { at, pending } = store.observations.around(code, after(0, businessTime) as Observation["businessTime"]);
  return at ?? pending?.[0];
}

/** Answers requests for prices with `answer`; requests for `/status` and `/access` reach the upstream. */
function instead(answer: (pass: () => Promise<Response>, request: Request) => Promise<Response> | Response): Way {
  return async (request, pass) => (request.url.includes("/assets") ? answer(pass, request) : pass());
}

function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json", ...headers } });
}

/** A mirror of the dollar, whose price at the upstream is 1,900,000. */
async function createDollarMirror(options: Parameters<typeof createVirtualMirror>[0] = {}): Promise<VirtualMirror> {
  const virtual = await createVirtualMirror({ ...USD, ...options });
  await feedDollar(virtual);
  return virtual;
}

function redirect(to: string): Response {
  return new Response(null, { status: 302, headers: { Location: to } });
}

const RECORD = { code: "USD_RLS", value: 1_900_000, businessTime: "2026-11-22T19:50:00.000Z", quoteUnit: "RLS" };

test("mirror: the latest values are stored first, with the configured provider, and history follows", async () => {
  const virtual = await createVirtualMirror({ ...USD, provider: "desk" });
  await virtual.world.feed(["USD_RLS", 1_890_000, "2026-11-20T10:00:00Z"]);
  await feedDollar(virtual);
  const mirror = await virtual.run({ until: after(10_000) });
  assert.deepEqual(paid(virtual).slice(0, 2), [
    "GET /api/v1/assets",
    "GET /api/v1/assets/USD_RLS/history?from=2026-10-22&to=2026-11-22",
  ]);
  const { value, provider, qualityStatus } = stored(virtual, "USD_RLS", "2026-11-22T19:50:00Z")!;
  assert.deepEqual([value, provider, qualityStatus], [1_900_000, "desk", "ACCEPTED"]);
  assert.equal(stored(virtual, "USD_RLS", "2026-11-20T10:00:00Z")?.value, 1_890_000);
  const { units, lastRefresh, newest, newestAgeSeconds, state, next, archive } = mirror.status();
  const { used, left, resetsAt } = units;
  const count = paid(virtual).length;
  assert.deepEqual([used, left, resetsAt], [count, 50 - count, "2026-11-23T00:00:00.000Z"]);
  assert.deepEqual([lastRefresh, state], ["2026-11-22T20:00:00.000Z", "running"]);
  assert.deepEqual([newest, newestAgeSeconds], ["2026-11-22T19:50:00.000Z", 610]);
  assert.equal(next.act.length > 0 && archive[0]?.to === "2026-11-21", true, JSON.stringify(archive));
});

test("mirror: the key is sent only to the upstream's routes that need it, in a header field", async () => {
  const virtual = await createDollarMirror();
  const seen: string[] = [];
  virtual.setWay((request, pass) => {
    seen.push(`${new URL(request.url).pathname} ${request.headers.get("X-API-Key") === null ? "no key" : "key"}`);
    assert.deepEqual([request.url.includes(virtual.account.key), request.redirect], [false, "manual"]);
    if (request.url.endsWith("/status")) assert.equal(request.headers.get("Cache-Control"), "no-cache");
    return pass();
  });
  await virtual.run({ until: after(5_000) });
  assert.deepEqual(seen.slice(0, 4), [
    "/api/v1/status no key",
    "/api/v1/access key",
    "/api/v1/assets key",
    "/api/v1/assets/USD_RLS/history key",
  ]);
});

test("mirror: stored records are not written again, even those of another provider", async () => {
  const virtual = await createDollarMirror();
  const own = { value: 1_900_000, businessTime: at(after(-10 * MINUTE)), provider: "own import" };
  virtual.store.observations.append([observation({ code: "USD_RLS", ...own })]);
  const before = await virtual.store.observations.version();
  await virtual.run({ until: after(3 * HOUR) });
  assert.ok(paid(virtual).length > 4, String(paid(virtual).length));
  assert.equal(await virtual.store.observations.version(), before);
  assert.equal(stored(virtual, "USD_RLS", "2026-11-22T19:50:00Z")?.provider, "own import");
});

test("mirror: a locally withdrawn record stays rejected until the upstream corrects it", async () => {
  const virtual = await createDollarMirror();
  await virtual.run({ until: after(5_000) });
  virtual.store.observations.append([
    { ...stored(virtual, "USD_RLS", "2026-11-22T19:50:00Z")!, qualityStatus: "REJECTED" },
  ]);
  await virtual.run({ until: after(HOUR) });
  assert.equal(stored(virtual, "USD_RLS", "2026-11-22T19:50:00Z")?.qualityStatus, "REJECTED");
  await feedDollar(virtual, 1_910_000);
  await virtual.run({ until: after(2 * HOUR) });
  const { value, qualityStatus } = stored(virtual, "USD_RLS", "2026-11-22T19:50:00Z")!;
  assert.deepEqual([value, qualityStatus], [1_910_000, "ACCEPTED"]);
});

test("mirror: a value in toman becomes pending and is reported once, unless too many are pending; a later value in rial is accepted at once", async () => {
  const virtual = await createDollarMirror();
  await virtual.run({ until: after(30 * MINUTE) });
  await feedDollar(virtual, 190_100, "2026-11-22T20:35:00Z");
  const mirror = await virtual.run({ until: after(3 * HOUR) });
  const { qualityStatus, qualityMessage } = stored(virtual, "USD_RLS", "2026-11-22T20:35:00Z")!;
  assert.deepEqual([qualityStatus, mirror.status().pending], ["PENDING", 1]);
  assert.match(qualityMessage, /^0\.1 times the value of 2026-11-22; .* at most 1\.4: about 1900000 expected$/);
  const reported = virtual.events.filter(({ kind }) => kind === "pending").map(({ message }) => message);
  assert.deepEqual([reported.length, reported[0]!.includes("0.1 times")], [1, true]);
  await feedDollar(virtual, 1_901_000, "2026-11-22T23:00:00Z");
  await virtual.run({ until: after(5 * HOUR) });
  assert.equal(stored(virtual, "USD_RLS", "2026-11-22T23:00:00Z")?.qualityStatus, "ACCEPTED");
  Object.assign(virtual.store.observations, { append: () => ({ kept: 1 }) });
  await feedDollar(virtual, 190_200, "2026-11-23T01:00:00Z");
  await virtual.run({ until: after(8 * HOUR) });
  const last = virtual.events.findLast(({ kind }) => kind === "pending")!.message;
  assert.match(last, /^1 of 1 doubtful values were dropped, as too many are pending/);
});

test("mirror: an implausible value in the history becomes pending, and is requested again a day later", async () => {
  const virtual = await createVirtualMirror(USD);
  await virtual.world.feed(
    ["USD_RLS", 1_880_000, "2026-11-17T10:00:00Z"],
    ["USD_RLS", 189_000, "2026-11-18T10:00:00Z"],
    ["USD_RLS", 1_890_000, "2026-11-19T10:00:00Z"],
  );
  await feedDollar(virtual);
  await virtual.run({ until: after(HOUR) });
  const statuses = () =>
    [17, 18, 19].map((day) => stored(virtual, "USD_RLS", `2026-11-${day}T10:00:00Z`)?.qualityStatus);
  assert.deepEqual(statuses(), ["ACCEPTED", "PENDING", "ACCEPTED"]);
  await virtual.world.feed(["USD_RLS", 1_889_000, "2026-11-18T10:00:00Z"]);
  const mirror = await virtual.run({ until: after(30 * HOUR) });
  assert.deepEqual(statuses(), ["ACCEPTED", "ACCEPTED", "ACCEPTED"]);
  assert.equal(mirror.status().pending, 0);
});

test("mirror: the valid records of an answer are stored; invalid ones are refused with a reason, and unknown codes are counted", async () => {
  const virtual = await createVirtualMirror(USD);
  const bad = [
    { code: "EUR_RLS", value: 0 },
    { code: "GBP_RLS", value: -5 },
    { code: "AED_RLS", value: "many" },
    { code: "TRY_RLS", businessTime: "2026-11-22T20:30:00Z" },
    { code: "CHF_RLS", businessTime: "yesterday" },
    { code: "CAD_RLS", quoteUnit: "TMN" },
    { code: "__proto__" },
    { code: "XYZ_RLS" },
    { qualityStatus: "REJECTED", provider: "they" },
  ].map((wrong) => ({ ...RECORD, ...wrong }));
  const answer = [...bad, null, 5, []];
  virtual.setWay(instead((pass, request) => (request.url.endsWith("/assets") ? json(answer) : pass())));
  const mirror = await virtual.run({ until: after(1_000) });
  const { count, last } = mirror.status().refused;
  assert.equal(count, 9);
  assert.deepEqual(mirror.status().assets, { current: 1, vanished: 0, rejected: 6, pending: 0 });
  assert.match(last.find(({ code }) => code === "TRY_RLS")!.reason, /in the future/);
  assert.match(last.find(({ code }) => code === "CAD_RLS")!.reason, /quoted in "TMN", but in RLS on this server/);
  const all = [];
  for await (const one of virtual.store.observations.records()) all.push([one.code, one.qualityStatus, one.provider]);
  assert.deepEqual(all, [["USD_RLS", "ACCEPTED", "prices.example"]]);
});

test("mirror: the log names five refused records of an answer, and counts the others; the same records are not logged again", async () => {
  const virtual = await createDollarMirror();
  const bad = Array.from({ length: 300 }, (_, i) => ({ ...RECORD, value: `x${i}` }));
  virtual.setWay(instead((_, request) => json(request.url.endsWith("/assets") ? [RECORD, ...bad] : [])));
  await virtual.run({ until: after(5 * HOUR) });
  const logged = virtual.events.filter(({ kind }) => kind === "refused").map(({ message }) => message);
  assert.deepEqual([logged.length, logged[5]], [6, "Records of an answer that are also refused: 295 more"]);
});

test("mirror: history of another asset or of other days is refused; a server that sends only such history gets only three requests for history", async () => {
  const virtual = await createDollarMirror();
  const strange = [
    { ...RECORD, businessTime: "2019-01-01T00:00:00Z" },
    { ...RECORD, code: "EUR_RLS" },
  ];
  virtual.setWay(instead((pass, request) => (request.url.includes("/history") ? json(strange) : pass())));
  const mirror = await virtual.run({ until: after(2 * HOUR) });
  assert.ok(paid(virtual).length <= 6, "only refreshes reached the upstream");
  assert.equal(mirror.status().archive[0]?.complete, true);
  assert.ok(mirror.status().refused.count >= 6, String(mirror.status().refused.count));
});

const broken: readonly (readonly [what: string, answer: () => Response])[] = [
  ["not JSON", () => new Response("<html>", { headers: { "Content-Type": "text/html" } })],
  ["half of the JSON", () => new Response('[{"code":"USD_RLS"')],
  ["no good record", () => json([{ ...RECORD, value: 0 }])],
  ["five megabytes", () => new Response(`[${" ".repeat(5_000_000)}]`)],
  ["a hundred thousand nested lists", () => new Response("[".repeat(100_000) + "]".repeat(100_000))],
  ["a list with a million lists", () => new Response(`[${"[],".repeat(1_000_000)}[]]`)],
  ["a list with a million numbers", () => new Response(`[${"0,".repeat(1_000_000)}0]`)],
  ["503", () => json({ status: 503, code: "UNAVAILABLE", message: "x" }, 503)],
  ["403 of a firewall", () => new Response("<html>Forbidden</html>", { status: 403 })],
  ["404 of another program", () => new Response("not found", { status: 404 })],
  ["a redirect", () => redirect("https://evil.example/api/v1/assets")],
  ["a body that breaks", () => new Response(new ReadableStream({ start: (to) => to.error(new Error("terminated")) }))],
];
for (const [what, answer] of broken) {
  test(`mirror: with ${what} as the answer, the unit counts as used, retries come at growing intervals, and the mirror recovers by itself`, async () => {
    const virtual = await createDollarMirror();
    const times: number[] = [];
    virtual.setWay(
      instead((_, request) => {
        assert.equal(new URL(request.url).host, "prices.example");
        times.push(virtual.now());
        return answer();
      }),
    );
    const mirror = await virtual.run({ until: after(20 * MINUTE) });
    const { units, state, refused } = mirror.status();
    assert.deepEqual([units.used, state], [times.length, "failing"]);
    assert.ok(refused.count <= times.length, `${refused.count} refused records`);
    assert.ok(times.length >= 4 && times.length <= 6, `${times.length} tries`);
    const waits = times.slice(1).map((time, index) => time - times[index]!);
    for (const [index, wait] of waits.slice(1).entries()) assert.ok(wait > waits[index]!, `${waits}`);
    virtual.setWay((_, pass) => pass());
    const later = await virtual.run({ until: after(60 * MINUTE) });
    assert.equal(later.status().state, "running");
    assert.equal(stored(virtual, "USD_RLS", "2026-11-22T19:50:00Z")?.value, 1_900_000);
  });
}

for (const status of [401, 403]) {
  test(`mirror: after ${status}, the refused key is reported, and checked by a free request each hour until it is accepted`, async () => {
    const virtual = await createDollarMirror();
    const refusal = { status, code: "NO", message: `the key ${virtual.account.key} is unknown` };
    virtual.setWay((request, pass) =>
      request.url.endsWith("/status") ? pass() : Promise.resolve(json(refusal, status)),
    );
    const mirror = await virtual.run({ until: after(5 * HOUR) });
    const { state, message, requests, isUnready } = mirror.status();
    assert.deepEqual([state, isUnready], ["failing", true]);
    assert.ok(requests["refused"]! >= 5 && requests["refused"]! <= 6, JSON.stringify(requests));
    assert.match(message!, new RegExp(`^The upstream refuses the key \\(${status} NO: the key … is unknown\\)$`));
    assert.equal(JSON.stringify([mirror.status(), virtual.events]).includes(virtual.account.key), false);
    const before = paid(virtual).length;
    virtual.setWay((_, pass) => pass());
    assert.equal((await virtual.run({ until: after(6 * HOUR + 5 * MINUTE) })).status().state, "running");
    assert.ok(paid(virtual).length > before, "prices are requested again");
  });
}

test("mirror: 403 for history stops only the requests for history, and is reported", async () => {
  const virtual = await createDollarMirror();
  virtual.setWay(
    instead((pass, request) => (request.url.includes("/history") ? json({ code: "ACCESS_RESTRICTED" }, 403) : pass())),
  );
  const mirror = await virtual.run({ until: after(5 * HOUR) });
  const { state, historyTrouble, units } = mirror.status();
  assert.deepEqual([state, units.used <= 12], ["running", true]);
  assert.match(historyTrouble!, /403 ACCESS_RESTRICTED/);
  virtual.setWay((_, pass) => pass());
  assert.equal((await virtual.run({ until: after(30 * HOUR) })).status().historyTrouble, null);
});

test("mirror: a key that the upstream refuses costs no units, because the mirror first checks the key with a free request", async () => {
  const virtual = await createVirtualMirror({ ...USD, key: "mz_live_nobody" });
  const mirror = await virtual.run({ until: after(50 * MINUTE) });
  assert.equal(mirror.status().state, "failing");
  assert.deepEqual(virtual.asked, ["GET /api/v1/status", "GET /api/v1/access"]);
});

test("mirror: a new key is used without a restart, within a minute if the old key is refused", async () => {
  let current = "mz_live_nobody_at_all";
  const virtual = await createDollarMirror({ key: () => current });
  virtual.onTime((now) => {
    if (now > after(30 * MINUTE)) current = virtual.account.key;
  });
  assert.equal((await virtual.run({ until: after(20 * MINUTE) })).status().state, "failing");
  const mirror = await virtual.run({ until: after(33 * MINUTE) });
  assert.equal(mirror.status().state, "running");
  // The old key's limits no longer apply, but the spent units still count.
  assert.equal(mirror.status().units.used, paid(virtual).length);
});

test("mirror: after 429 no request is sent until Retry-After, even after restarts", async () => {
  const virtual = await createDollarMirror();
  virtual.setWay(
    instead(() => json({ status: 429, code: "QUOTA_EXCEEDED", message: "x" }, 429, { "Retry-After": "5400" })),
  );
  const { state, until } = (await virtual.run({ until: after(MINUTE) })).status();
  assert.deepEqual([state, until], ["resting", "2026-11-22T21:30:00.000Z"]);
  assert.equal(virtual.events.filter(({ kind }) => kind === "resting").length, 1);
  const times: number[] = [];
  virtual.setWay(
    instead((pass) => {
      times.push(virtual.now() - after(0));
      return pass();
    }),
  );
  for (let at = 10 * MINUTE; at < 90 * MINUTE; at += 25 * MINUTE)
    await virtual.run({ until: after(at), crash: at % 2 === 0 });
  await virtual.run({ until: after(100 * MINUTE) });
  assert.ok(times[0]! >= 90 * MINUTE && times[0]! <= 91 * MINUTE, `${times[0]! / MINUTE} minutes`);
});

test("mirror: if the upstream's plan has fewer units than the mirror may use, this is logged once, and the plan is respected", async () => {
  const virtual = await createVirtualMirror({ ...USD, units: 10, unitsADay: 50, startAt: "2026-11-22T00:30:00Z" });
  await feedDollar(virtual, 1_900_000, "2026-11-21T19:50:00Z");
  const mirror = await virtual.run({ until: "2026-11-23T12:00:00Z" });
  const { units, refreshEverySeconds } = mirror.status();
  assert.deepEqual([units.perDay, units.allowed, refreshEverySeconds], [10, 50, 3 * 60 * 60]);
  assert.equal(virtual.statuses.includes(429), false);
  const messages = virtual.events.filter(({ kind }) => kind === "smaller-plan").map(({ message }) => message);
  assert.deepEqual([messages.length, /\b10\b.*\b50\b.*\b10$/.test(messages[0]!)], [1, true]);
});

test("mirror: the mirror is not ready before it has its first values, or after hours of failures or of waiting after a 429", async () => {
  const virtual = await createDollarMirror();
  const fail: Way = () => {
    throw new TypeError("fetch failed");
  };
  const limited = instead(() => json({ code: "QUOTA_EXCEEDED" }, 429, { "Retry-After": "20000" }));
  for (const [way, hours, state, trouble] of [
    [fail, 0.1, "failing", /^The mirror has no values yet, and is failing: .*fetch failed/],
    [(_, pass) => pass(), 0.5, "running", undefined],
    [fail, 1, "failing", undefined],
    [fail, 3, "failing", /^The mirror has values of 2026-11-22T20:.*, and is failing: .*fetch failed/],
    [limited, 5, "resting", /, and is resting until /],
  ] as const satisfies readonly (readonly [Way, number, string, RegExp | undefined])[]) {
    virtual.setWay(way);
    const status = (await virtual.run({ until: after(hours * HOUR) })).status();
    const troubles = mirrorTroubles(status).map(({ code, message }) => `${code} ${message}`);
    const found = [status.state, status.isUnready, troubles.length];
    assert.deepEqual(found, [state, trouble !== undefined, trouble ? 1 : 0]);
    if (trouble) assert.match(troubles[0]!.replace(/^mirror-failing /, ""), trouble);
  }
});

test("mirror: values in another unit are refused, and reported in status and readiness until the unit is right again", async () => {
  const virtual = await createDollarMirror();
  await virtual.run({ until: after(MINUTE) });
  const records = [
    { ...RECORD, value: 190_000, quoteUnit: "IRT" },
    { ...RECORD, code: "EUR_RLS", value: 220_000, quoteUnit: "IRT" },
    { ...RECORD, code: "BTC_USD", value: 90_000, quoteUnit: "USD" },
  ];
  let sent: readonly unknown[] = records.slice(1);
  virtual.setWay(instead((_, request) => json(request.url.endsWith("/assets") ? sent : [])));
  const half = await virtual.run({ until: after(HOUR) });
  assert.deepEqual([half.status().state, half.status().isUnready], ["running", false], "one such asset is no failure");
  sent = records;
  const mirror = await virtual.run({ until: after(2 * HOUR) });
  const { state, message, isUnready } = mirror.status();
  assert.deepEqual([state, isUnready], ["failing", true]);
  assert.match(message!, /quotes 2 assets in another unit .*: USD_RLS, EUR_RLS$/);
  assert.equal(mirrorTroubles(mirror.status()).length, 1);
  assert.equal(stored(virtual, "BTC_USD", "2026-11-22T19:50:00Z")?.value, 90_000, "the other values are stored");
  virtual.setWay((_, pass) => pass());
  assert.equal((await virtual.run({ until: after(3 * HOUR) })).status().state, "running");
});

test("mirror: problems that affect many assets are reported once, in the log and the status, even if the upstream answers", async () => {
  const virtual = await createVirtualMirror(USD);
  const all = ["USD_RLS", "EUR_RLS", "BTC_USD"];
  const valueOf = (code: string): number => ({ USD_RLS: 1_900_000, EUR_RLS: 2_200_000 })[code] ?? 90_000;
  let changeOf = (records: readonly Record<string, unknown>[]): readonly unknown[] => records;
  virtual.setWay(
    instead((_, request) => {
      const businessTime = new Date(virtual.now() - MINUTE).toISOString();
      const quoteUnitOf = (code: string): string => code.split("_")[1]!;
      const records = all.map((code) => ({ code, value: valueOf(code), businessTime, quoteUnit: quoteUnitOf(code) }));
      return json(request.url.endsWith("/assets") ? changeOf(records) : []);
    }),
  );
  const problems = async (until: number): Promise<readonly string[]> =>
    (await virtual.run({ until: after(until) })).status().problems;
  assert.deepEqual(await problems(HOUR), []);
  for (const [hours, change, expected] of [
    [5, (all) => all.slice(1), /^1 of 3 assets are no longer in the upstream's answers: USD_RLS$/],
    [10, (all) => all.map((one) => ({ ...one, value: -1 })), /^3 of 3 assets are rejected: USD_RLS, EUR_RLS, BTC_USD$/],
    [
      15,
      (all) => all.map((one) => ({ ...one, value: Number(one["value"]) / 10 })),
      /^The last values of 3 of 3 assets are pending/,
    ],
    [22, (all) => all.map((one) => ({ ...one, businessTime: RECORD.businessTime })), /^No price has moved since /],
  ] as const satisfies readonly (readonly [number, typeof changeOf, RegExp])[]) {
    changeOf = change;
    const found = await problems(hours * HOUR);
    assert.match(found.join("\n"), expected);
    changeOf = (records) => records;
    assert.deepEqual(await problems((hours + 2) * HOUR), []);
  }
  const reported = virtual.events.filter(({ kind }) => kind === "assets");
  assert.equal(reported.length, 4, JSON.stringify(reported));
});

test("mirror: two values for one time become pending, until a later answer has only one of them", async () => {
  const virtual = await createDollarMirror();
  virtual.setWay(
    instead((_, request) => json(request.url.endsWith("/assets") ? [RECORD, { ...RECORD, value: 1_910_000 }] : [])),
  );
  await virtual.run({ until: after(HOUR) });
  const { qualityStatus, qualityMessage } = stored(virtual, "USD_RLS", "2026-11-22T19:50:00Z")!;
  assert.equal(qualityStatus, "PENDING");
  assert.match(qualityMessage, /two values .*: 1900000 and 1910000$/);
  assert.equal(virtual.events.filter(({ kind }) => kind === "pending").length, 1);
  virtual.setWay((_, pass) => pass());
  await virtual.run({ until: after(2 * HOUR) });
  assert.equal(stored(virtual, "USD_RLS", "2026-11-22T19:50:00Z")?.qualityStatus, "ACCEPTED");
});

test("mirror: if the local clock is behind, this is reported, and records are judged by the upstream's time", async () => {
  const virtual = await createDollarMirror();
  virtual.setSkew(-3 * HOUR);
  const mirror = await virtual.run({ until: after(HOUR) });
  assert.equal(stored(virtual, "USD_RLS", "2026-11-22T19:50:00Z")?.qualityStatus, "ACCEPTED");
  assert.equal(mirror.status().clockBehindSeconds, 3 * 3_600);
  assert.match(virtual.events.find(({ kind }) => kind === "clock")!.message, /180 minutes behind/);
});

test("mirror: `again` requests the given days at once, before other history", async () => {
  const virtual = await createVirtualMirror(USD);
  await virtual.world.feed(["USD_RLS", 1_100_000, "2025-12-10T10:00:00Z"]);
  await feedDollar(virtual);
  let asked = false;
  virtual.onTime((now, mirror) => {
    if (asked || now < after(10 * MINUTE)) return;
    asked = true;
    mirror.again("USD_RLS", { from: Date.parse("2025-12-01") / DAY, to: Date.parse("2026-01-15") / DAY });
    assert.throws(() => mirror.again("NO_RLS" as AssetCode, { from: 0, to: 1 }), RangeError);
    for (const [from, to] of [
      [2, 1],
      [0, 366],
      [NaN, 5],
      [5, NaN],
      [99_999, 99_999],
    ] as const)
      assert.throws(() => mirror.again("USD_RLS", { from, to }), RangeError, `${from} to ${to}`);
  });
  await virtual.run({ until: after(40 * MINUTE) });
  const history = paid(virtual).slice(paid(virtual).findLastIndex((line) => line.includes("to=2026-01-15")));
  const ranges = history.slice(0, 2).map((line) => line.split("?")[1]);
  assert.deepEqual(ranges, ["from=2025-12-15&to=2026-01-15", "from=2025-12-01&to=2025-12-14"]);
  assert.equal(stored(virtual, "USD_RLS", "2025-12-10T10:00:00Z")?.value, 1_100_000);
});

test("mirror: a redirect is reported without its address, and the key is hidden even if it is percent-encoded", async () => {
  const key = "sk+live/abc=0123456789";
  const quoted = { code: "NO", message: encodeURIComponent(key) };
  const cases = [
    ["/status", () => redirect("https://www.evil.example/api/v1/status"), /^(?!.*evil).* redirects .*: check the URL$/],
    ["/status", () => new Response(null, { status: 304 }), /^The upstream answers 304 for its status$/],
    ["/access", () => json(quoted, 401), /^The upstream refuses the key \(401 NO: …\)$/],
  ] as const;
  for (const [path, answer, expected] of cases) {
    const virtual = await createVirtualMirror({ ...USD, key });
    virtual.setWay(async (request, pass) => (request.url.endsWith(path) ? answer() : pass()));
    assert.match((await virtual.run({ until: after(MINUTE) })).status().message!, expected);
  }
});

test("mirror: if the local clock and the upstream's are days apart, no units are spent, and the status says why", async () => {
  const virtual = await createDollarMirror();
  virtual.setSkew(-400 * DAY);
  const mirror = await virtual.run({ until: after(3 * HOUR) });
  assert.deepEqual(paid(virtual), []);
  assert.match(mirror.status().message!, /clock.*9600 hours apart/);
});

test("mirror: a request's unit is recorded before the request is sent", async () => {
  let written = 0;
  const save = (state: object): void =>
    void (written = (state as MirrorState).ledger.spans.reduce((sum, { good, open }) => sum + good + open, 0));
  const virtual = await createDollarMirror({ state: { load: () => undefined, save } });
  let left = 0;
  virtual.setWay(
    instead((pass) => {
      left++;
      assert.equal(written, left);
      return pass();
    }),
  );
  await virtual.run({ until: after(2 * HOUR) });
  assert.ok(left >= 7, `${left}`);
});

test("mirror: while the state cannot be saved, or the store accepts no records, no units are spent", async () => {
  const save = (): never => {
    throw new Error("ENOSPC");
  };
  const virtual = await createDollarMirror({ state: { load: () => undefined, save } });
  await virtual.run({ until: after(HOUR) });
  assert.deepEqual(paid(virtual), []);
  assert.match(virtual.events.find(({ kind }) => kind === "not-stored")!.message, /ENOSPC/);
  const full = await createDollarMirror({ canStore: () => false });
  await full.run({ until: after(HOUR) });
  assert.deepEqual(full.asked, []);
});

test("mirror: if the state cannot be saved when `again` is called, the given days are requested later", async () => {
  let isFull = false;
  let isWished = false;
  const saved = memoryMirrorState();
  const save = (state: object): void => {
    if (isFull) throw new Error("ENOSPC");
    void saved.save(state);
  };
  const virtual = await createDollarMirror({ state: { load: () => undefined, save } });
  virtual.onTime((now, mirror) => {
    isFull = now > after(10 * MINUTE) && now < after(30 * MINUTE);
    if (isFull && !isWished) isWished = mirror.again("USD_RLS", { from: 20_000, to: 20_001 });
  });
  await virtual.run({ until: after(2 * HOUR) });
  assert.equal(paid(virtual).filter((line) => line.includes("from=2024-10-04&to=2024-10-05")).length, 1);
});

test("mirror: onAttributionRequired is called only when the upstream begins to require attribution", async () => {
  let calls = 0;
  const virtual = await createDollarMirror({ onAttributionRequired: () => void calls++ });
  for (const day of [1, 2, 3]) await virtual.run({ until: after(day * DAY) });
  assert.equal(calls, 1);
  const free = await createDollarMirror({ attributionRequired: false, onAttributionRequired: () => void calls++ });
  const mirror = await free.run({ until: after(DAY) });
  assert.deepEqual([calls, mirror.status().attributionRequired], [1, false]);
});

test("mirror: invalid options are refused at once", async () => {
  const { store } = await createVirtualMirror();
  const state = memoryMirrorState();
  const good = { upstream: "https://prices.example", key: "k", observations: store.observations, state };
  const upstreams = ["prices.example", "https://a:b@prices.example", "https://prices.example?key=1"];
  const keys = ["", undefined as unknown as string, "two words"];
  const others = [
    { unitsADay: 0 },
    { codes: ["NO_RLS" as AssetCode] },
    { state: { load: () => ({}), save: () => undefined } },
  ];
  for (const wrong of [...upstreams.map((upstream) => ({ upstream })), ...keys.map((key) => ({ key })), ...others]) {
    await assert.rejects(startMirror({ ...good, ...wrong }), /^(?:Type|Range)Error: Cannot/, JSON.stringify(wrong));
  }
});

test("mirror: after a restart with more codes, their history is requested at once, without another refresh", async () => {
  const shared: MirrorStateStore = memoryMirrorState();
  const euro = ["EUR_RLS", 2_100_000, "2026-11-22T19:50:00Z"] as const;
  const first = await createDollarMirror({ state: shared });
  await first.world.feed(euro);
  await first.run({ until: after(5 * MINUTE) });
  const codes = ["USD_RLS", "EUR_RLS", "GBP_RLS"] as const;
  const later = await createDollarMirror({ codes, state: shared, startAt: "2026-11-22T20:05:00Z" });
  await later.world.feed(euro);
  const mirror = await later.run({ until: after(6 * MINUTE) });
  assert.match(paid(later)[0]!, /EUR_RLS\/history/);
  assert.deepEqual(mirror.status().missing, ["GBP_RLS"]);
});

test("mirror: close does not wait for an answer that never comes", async () => {
  const { store, account } = await createVirtualMirror();
  let asked: () => void = () => undefined;
  const hasAsked = new Promise<void>((resolve) => (asked = resolve));
  async function fetch(_: unknown, init?: RequestInit): Promise<Response> {
    asked();
    await once(init!.signal!, "abort");
    throw new Error("aborted");
  }
  const { observations } = store;
  const upstream = "https://prices.example";
  const mirror = await startMirror({ upstream, key: account.key, observations, state: memoryMirrorState(), fetch });
  await hasAsked;
  await mirror.close();
  assert.equal(mirror.status().units.used, 0);
});
