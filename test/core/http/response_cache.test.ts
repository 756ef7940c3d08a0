import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { nodeSha256 } from "../../../adapters/node/digest.ts";
import { createApi } from "../../../core/mod.ts";
import { createKeptAnswers, mayBeRight } from "../../../core/http/response_cache.ts";
import type { KeptAnswer } from "../../../core/http/response_cache.ts";
import { createPlaces } from "../../../core/http/route_cache.ts";
import type { ApiRequest } from "../../../core/http/messages.ts";
import { ok } from "../../../core/result.ts";
import { ROUTES } from "../../../core/routes/table.ts";
import { createWorld, fields, replyOf, textOf } from "../../support/world.ts";
import type { UtcMillis } from "../../../core/brand.ts";

// The plain reference: an API that has kept nothing, made anew for each request.

const CODES = ["USD_RLS", "BTC_USD", "XRP_USD"] as const;
const START = Date.parse("2026-11-21T10:00:00Z");
const MINUTE = 60_000;

const targets = [
  "/api/v1/assets",
  "/api/v1/assets?codes=USD_RLS,XRP_USD",
  "/api/v1/assets/supported",
  "/api/v1/assets/supported?category=FX",
  ...CODES.flatMap((code) => [
    `/api/v1/assets/${code}`,
    `/api/v1/assets/${code}/2026-11-21`,
    `/api/v1/assets/${code}/history?from=2026-11-18&to=2026-11-22`,
    `/api/v1/assets/${code}/ohlc?interval=15m&from=2026-11-21T08:00Z&to=2026-11-22T00:00Z`,
    `/api/v1/assets/${code}/ohlc?interval=1d&from=2026-11-19T00:00Z&to=2026-11-23T00:00Z`,
  ]),
  "/api/v1/assets/USD_RLX",
  "/api/v1/assets/USD_RLS?unknown=1",
];

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ ask: fc.nat(), method: fc.constantFrom("GET", "GET", "GET", "HEAD", "POST") }) },
  { weight: 3, arbitrary: fc.record({ code: fc.constantFrom(...CODES), value: fc.constantFrom(1, 98_500, 0.00000098, 1_050_000.5), ago: fc.nat(4 * 24 * 60), rejected: fc.boolean() }) },
  // Also backwards, as a clock that is set does.
  { weight: 2, arbitrary: fc.record({ minutes: fc.constantFrom(-61, -1, 0.0001, 1, 14, 61, 1_440) }) },
);

test("kept answers: whatever comes in and however the clock runs, an answer is the one that would be made anew", async () => {
  // A few targets at a time, so that they are asked again.
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
        const request: ApiRequest = { method: next.method, target, headers: fields(["X-API-Key", world.key]), scheme: "http", text: async () => ok("{}") };
        const anew = createApi({ clock: world.now, requestIds: () => "req_1", sha256: nodeSha256, ...world.store });
        const [kept, fresh] = [replyOf(await world.api(request)), replyOf(await anew(request))];
        assert.equal(kept.text.replace(/req_\w+/, "req_1"), fresh.text, target);
        assert.equal(kept.status, fresh.status, target);
        assert.deepEqual(comparable(kept.headers), comparable(fresh.headers), target);
      }
    }
  });
  await fc.assert(property, { numRuns: 150 });
});

/** Fields that differ from request to request by their nature are left out. */
function comparable(headers: Readonly<Record<string, string>>): Record<string, string> {
  const { "X-Request-Id": _, RateLimit, "X-RateLimit-Remaining": remaining, ...rest } = headers;
  assert.ok((RateLimit === undefined) === (remaining === undefined));
  return rest;
}

test("kept answers: the same bytes are given again until a record comes in", async () => {
  const world = await createWorld();
  await world.feed(["USD_RLS", 1_000_000, "2026-11-21T09:00:00Z"]);
  const body = async (target: string): Promise<string | Uint8Array> =>
    (await world.api({ method: "GET", target, headers: fields(["X-API-Key", world.key]), scheme: "http", text: async () => ok("") })).body;
  for (const target of ["/api/v1/assets/USD_RLS", "/api/v1/assets", "/api/v1/assets/USD_RLS/2026-11-21"]) {
    await body(target);
    const [second, third] = [await body(target), await body(target)];
    assert.equal(second, third, target);
    await world.feed(["USD_RLS", 1_000_001, new Date(world.now()).toISOString()]);
    const fourth = await body(target);
    assert.notEqual(fourth, third, target);
    assert.match(textOf(fourth), /1000001/);
    world.setNow(new Date(world.now() + MINUTE).toISOString());
    await world.feed(["USD_RLS", 1_000_000, new Date(world.now()).toISOString()]);
  }
});

test("places: a query with anything but what the route reads is not noted, as it may hold a secret", () => {
  const places = createPlaces();
  for (const query of ["api_key=secret", "codes=USD_RLS&token=secret", "codes", "c%6fdes=USD_RLS", "&"]) {
    const place = { route: ROUTES[0]!, params: [], query };
    places.note(query, place);
    assert.equal(places.get(query), query === "codes" ? place : undefined, query);
  }
});

test("places: those of long targets are not noted, and when there are too many all go", () => {
  const places = createPlaces();
  const place = { route: ROUTES[0]!, params: [], query: "" };
  places.note("/".repeat(257), place);
  assert.equal(places.get("/".repeat(257)), undefined);
  for (let i = 0; i <= 4_096; i++) places.note(`/${i}`, place);
  assert.deepEqual([places.get("/0"), places.get("/4096")], [undefined, place]);
});

test("kept answers: a new one takes the place of the one before, and one that is too long of none", () => {
  const answers = createKeptAnswers();
  const [first, second] = [answerOf(10), answerOf(20)];
  answers.keep("/a", first);
  assert.equal(answers.get("/a"), first);
  answers.keep("/a", second);
  assert.equal(answers.get("/a"), second);
  answers.keep("/a", answerOf(2 << 20));
  assert.equal(answers.get("/a"), undefined);
});

test("kept answers: together they stay below 16 MB, and the oldest go first", () => {
  const answers = createKeptAnswers();
  for (let i = 0; i < 40; i++) {
    answers.keep(`/${i}`, answerOf(1 << 19));
  }
  const kept = Array.from({ length: 40 }, (_, i) => answers.get(`/${i}`) !== undefined);
  assert.deepEqual(kept, kept.map((_, i) => i >= 9), "31 halves of a megabyte and what they take besides");
});

test("kept answers: one is right from the moment it was made, up to the one at which it changes", () => {
  const answer = { ...answerOf(1), renderedAt: 1_000 as UtcMillis, keep: { version: "1", until: 2_000 as UtcMillis } };
  const right = [999, 1_000, 1_999, 2_000].map((now) => mayBeRight(answer, now as UtcMillis));
  assert.deepEqual(right, [false, true, true, false]);
});

function answerOf(bytes: number): KeptAnswer {
  const rendered = { body: new Uint8Array(bytes), contentType: "application/json", etag: '"1"' };
  return { rendered, keep: { version: "1" }, renderedAt: 0 as UtcMillis };
}
