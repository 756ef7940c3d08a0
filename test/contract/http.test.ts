import assert from "node:assert/strict";
import { test } from "node:test";
import { encodedEtag } from "../../core/http/content_encoding.ts";
import { ASSETS, type CalendarDate, defineRoute } from "../../core/mod.ts";
import { type Ask, assertFailure, createWorld, type Reply, type World } from "../support/api_under_test.ts";

const USD = "/api/v1/assets/USD_RLS";
const CATALOG = "/api/v1/assets/supported";
const CANDLES = `${USD}/ohlc?interval=1h&from=2026-11-21T00:00Z&to=2026-11-21T12:00Z`;
const HISTORY = `${USD}/history?from=2026-11-01&to=2026-11-21`;
const POST: Ask = {
  method: "POST",
  headers: ["Content-Type", "application/json"],
  body: '{"fromDate":"2026-11-01","toDate":"2026-11-21"}',
};

/** Each route that answers with data. */
const DATA: readonly (readonly [route: string, target: string, ask?: Ask])[] = [
  ["the full list", "/api/v1/assets"],
  ["a selection", "/api/v1/assets?codes=USD_RLS,EUR_RLS"],
  ["the catalog", CATALOG],
  ["the latest value", USD],
  ["a date", `${USD}/2026-11-21`],
  ["a history", HISTORY],
  ["candles", CANDLES],
  ["a history by body", USD, POST],
];
/** The routes in this list that use GET. */
const CACHED = DATA.filter(([, , ask]) => ask === undefined);

/** A custom route in addition to the nine routes. */
const PAGE = defineRoute({
  ...{ method: "GET", path: "/docs", auth: "none", charge: "free", docs: false, summary: "A page" },
  handle: () => ({ body: "<!doctype html>", contentType: "text/html; charset=utf-8" }),
});

async function createMarket(overrides: Parameters<typeof createWorld>[0] = {}): Promise<World> {
  const world = await createWorld({ routes: [PAGE], ...overrides });
  await world.feed(
    ["USD_RLS", 1_040_000, "2026-11-21T08:30:00Z"],
    ["USD_RLS", 1_050_000, "2026-11-21T09:00:00Z"],
    ["EUR_RLS", 1_220_000, "2026-11-21T09:00:00Z"],
  );
  return world;
}

/** Header fields that differ in each answer. */
const EACH_TIME = ["X-Request-Id", "RateLimit", "X-RateLimit-Remaining"];

function without(headers: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

const world = await createMarket();
const spent = await world.account({ units: 1 });
await world.ask(USD, { key: spent.key });

async function etagOf(where: World, target: string, ask?: Ask): Promise<string> {
  const reply = await where.ask(target, ask);
  assert.equal(reply.status, 200, reply.text);
  const etag = reply.headers["ETag"];
  assert.ok(etag, `${target} has a tag`);
  return etag;
}

/** All kinds of answers: data, the free routes, and failures. */
const ANSWERS: readonly (readonly [rule: string, status: number, target: string, ask?: Ask])[] = [
  ...DATA.map(([route, target, ask]) => [route, 200, target, ask ?? {}] as const),
  ["access", 200, "/api/v1/access"],
  ["the status", 200, "/api/v1/status", { key: null }],
  ["a page", 200, "/docs", { key: null }],
  ["a bad request", 400, "/api/v1/assets?codes="],
  ["a malformed target", 400, "*"],
  ["no key", 401, USD, { key: null }],
  ["no such asset", 404, "/api/v1/assets/ABC_RLS"],
  ["no such route", 404, "/nowhere"],
  ["no such method", 405, USD, { method: "PUT" }],
  ["a quota used up", 429, USD, { key: spent.key }],
];

const VARY = ["X-API-Key", "Authorization", "Accept", "Accept-Encoding", "Origin"];
for (const [rule, status, target, ask] of ANSWERS) {
  const isData = DATA.some(([route]) => route === rule);
  test(`every answer: ${rule} has a content type with nosniff, a request id, Cache-Control, and no CORS fields without an Origin: ${status}`, async () => {
    const held = isData ? [] : ["If-None-Match", "*"];
    const { headers, ...reply } = await world.ask(target, { ...ask, headers: [...(ask?.headers ?? []), ...held] });
    assert.equal(reply.status, status, reply.text);
    const html = target === "/docs";
    assert.equal(headers["Content-Type"], html ? "text/html; charset=utf-8" : "application/json; charset=utf-8");
    if (!html) assert.doesNotThrow(() => void JSON.parse(reply.text));
    assert.equal(headers["X-Content-Type-Options"], "nosniff");
    assert.match(headers["X-Request-Id"] ?? "", /^req_[0-9A-Za-z]{22}$/);
    for (const name of ["Server", "X-Powered-By", "Location", "Set-Cookie", "Content-Length", "Content-Encoding"])
      assert.equal(headers[name], undefined);
    assert.doesNotMatch(Object.keys(headers).join(), /access-control/i);
    assert.equal(headers["Cache-Control"], isData ? "private, no-cache" : "no-store");
    if (!isData) return assert.equal(headers["ETag"], undefined);
    assert.match(headers["ETag"] ?? "", /^"[\x21\x23-\x7e]{8,64}"$/);
    assert.deepEqual(headers["Vary"]?.split(", "), VARY);
  });

  if ((ask?.method ?? "GET") === "GET")
    test(`HEAD: ${rule} has the status and fields of GET: ${status}`, async () => {
      const [head, get] = [await world.ask(target, { ...ask, method: "HEAD" }), await world.ask(target, ask)];
      assert.equal(head.status, status);
      assert.deepEqual(without(head.headers, EACH_TIME), without(get.headers, EACH_TIME));
    });
}

for (const [route, target] of CACHED) {
  test(`If-None-Match: a client that has the answer of ${route} gets no body, but all fields of the 200 except Content-Type: 304`, async () => {
    const full = await world.ask(target);
    const etag = full.headers["ETag"] ?? "";
    const held = await world.ask(target, { headers: ["If-None-Match", etag] });
    assert.deepEqual([held.status, held.text], [304, ""]);
    const { "Content-Type": _, ...wanted } = full.headers;
    for (const name of EACH_TIME) assert.notEqual(held.headers[name], wanted[name], name);
    assert.deepEqual(without(held.headers, EACH_TIME), without(wanted, EACH_TIME));
    assert.equal((await world.ask(target, { method: "HEAD", headers: ["If-None-Match", etag] })).status, 304);
  });
}

/**
 * Conditions that a client may send: `{tag}` stands for the entity tag without quotes. `{cut}` stands for the part of
 * the tag before the dash (the state of the data), without its last letter.
 */
const conditions: readonly (readonly [rule: string, headers: readonly string[], status: 200 | 304])[] = [
  ["the tag", ["If-None-Match", '"{tag}"'], 304],
  ["the tag as a weak tag", ["If-None-Match", 'W/"{tag}"'], 304],
  ["any", ["If-None-Match", "*"], 304],
  ["the tag at the end of a list", ["If-None-Match", '"a", W/"b", "{tag}"'], 304],
  ["the tag in a second field", ["If-None-Match", '"a"', "If-None-Match", '"{tag}"'], 304],
  ["the tag of the gzip form", ["If-None-Match", '"{tag}-gzip"'], 304],
  ["another tag", ["If-None-Match", '"a"'], 200],
  ["a prefix of the tag", ["If-None-Match", '"{cut}"'], 200],
  ["the tag without quotes", ["If-None-Match", "{tag}"], 200],
  ["the tag in other fields", ["If-Match", '"{tag}"', "If-Modified-Since", "Sat, 21 Nov 2026 10:00:00 GMT"], 200],
];
for (const [rule, headers, status] of conditions) {
  for (const target of [USD, CATALOG]) {
    test(`If-None-Match: ${rule}, for ${target}: ${status}`, async () => {
      const etag = await etagOf(world, target);
      const spelled = headers.map((text) =>
        text.replace("{tag}", etag.slice(1, -1)).replace("{cut}", stem(etag).slice(0, -1)),
      );
      const reply = await world.ask(target, { headers: spelled });
      assert.equal(reply.status, status);
      assert.match(reply.headers["ETag"] ?? "", /^"[\x21\x23-\x7e]+"$/, "a strong tag");
      assert.equal(reply.text === "", status === 304);
    });
  }
}

test("If-None-Match: the 304 has the tag that the client sent, so that the client's cache can refresh its entry: 304", async () => {
  const etag = await etagOf(world, USD);
  for (const held of [etag, encodedEtag(etag, "gzip"), encodedEtag(etag, "br")]) {
    assert.equal((await world.ask(USD, { headers: ["If-None-Match", `"a", ${held}`] })).headers["ETag"], held);
  }
});

test("If-None-Match: applies to GET and HEAD; a POST is answered in full: 200", async () => {
  const reply = await world.ask(USD, { ...POST, headers: [...POST.headers!, "If-None-Match", "*"] });
  assert.equal(reply.status, 200);
  assert.notEqual(reply.text, "");
});

const AT_TEN = { code: "USD_RLS", businessTime: "2026-11-21T10:00:00Z" };
const EACH = CACHED.map(([route]) => route);

/** Events, each with the routes whose answers it changes. */
const events: readonly (readonly [event: string, act: (where: World) => unknown, changed: readonly string[]])[] = [
  ["nothing", () => undefined, []],
  ["a newer record", (where) => where.feed(["USD_RLS", 1_060_000, "2026-11-21T10:01:00Z"]), EACH],
  ["a correction of the latest record", (where) => where.feed({ ...AT_TEN, value: 1_055_000 }), EACH],
  ["its retraction", (where) => where.feed({ ...AT_TEN, value: 1, qualityStatus: "REJECTED" }), EACH],
  [
    "a correction of another asset",
    (where) => where.feed(["EUR_RLS", 1_230_000, "2026-11-21T09:00:00Z"]),
    ["the full list", "a selection", "the catalog"],
  ],
  ["a record going stale", (where) => where.setNow("2026-11-21T10:00:00.001Z"), ["the catalog"]],
  ["a candle completing", (where) => where.setNow("2026-11-21T11:00:00.000Z"), ["the catalog", "candles"]],
];
for (const [event, act, changed] of events) {
  test(`ETag: after ${event}, the tag of ${changed.join(", ") || "no route"} changes, all others stay the same: 200 and 304`, async () => {
    // At this time no asset is stale yet, EUR_RLS is about to become stale, and the candle from 10:00 is incomplete.
    const own = await createMarket();
    await own.feed(["USD_RLS", 1_051_000, "2026-11-21T10:00:00Z"]);
    const before = new Map<string, Reply>();
    for (const [route, target] of CACHED) before.set(route, await own.ask(target));
    await act(own);
    for (const [route, target] of CACHED) {
      const { headers, text } = before.get(route)!;
      const reply = await own.ask(target, { headers: ["If-None-Match", headers["ETag"] ?? ""] });
      const isChanged = changed.includes(route);
      assert.equal(reply.status, isChanged ? 200 : 304, route);
      const now = await own.ask(target);
      // Equal tags mean equal bodies. In the catalog's entity tag, the part before the dash identifies the body without `updatedAt`.
      if (!isChanged) assert.equal(sameTime(now.text), sameTime(text), route);
      else assert.notEqual(stem(now.headers["ETag"]), stem(headers["ETag"]), route);
    }
  });
}

function sameTime(text: string): string {
  return text.replace(/"updatedAt":"[^"]*"/, "");
}

function stem(etag = ""): string {
  return etag.slice(1, -1).split("-")[0]!;
}

const [DOLLAR, ...OTHERS] = ASSETS;
const settings = [
  ["another market zone", { marketTimeZone: "UTC" }],
  ["another stale threshold", { staleThresholdMinutes: 5 }],
  ["another label for one asset", { assets: [{ ...DOLLAR!, labelEn: "Dollar / Rial" }, ...OTHERS] }],
] as const;
for (const [rule, setting] of settings) {
  test(`ETag: the same store, served with ${rule}, has other tags: 200`, async () => {
    const first = await createMarket();
    const second = await createWorld({ ...setting, ...first.store });
    const key = second.key;
    // The second API looks up keys in the first store, so the key of the second API is added to that store.
    const [entry] = second.store.accounts.book().keys;
    assert.ok(entry, "the second world has a key");
    first.store.accounts.update([{ op: "key.create", entry }]);
    for (const [, target] of CACHED)
      assert.notEqual(stem(await etagOf(second, target, { key })), stem(await etagOf(first, target, { key })));
  });
}

test("ETag: a new store never repeats the tags of an earlier one: 200", async () => {
  const [first, second] = [await createMarket(), await createMarket()];
  for (const [, target] of CACHED) assert.notEqual(await etagOf(first, target), await etagOf(second, target));
});

test("X-Request-Id: each request gets a new id, whatever the client sends: 200, 304 and 404", async () => {
  const proposed = "req_0000000000000000000000";
  const ids = new Set([proposed]);
  for (let i = 0; i < 100; i++) {
    for (const target of [USD, "/nowhere"]) {
      const headers = ["X-Request-Id", proposed, "If-None-Match", i < 50 ? '"a"' : "*"];
      ids.add((await world.ask(target, { headers })).headers["X-Request-Id"]!);
    }
  }
  assert.equal(ids.size, 201);
});

// Cross-origin requests.
const EXPOSED = [
  ...["ETag", "Link", "RateLimit", "RateLimit-Policy", "Retry-After", "X-Notice"],
  ...["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id"],
];
const PREFLIGHT: Ask = {
  method: "OPTIONS",
  key: null,
  headers: ["Origin", "https://app.example", "Access-Control-Request-Method", "GET"],
};

function corsOf(reply: Reply): Record<string, string> {
  return Object.fromEntries(Object.entries(reply.headers).filter(([name]) => /^access-control-/i.test(name)));
}

test("CORS: by default, every page may read every answer with its quota and caching fields: 200, 304, 401, 404 and 429", async () => {
  const asks: readonly (readonly [target: string, status: number, ask?: Ask])[] = [
    [USD, 200],
    [USD, 304, { headers: ["If-None-Match", "*"] }],
    [USD, 204, { method: "OPTIONS", key: null }],
    [USD, 401, { key: null }],
    ["/nowhere", 404],
    [USD, 429, { key: spent.key }],
    ["*", 400],
    ["/api/v1/status", 200],
    ["/api/v1/access", 200],
    ["/docs", 200],
  ];
  for (const [target, status, ask = {}] of asks) {
    for (const origin of ["https://app.example", "null"]) {
      const reply = await world.ask(target, { ...ask, headers: [...(ask.headers ?? []), "Origin", origin] });
      assert.equal(reply.status, status);
      const cors = corsOf(reply);
      assert.deepEqual(Object.keys(cors).sort(), ["Access-Control-Allow-Origin", "Access-Control-Expose-Headers"]);
      assert.equal(cors["Access-Control-Allow-Origin"], "*");
      assert.deepEqual(cors["Access-Control-Expose-Headers"]?.split(", ").sort(), EXPOSED);
      assert.ok(reply.headers["Vary"]?.split(", ").includes("Origin"), "caches must distinguish the origins");
    }
    assert.ok((await world.ask(target, ask)).headers["Vary"]?.split(", ").includes("Origin"), target);
  }
});

test("CORS: a preflight needs no key, costs nothing, and lists each method and header field: 204", async () => {
  const own = await createMarket();
  const { id, key } = await own.account({});
  for (const [target, methods] of [
    [USD, "GET, HEAD, POST, OPTIONS"],
    [HISTORY, "GET, HEAD, OPTIONS"],
    ["/api/v1/status", "GET, HEAD, OPTIONS"],
  ] as const) {
    for (const asked of [null, key, "nonsense"]) {
      const reply = await own.ask(target, { ...PREFLIGHT, key: asked });
      assert.deepEqual([reply.status, reply.text], [204, ""]);
      assert.deepEqual(without(corsOf(reply), ["Access-Control-Expose-Headers"]), {
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Allow-Methods": methods,
        "Access-Control-Allow-Headers": "X-API-Key, Authorization, Content-Type, If-None-Match",
        "Access-Control-Max-Age": "86400",
      });
      assert.doesNotMatch(Object.keys(reply.headers).join(), /ratelimit|www-authenticate|content-type/i);
    }
  }
  assert.equal(await own.store.quota.used(id, "2026-11-21" as CalendarDate), 0);
});

const LISTED = ["https://app.example", "http://localhost:3000"];
const origins: readonly (readonly [rule: string, cors: "none" | readonly string[], origin?: string, isRead?: true])[] =
  [
    ["with a list, the second listed origin may read", LISTED, "http://localhost:3000", true],
    ["with a list, another origin may not read", LISTED, "https://evil.example"],
    ["with a list, an origin that begins like a listed one may not read", LISTED, "https://app.example.evil.example"],
    ["with a list, another scheme may not read", LISTED, "http://app.example"],
    ["with a list, the answer to a request without an origin allows no origin", LISTED],
    ["with `none`, no answer has a CORS field", "none", "https://app.example"],
  ];
for (const [rule, cors, origin, isRead] of origins) {
  test(`CORS: ${rule}, but all may read the methods in the answer to OPTIONS: 200, 204 and 404`, async () => {
    const own = await createMarket({ cors });
    const headers = origin === undefined ? [] : ["Origin", origin];
    const preflight = [...headers, "Access-Control-Request-Method", "GET"];
    for (const [status, target, ask] of [
      [200, USD, { headers }],
      [204, USD, { key: null, method: "OPTIONS", headers: preflight }],
      [204, USD, { key: null, method: "OPTIONS", headers }],
      [404, "/nowhere", { headers }],
    ] as const) {
      const reply = await own.ask(target, ask);
      assert.equal(reply.status, status);
      assert.equal(reply.headers["Access-Control-Allow-Origin"], isRead && origin);
      assert.equal(reply.headers["Access-Control-Expose-Headers"] !== undefined, isRead === true);
      if (cors === "none") assert.deepEqual(corsOf(reply), {});
      assert.equal((reply.headers["Vary"] ?? "").split(", ").includes("Origin"), cors !== "none");
      if (status === 204) assert.equal(reply.headers["Allow"], "GET, HEAD, POST, OPTIONS");
    }
  });
}

// Query parameters, for each route that reads them.
const queried: readonly (readonly [route: string, target: string, names: readonly string[]])[] = [
  ["the full list", "/api/v1/assets?codes=USD_RLS", ["codes"]],
  ["the catalog", `${CATALOG}?category=FX&quoteUnit=RLS`, ["category", "quoteUnit"]],
  ["a history", HISTORY, ["from", "to"]],
  ["candles", CANDLES, ["interval", "from", "to"]],
];
for (const [route, target, names] of queried) {
  const pairs = target.split("?")[1]!.split("&");

  test(`query: ${route} ignores unknown names, even repeated or empty ones, and known names in another case: 200`, async () => {
    const plain = await world.ask(target);
    for (const more of ["a=1&a=2", "=", "=x", "&&", "Codes=x&FROM=y&Interval=z&Category=q", "__proto__=1", "%zz=1"]) {
      const reply = await world.ask(`${target}&${more}`);
      assert.equal(reply.status, 200, more);
      assert.equal(sameTime(reply.text), sameTime(plain.text), more);
    }
  });

  test(`query: ${route} refuses a repeated known name, even with the same value or encoded: 400`, async () => {
    for (const name of names) {
      const pair = pairs.find((candidate) => candidate.startsWith(`${name}=`))!;
      const encoded = pair.replace(name[0]!, `%${name.charCodeAt(0).toString(16)}`);
      for (const again of [pair, `${name}=`, name, `${name}=x`, encoded]) {
        const message = assertFailure(await world.ask(`${target}&${again}`), 400, "DUPLICATE_PARAMETER");
        assert.ok(message.includes(name), again);
      }
    }
  });

  test(`query: ${route} accepts 32 pairs but not 33, whatever their names: 200 and 400`, async () => {
    const filled = (count: number): string => `${target}${"&x=1".repeat(count - pairs.length)}`;
    assert.equal((await world.ask(filled(32))).status, 200);
    assertFailure(await world.ask(filled(33)), 400, "INVALID_REQUEST");
  });
}
