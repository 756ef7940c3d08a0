import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { nodeSha256 } from "../../../adapters/http/node/sha256.ts";
import type { UtcMillis } from "../../../core/branded_types.ts";
import {
  type CachedResponse,
  createResponseCache,
  createTargetCache,
  isFresh,
} from "../../../core/http/response_cache.ts";
import { type ApiOptions, createApi, type MaybePromise, type Observations } from "../../../core/mod.ts";
import { ROUTES } from "../../../core/routes/route_table.ts";
import { createFedWorld, createWorld, replyOf, requestOf, textOf, type World } from "../../support/api_under_test.ts";
import { runs } from "../../support/suite_size.ts";

const CODES = ["USD_RLS", "BTC_USD", "XRP_USD"] as const;
const START = Date.parse("2026-11-21T10:00:00Z");
const MINUTE = 60_000;
const USD = "/api/v1/assets/USD_RLS";
const EUR = "/api/v1/assets/EUR_RLS";
const CATALOG = "/api/v1/assets/supported";

const targets = [
  ...["/api/v1/assets", "/api/v1/assets?codes=USD_RLS,XRP_USD", CATALOG, `${CATALOG}?category=FX`],
  ...CODES.flatMap((code) => [
    `/api/v1/assets/${code}`,
    `/api/v1/assets/${code}/2026-11-21`,
    `/api/v1/assets/${code}/history?from=2026-11-18&to=2026-11-22`,
    `/api/v1/assets/${code}/ohlc?interval=15m&from=2026-11-21T08:00Z&to=2026-11-22T00:00Z`,
    `/api/v1/assets/${code}/ohlc?interval=1d&from=2026-11-19T00:00Z&to=2026-11-23T00:00Z`,
  ]),
  ...["/api/v1/assets/USD_RLX", "/api/v1/assets/USD_RLS?unknown=1"],
];

const value = fc.constantFrom(1, 98_500, 0.00000098, 1_050_000.5);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ ask: fc.nat(), method: fc.constantFrom("GET", "GET", "GET", "HEAD", "POST") }) },
  {
    weight: 3,
    arbitrary: fc.record({ code: fc.constantFrom(...CODES), value, ago: fc.nat(4 * 24 * 60), rejected: fc.boolean() }),
  },
  // The minutes by which the clock moves. A negative number sets the clock back.
  { weight: 2, arbitrary: fc.record({ minutes: fc.constantFrom(-61, -1, 0.0001, 1, 14, 61, 1_440) }) },
);

// The reference is an API with an empty cache, made anew for each request.
test("response cache: every answer equals one made without a cache, whatever records arrive and however the clock runs", async () => {
  // Uses only a few targets at a time, so that they are requested repeatedly.
  const some = fc.subarray(targets, { minLength: 1, maxLength: 3 });
  const property = fc.asyncProperty(some, fc.array(step, { minLength: 20, maxLength: 60 }), async (asked, steps) => {
    const world = await createWorld({}, new Date(START).toISOString());
    await world.feed(["USD_RLS", 1_000_000, "2026-11-20T10:00:00Z"], ["BTC_USD", 98_000, "2026-11-21T09:59:00Z"]);
    let now = START;
    for (const next of steps) {
      if ("minutes" in next) {
        now += next.minutes * MINUTE;
        world.setNow(new Date(now).toISOString());
      } else if ("code" in next) {
        const { code, value, ago, rejected } = next;
        const businessTime = new Date(now - ago * MINUTE).toISOString();
        await world.feed({ code, value, businessTime, qualityStatus: rejected ? "REJECTED" : "ACCEPTED" });
      } else {
        const target = asked[next.ask % asked.length]!;
        const request = requestOf(target, { method: next.method, key: world.key, body: "{}" });
        const anew = createApi({ clock: world.now, requestIds: () => "req_1", sha256: nodeSha256, ...world.store });
        const [kept, fresh] = [replyOf(await world.api(request)), replyOf(await anew(request))];
        assert.equal(kept.text.replace(/req_\w+/, "req_1"), fresh.text, target);
        assert.equal(kept.status, fresh.status, target);
        assert.deepEqual(comparable(kept.headers), comparable(fresh.headers), target);
      }
    }
  });
  await fc.assert(property, { numRuns: runs(8, 15) });
});

/** Leaves out fields that differ in every request. */
function comparable(headers: Readonly<Record<string, string>>): Record<string, string> {
  const { "X-Request-Id": _, RateLimit, "X-RateLimit-Remaining": remaining, ...rest } = headers;
  assert.equal(RateLimit === undefined, remaining === undefined);
  return rest;
}

let waits = 0;
/** Waits for zero to five microtask turns, a different number in each call. */
async function turns(): Promise<void> {
  for (let left = ((++waits * 7) % 11) % 6; left > 0; left--) await null;
}

const EACH_ROUTE = [
  ["the latest value", USD],
  ["a date", `${USD}/2026-11-21`],
  ["a history", `${USD}/history?from=2026-11-20&to=2026-11-21`],
  ["candles", `${USD}/ohlc?interval=1h&from=2026-11-21T00:00Z&to=2026-11-21T12:00Z`],
  ["the full list", "/api/v1/assets"],
  ["the catalog", CATALOG],
] as const;

for (const [route, target] of EACH_ROUTE) {
  test(`response cache: ${route} from a slow store: answers with equal tags have equal bodies, even while records arrive`, async () => {
    const world = await createFedWorld();
    const { observations } = world.store;
    // Reads the state some turns after the call, and returns it some turns later.
    const late =
      <Asked extends readonly unknown[], Found>(read: (...asked: Asked) => MaybePromise<Found>) =>
      async (...asked: Asked) => {
        await turns();
        const found = await read(...asked);
        await turns();
        return found;
      };
    const { api } = anotherApi(world, {
      latest: late(observations.latest),
      coverage: late(observations.coverage),
      lastOfEach: late(observations.lastOfEach),
      candles: late(observations.candles),
      version: late(observations.version),
    });
    const bodies = new Map<string, string>();
    const ask = async (): Promise<void> => {
      const { headers, text } = replyOf(await api(requestOf(target, { key: world.key })));
      const tag = headers["ETag"] ?? assert.fail("no tag");
      assert.equal(bodies.get(tag) ?? text, text, tag);
      bodies.set(tag, text);
    };
    for (let round = 0; round < 20; round++) {
      const asked = Array.from({ length: 4 }, ask);
      await turns();
      await world.feed(["USD_RLS", 1_000_001 + round, "2026-11-21T09:30:00Z"]);
      await Promise.all(asked);
    }
    assert.ok(bodies.size > 5, `${bodies.size} tags`);
  });
}

test("response cache: an answer about some assets stays cached while records of another asset arrive", async () => {
  const { world, ask } = await loggingWorld();
  await world.feed(["EUR_RLS", 1_100_000, "2026-11-21T09:00:00Z"]);
  const target = "/api/v1/assets?codes=EUR_RLS,USD_RLS";
  for (let times = 0; times < 3; times++) await ask(target);
  await world.feed(["BTC_USD", 83_000, "2026-11-21T09:30:00Z"]);
  assert.deepEqual((await ask(target)).asked, ["take"]);
  await world.feed(["EUR_RLS", 1_200_000, "2026-11-21T09:30:00Z"]);
  assert.deepEqual((await ask(target)).asked, ["take", "latest"]);
});

test("response cache: a target with unknown query parameters is not cached, as they may contain a secret", () => {
  const cache = createResponseCache();
  for (const query of ["api_key=secret", "codes=USD_RLS&token=secret", "codes", "c%6fdes=USD_RLS", "&"]) {
    const match = { route: ROUTES[0]!, params: [], query };
    cache.put(query, { match, response: undefined });
    assert.equal(cache.get(query)?.match, query === "codes" ? match : undefined, query);
  }
});

for (const [what, body] of [
  ["bodies of bytes", new Uint8Array(1 << 19)],
  ["text bodies, which take two bytes for each character,", "x".repeat(1 << 18)],
] as const) {
  test(`response cache: entries with ${what} take at most 16 MB together, and the oldest are dropped first`, () => {
    const cache = createResponseCache();
    for (let i = 0; i < 40; i++) cache.put(`/${i}`, { match: MATCH, response: withBody(body) });
    const kept = Array.from({ length: 40 }, (_, i) => cache.get(`/${i}`) !== undefined);
    assert.deepEqual(
      kept,
      kept.map((_, i) => i >= 9),
      "16 MB hold 31 bodies of half a megabyte, with their overhead",
    );
  });
}

test("response cache: bodies above 1 MB and targets above 256 characters are not kept", () => {
  const cache = createResponseCache();
  const cases = [
    ["/a", 1 << 20, true],
    ["/b", (1 << 20) + 1, false],
    ["/".padEnd(256, "c"), 1, true],
    ["/".padEnd(257, "d"), 1, false],
  ] as const;
  for (const [target, bytes, isKept] of cases) {
    cache.put(target, { match: MATCH, response: withBody(new Uint8Array(bytes)) });
    assert.equal(cache.get(target)?.response !== undefined, isKept, `${bytes} bytes of ${target}`);
  }
});

test("response cache: all stored failures that cost no unit take at most 2 MB together", () => {
  const cache = createTargetCache("contract");
  const match = { ...MATCH, route: ROUTES.find(({ charge }) => charge === "success")! };
  for (let i = 0; i < 10_000; i++)
    cache.failed(`/${i}`, match, { code: "ASSET_NOT_FOUND", freshness: { codes: [], version: "1" } });
  let kept = 0;
  for (let i = 0; i < 10_000; i++) if (cache.get("GET", `/${i}`)) kept++;
  assert.ok(kept > 3_000 && kept <= 4_096, `${kept} of at least 512 bytes each`);
});

test("response cache: a response is fresh from its rendering until its expiry", () => {
  const response = {
    ...withBody(""),
    renderedAt: 1_000 as UtcMillis,
    freshness: { codes: [], version: "1", expiresAt: 2_000 as UtcMillis },
  };
  const fresh = [999, 1_000, 1_999, 2_000].map((now) => isFresh(response, now as UtcMillis));
  assert.deepEqual(fresh, [false, true, true, false]);
});

const MATCH = { route: ROUTES[0]!, params: [], query: "" };

function withBody(body: string | Uint8Array): CachedResponse {
  const rendered: CachedResponse["rendered"] = {
    status: 200,
    body,
    contentType: "application/json",
    fields: undefined,
    etag: '"1"',
    caching: "private, no-cache",
  };
  return { rendered, freshness: { codes: [], version: "1" }, renderedAt: 0 as UtcMillis };
}

/** Another API on a world's store, and a list of its calls to the store and the ledger, without calls of `version`. */
function anotherApi(
  world: World,
  observations: Observations = world.store.observations,
  options: Partial<ApiOptions> = {},
) {
  const calls: string[] = [];
  const noted = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(_, name) {
        if (name !== "version") calls.push(String(name));
        return Reflect.get(port, name) as unknown;
      },
    });
  const api = createApi({
    ...{ clock: world.now, requestIds: () => "req_1", sha256: nodeSha256, accounts: world.store.accounts },
    observations: noted(observations),
    quota: noted(world.store.quota),
    ...options,
  });
  return { api, calls };
}

/** A world with an API that records the calls of each request. */
async function loggingWorld(options: Partial<ApiOptions> = {}) {
  const world = await createFedWorld();
  const { api, calls } = anotherApi(world, world.store.observations, options);
  const ask = async (target: string, key: string | null = world.key) => {
    calls.length = 0;
    const answer = await api(requestOf(target, { key }));
    const { status, text, headers } = replyOf(answer);
    return { status, text, headers, units: answer.report?.units, asked: [...calls] };
  };
  return { world, ask };
}

test("response cache: failures, missing data and free answers displace no other entries, however their targets are written", async () => {
  const { world, ask } = await loggingWorld();
  const unlimited = (await world.account({ units: null })).key;
  for (let times = 0; times < 3; times++) await ask(USD);
  const long = "x".repeat(180);
  for (let n = 0; n < 17_500; n++) {
    for (const key of [null, unlimited]) assert.notEqual((await ask(`${USD}/history?from=${n}`, key)).status, 200);
    assert.equal((await ask(`http://${long}${n}/api/v1/status`)).status, 200);
    assert.equal((await ask(`http://${long}${n}/api/v1/assets/EUR_RLS`)).status, 404);
  }
  assert.deepEqual((await ask(USD)).asked, ["take"]);
});

const MISSING = [
  ["an asset without a record", EUR, "latest"],
  ["a day without a record", `${EUR}/2026-11-20`, "lastOfEach"],
  ["a range without candles", `${EUR}/ohlc?interval=1d&from=2026-11-20T00:00Z&to=2026-11-21T00:00Z`, "candles"],
] as const;
for (const [what, target, read] of MISSING) {
  test(`missing data: ${what}: a repeated 404 takes no unit and reads nothing; with a record the answer is 200, and 404 after the record is rejected`, async () => {
    const { world, ask } = await loggingWorld();
    const first = await ask(target);
    assert.deepEqual([first.status, first.asked.includes(read), first.asked.at(-1)], [404, true, "giveBack"]);
    const again = await ask(target);
    assert.deepEqual(
      [again.status, again.asked, again.text, again.headers],
      [404, ["used"], first.text, first.headers],
    );
    await world.feed(["EUR_RLS", 1_100_000, "2026-11-20T10:00:00Z"]);
    for (let times = 0; times < 3; times++) assert.equal((await ask(target)).status, 200);
    const businessTime = "2026-11-20T10:00:00Z";
    await world.feed({ code: "EUR_RLS", value: 1_100_000, businessTime, qualityStatus: "REJECTED" });
    assert.deepEqual([(await ask(target)).status, (await ask(target)).asked], [404, ["used"]]);
  });
}

test("missing data: a caller without units gets 429, and with chargeFailures each failure costs a unit", async () => {
  const target = MISSING[1][1];
  const { world, ask } = await loggingWorld();
  const { key } = await world.account({ units: 1 });
  for (const [asked, ...wanted] of [
    [target, 404, "given back"],
    [target, 404, "free"],
    ["/api/v1/access", 200, "free"],
    [USD, 200, "taken"],
    [target, 429, "denied"],
  ] as const) {
    const { status, units } = await ask(asked, key);
    assert.deepEqual([status, units], wanted, asked);
  }
  const strict = await loggingWorld({ chargeFailures: "always" });
  for (let times = 0; times < 3; times++)
    assert.equal((await strict.ask(target)).asked.filter((one) => one === "take").length, 1);
});

test("catalog: is read again only when data has arrived, an asset has become stale, or the clock was set back", async () => {
  const world = await createWorld();
  // One asset is stale from the start, another one becomes stale an hour after the first request.
  await world.feed(["USD_RLS", 1_000_000, "2026-11-21T10:00:00Z"], ["EUR_RLS", 1_100_000, "2026-11-20T10:00:00Z"]);
  const { api, calls } = anotherApi(world);
  const readsAt = async (now: string): Promise<number> => {
    world.setNow(now);
    await api(requestOf(CATALOG, { key: world.key }));
    return calls.filter((call) => call === "coverage").length;
  };
  for (const [now, expected] of [
    ["10:00", 1],
    ["10:00", 2],
    ["10:30", 2],
    ["11:00", 2],
    ["11:00:00.001", 3],
    ["12:00", 3],
    ["11:30", 3],
    ["10:59", 4],
  ] as const) {
    assert.equal(await readsAt(`2026-11-21T${now}Z`), expected, now);
  }
  await world.feed(["EUR_RLS", 1_200_000, "2026-11-21T10:30:00Z"]);
  assert.equal(await readsAt("2026-11-21T11:30:00Z"), 5);
});

test("catalog: the bytes of an answer do not change when a later answer has another time", async () => {
  const world = await createWorld();
  const body = async () => (await world.api(requestOf(CATALOG, { key: world.key }))).body;
  const first = await body();
  const text = textOf(first);
  world.setNow(new Date(world.now() + 1_234).toISOString());
  assert.notEqual(textOf(await body()), text);
  assert.equal(textOf(first), text);
});

test("catalog: answers made from earlier data do not stay in memory", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const world = await createWorld();
  const answers: WeakRef<Uint8Array>[] = [];
  for (let minute = 10; minute < 50; minute++) {
    world.setNow(`2026-11-21T12:${minute}:00Z`);
    await world.feed(["USD_RLS", 1_000_000 + minute, `2026-11-21T12:${minute}:00Z`]);
    const { body } = await world.api(requestOf(CATALOG, { key: world.key }));
    answers.push(new WeakRef(body as Uint8Array));
  }
  await new Promise((resolve) => setImmediate(resolve)); // A `WeakRef` keeps its object until the end of the turn.
  collect();
  const kept = answers.filter((answer) => answer.deref() !== undefined).length;
  assert.ok(kept <= 3, `${kept} of ${answers.length} answers are still in memory`);
});
