import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeSha256 } from "../../adapters/http/node/sha256.ts";
import { base62 } from "../../core/accounts/base62.ts";
import { crc32 } from "../../core/bytes/crc32.ts";
import type { CalendarDate, ErrorCode, KeyId, KeyRights } from "../../core/mod.ts";
import { ROUTES } from "../../core/routes/route_table.ts";
import { type Ask, assertFailure, createWorld, objectOf, type Reply, type World } from "../support/api_under_test.ts";

const USD = "/api/v1/assets/USD_RLS";
const TODAY = "2026-11-21" as CalendarDate;

/** A request to each route that takes a key, answered with 200 where the key is good. */
const KEYED: readonly (readonly [route: string, target: string, ask: Ask])[] = [
  ["GET /api/v1/assets", "/api/v1/assets", {}],
  ["GET /api/v1/assets/supported", "/api/v1/assets/supported", {}],
  ["GET /api/v1/assets/{assetName}", USD, {}],
  ["GET /api/v1/assets/{assetName}/{date}", `${USD}/2026-11-21`, {}],
  ["GET /api/v1/assets/{assetName}/history", `${USD}/history?from=2026-11-20&to=2026-11-21`, {}],
  ["GET /api/v1/assets/{assetCode}/ohlc", `${USD}/ohlc?interval=1h&from=2026-11-21T00:00Z&to=2026-11-21T12:00Z`, {}],
  [
    "POST /api/v1/assets/{assetName}",
    USD,
    {
      method: "POST",
      headers: ["Content-Type", "application/json"],
      body: '{"fromDate":"2026-11-20","toDate":"2026-11-21"}',
    },
  ],
  ["GET /api/v1/access", "/api/v1/access", {}],
];

async function createFedWorld(): Promise<World> {
  const world = await createWorld();
  await world.feed(["USD_RLS", 1_050_000, "2026-11-21T09:00:00Z"]);
  return world;
}

const world = await createFedWorld();
const KEY = world.key;
const { key: OTHER, id: OTHER_ACCOUNT } = await world.account({ units: 1_000_000 });
const [PREFIX, ENVIRONMENT, ID = "", SECRET = ""] = KEY.split("_");

/** A key as it would have been issued, checksum and all. */
function withChecksum(id: string, secret: string, start = `${PREFIX}_${ENVIRONMENT}`): string {
  const body = `${start}_${id}_${secret}`;
  const crc = crc32(body);
  return body + base62(Uint8Array.of(crc >>> 24, crc >>> 16, crc >>> 8, crc), 6);
}

/** Another last character, of the same kind. */
function mistyped(key: string): string {
  return key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");
}

test("keys: the shape is published: prefix, public id, secret and checksum, in one word", () => {
  assert.match(KEY, /^mz_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{49}$/);
  assert.equal(KEY, withChecksum(ID, SECRET.slice(0, 43)), "the checksum is the CRC-32 of all before it");
});

for (const [route, target, ask] of KEYED) {
  test(`authentication: ${route} takes the key in either form, and needs one: 200, 200 and 401`, async () => {
    const { headers = [], ...rest } = ask;
    assert.equal((await world.ask(target, ask)).status, 200);
    const authorization = ["Authorization", `ApiKey ${KEY}`, ...headers];
    assert.equal((await world.ask(target, { ...rest, key: null, headers: authorization })).status, 200);
    assertFailure(await world.ask(target, { ...ask, key: null }), 401, "API_KEY_MISSING");
    assertFailure(await world.ask(target, { ...ask, key: mistyped(KEY) }), 401, "API_KEY_INVALID");
  });
}

test("authentication: of all routes only the status needs no key: 200", async () => {
  assert.equal((await world.ask("/api/v1/status", { key: null })).status, 200);
  assert.deepEqual(
    ROUTES.filter(({ auth }) => auth === "none").map(({ path }) => path),
    ["/api/v1/status"],
  );
});

// Every combination of credentials, as flat lists of header names and values.
const combinations: readonly (readonly [rule: string, headers: readonly string[], status: number, code?: ErrorCode])[] =
  [
    // One key, however written.
    ["X-API-Key alone", ["X-API-Key", KEY], 200],
    ["X-API-Key in lower case", ["x-api-key", KEY], 200],
    ["Authorization: ApiKey alone", ["Authorization", `ApiKey ${KEY}`], 200],
    ["Authorization in lower case, as HTTP/2 writes it", ["authorization", `ApiKey ${KEY}`], 200],
    ["the scheme in lower case", ["Authorization", `apikey ${KEY}`], 200],
    ["blanks around the value", ["X-API-Key", ` ${KEY} `], 200],

    // The same value more than once.
    ["both forms with the same value", ["X-API-Key", KEY, "Authorization", `ApiKey ${KEY}`], 200],
    [
      "Authorization twice with the same value",
      ["Authorization", `ApiKey ${KEY}`, "Authorization", `ApiKey ${KEY}`],
      200,
    ],

    // Two values.
    [
      "both forms with different values",
      ["X-API-Key", KEY, "Authorization", `ApiKey ${OTHER}`],
      401,
      "CONFLICTING_CREDENTIALS",
    ],
    ["X-API-Key twice with different values", ["X-API-Key", KEY, "X-API-Key", OTHER], 401, "CONFLICTING_CREDENTIALS"],
    [
      "Authorization twice with different values",
      ["Authorization", `ApiKey ${KEY}`, "Authorization", `ApiKey ${OTHER}`],
      401,
      "CONFLICTING_CREDENTIALS",
    ],
    ["different values joined by a comma", ["X-API-Key", `${KEY}, ${OTHER}`], 401, "CONFLICTING_CREDENTIALS"],
    ["one scheme before two values", ["Authorization", `ApiKey ${KEY}, ${OTHER}`], 401, "CONFLICTING_CREDENTIALS"],
    [
      "a good key beside a malformed one",
      ["X-API-Key", KEY, "Authorization", "ApiKey nonsense"],
      401,
      "CONFLICTING_CREDENTIALS",
    ],

    // A Bearer token.
    ["Bearer beside X-API-Key", ["X-API-Key", KEY, "Authorization", "Bearer abc.def"], 401, "CONFLICTING_CREDENTIALS"],
    [
      "Bearer joined to ApiKey by a comma",
      ["Authorization", `ApiKey ${KEY}, Bearer abc`],
      401,
      "CONFLICTING_CREDENTIALS",
    ],
    [
      "Bearer beside a malformed key",
      ["X-API-Key", "nonsense", "Authorization", "Bearer abc"],
      401,
      "CONFLICTING_CREDENTIALS",
    ],
    ["Bearer alone", ["Authorization", "Bearer abc"], 401, "API_KEY_MISSING"],
    ["a good key sent as a Bearer token", ["Authorization", `Bearer ${KEY}`], 401, "API_KEY_MISSING"],

    // Other credentials are somebody else's business, e.g. a proxy's.
    ["Basic beside X-API-Key", ["X-API-Key", KEY, "Authorization", "Basic dTpw"], 200],
    ["a good key without its scheme", ["Authorization", KEY], 401, "API_KEY_MISSING"],

    // Nothing.
    ["no header at all", [], 401, "API_KEY_MISSING"],
    ["an empty X-API-Key", ["X-API-Key", ""], 401, "API_KEY_MISSING"],

    // One key that is none.
    ["a text of another shape", ["X-API-Key", "nonsense"], 401, "API_KEY_INVALID"],
    ["a good key with a character too few", ["X-API-Key", KEY.slice(0, -1)], 401, "API_KEY_INVALID"],
    [
      "a good key, then a Bearer token in one value",
      ["Authorization", `ApiKey ${KEY} Bearer abc`],
      401,
      "API_KEY_INVALID",
    ],
    ["a wrong checksum", ["X-API-Key", mistyped(KEY)], 401, "API_KEY_INVALID"],
    [
      "an unknown id with a right checksum",
      ["X-API-Key", withChecksum("00000000", SECRET.slice(0, 43))],
      401,
      "API_KEY_INVALID",
    ],
    [
      "a known id and another secret with a right checksum",
      ["X-API-Key", withChecksum(ID, "0".repeat(43))],
      401,
      "API_KEY_INVALID",
    ],
    [
      "one account's id and another's secret",
      ["X-API-Key", withChecksum(ID, OTHER.split("_")[3]!.slice(0, 43))],
      401,
      "API_KEY_INVALID",
    ],
    ["the digest that is stored, in place of the key", ["X-API-Key", await nodeSha256(KEY)], 401, "API_KEY_INVALID"],
  ];
for (const [rule, headers, status, code] of combinations) {
  test(`credentials: ${rule}: ${status}`, async () => {
    const reply = await world.ask(USD, { key: null, headers });
    if (code) assertFailure(reply, status, code);
    assert.equal(reply.status, status, reply.text);
    assert.equal(reply.headers["WWW-Authenticate"], status === 401 ? "ApiKey" : undefined);
  });
}

test("credentials: the key decides whose quota is charged, in either form, and a conflict charges nobody: 200 and 401", async () => {
  const before = await world.store.quota.used(OTHER_ACCOUNT, TODAY);
  await world.ask(USD, { key: OTHER });
  await world.ask(USD, { key: null, headers: ["Authorization", `ApiKey ${OTHER}`] });
  await world.ask(USD, { key: null, headers: ["X-API-Key", KEY, "Authorization", `ApiKey ${OTHER}`] });
  assert.equal(world.store.quota.used(OTHER_ACCOUNT, TODAY), before + 2);
});

test("keys: a key is valid up to its expiry, and refused from exactly that moment on: 200 and 401", async () => {
  const own = await createFedWorld();
  const { key } = await own.account({ expiresAt: "2026-12-01T00:00:00Z" });
  own.setNow("2026-11-30T23:59:59.999Z");
  assert.equal((await own.ask(USD, { key })).status, 200);
  for (const now of ["2026-12-01T00:00:00.000Z", "2026-12-01T00:00:00.001Z", "2030-01-01T00:00:00Z"]) {
    own.setNow(now);
    assertFailure(await own.ask(USD, { key }), 401, "API_KEY_INVALID");
  }
});

test("keys: a revoked key is refused from the next request on, the account's others are not: 401 and 200", async () => {
  const own = await createFedWorld();
  const { key } = await own.account({});
  assert.equal((await own.ask(USD, { key })).status, 200);
  own.store.accounts.update([{ op: "key.revoke", id: key.split("_")[2] as KeyId, at: own.now() }]);
  assertFailure(await own.ask(USD, { key }), 401, "API_KEY_INVALID");
  assert.equal((await own.ask(USD)).status, 200);
});

test("keys: malformed, mistyped, unknown, guessed, expired and revoked keys get the same answer: 401", async () => {
  const own = await createFedWorld();
  const [expired, revoked] = [await own.account({ expiresAt: "2026-11-21T09:00:00Z" }), await own.account({})];
  own.store.accounts.update([{ op: "key.revoke", id: revoked.key.split("_")[2] as KeyId, at: own.now() }]);
  const id = own.key.split("_")[2] ?? "";
  const keys = [
    "nonsense",
    mistyped(own.key),
    withChecksum("00000000", "0".repeat(43)),
    withChecksum(id, "0".repeat(43)),
    expired.key,
    revoked.key,
  ];
  const answers = [];
  for (const key of keys) {
    const { headers, json, status } = await own.ask(USD, { key });
    const { requestId: _, ...body } = objectOf(json);
    const { "X-Request-Id": __, ...fields } = headers;
    answers.push({ status, body, fields });
  }
  assert.equal(answers[0]!.status, 401);
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
});

test("keys: another shape and a wrong checksum are refused before any look-up: 401", async () => {
  const lookedUp: unknown[] = [];
  const own: World = await createWorld({
    accounts: {
      find(id) {
        lookedUp.push(id);
        return own.store.accounts.find(id);
      },
    },
    sha256(text) {
      lookedUp.push(text);
      return nodeSha256(text);
    },
  });
  for (const key of ["nonsense", mistyped(own.key), own.key.toUpperCase(), `${own.key}0`, "__proto__"])
    await own.ask(USD, { key });
  assert.deepEqual(lookedUp, []);
  await own.ask(USD);
  assert.deepEqual(lookedUp, [own.key.split("_")[2], own.key]);
});

test("keys: an unknown id is looked up and compared like a known one, so that time does not tell it: 401", async () => {
  const digested: string[] = [];
  const own = await createWorld({
    sha256(text) {
      digested.push(text);
      return nodeSha256(text);
    },
  });
  const unknown = withChecksum("00000000", "0".repeat(43));
  await own.ask(USD, { key: unknown });
  assert.deepEqual(digested, [unknown]);
});

for (const status of ["RESTRICTED", "DISABLED"] as const) {
  test(`accounts: ${status.toLowerCase()}: every keyed route is refused, and nothing charged: 403`, async () => {
    const own = await createFedWorld();
    const { id, key } = await own.account({ status });
    for (const [, target, ask] of KEYED)
      assertFailure(await own.ask(target, { ...ask, key }), 403, "ACCESS_RESTRICTED");
    assert.equal(own.store.quota.used(id, TODAY), 0);
  });
}

for (const may of ["refund", "read,refund", "read,write,refund"]) {
  test(`keys: one that a later version has made, which may ${may}, is refused everywhere, and the answer says why: 403`, async () => {
    const own = await createFedWorld();
    const { id, key } = await own.account({});
    const holder = (await own.store.accounts.find(key.split("_")[2] as KeyId))!;
    const unknown = { ...holder, key: { ...holder.key, may: may as KeyRights } };
    const { ask } = await createWorld({ ...own.store, accounts: { find: () => unknown } });
    for (const [, target, how] of KEYED) {
      const reply = await ask(target, { ...how, key });
      assertFailure(reply, 403, "ACCESS_RESTRICTED");
      assert.match(reply.text, /does not know the rights of this key/);
    }
    assert.equal(own.store.quota.used(id, TODAY), 0);
  });
}

test("accounts: a restriction is reported before any other error of the request, but not to a wrong key: 403 and 401", async () => {
  const own = await createFedWorld();
  const { key } = await own.account({ status: "RESTRICTED", expiresAt: "2026-11-22T00:00:00Z" });
  assertFailure(await own.ask("/api/v1/assets/ABC_RLS/not-a-date", { key }), 403, "ACCESS_RESTRICTED");
  assertFailure(await own.ask(USD, { key: mistyped(key) }), 401, "API_KEY_INVALID");
  own.setNow("2026-11-22T00:00:00Z");
  assertFailure(await own.ask(USD, { key }), 401, "API_KEY_INVALID");
});

for (const name of ["api_key", "apiKey", "token", "X-API-Key", "Authorization"]) {
  test(`key in the URL: "${name}" is never read: 401 without a header, and ignored beside one: 200`, async () => {
    for (const value of [KEY, `ApiKey%20${KEY}`]) {
      const reply = await world.ask(`/api/v1/assets?${name}=${value}`, { key: null });
      assert.match(assertFailure(reply, 401, "API_KEY_MISSING"), /header/i);
      assert.equal(objectOf(reply.json)["path"], "/api/v1/assets");
    }
    for (const value of [KEY, OTHER, "nonsense", ""]) {
      const before = await world.store.quota.used(OTHER_ACCOUNT, TODAY);
      assert.equal((await world.ask(`/api/v1/assets?${name}=${value}&${name}=twice`)).status, 200);
      assert.equal(await world.store.quota.used(OTHER_ACCOUNT, TODAY), before);
    }
  });
}

test("key in the body: is never read: 401", async () => {
  const body = JSON.stringify({ fromDate: "2026-11-20", toDate: "2026-11-21", apiKey: KEY, api_key: KEY });
  assertFailure(
    await world.ask(USD, { method: "POST", key: null, headers: ["Content-Type", "application/json"], body }),
    401,
    "API_KEY_MISSING",
  );
});

async function assertSecretFree(reply: Reply, key: string): Promise<void> {
  const answered = JSON.stringify([reply.headers, reply.text]);
  for (const secret of [key, key.split("_")[3]!, await nodeSha256(key)])
    assert.ok(!answered.includes(secret), answered);
}

test("secrets: no answer to any route, good or bad, holds the key, its secret or its digest: 200, 401, 403 and 429", async () => {
  const own = await createFedWorld();
  const accounts = [
    await own.account({ units: 1 }),
    await own.account({ status: "DISABLED" }),
    await own.account({ expiresAt: "2026-11-21T09:00:00Z" }),
  ];
  for (const key of [own.key, mistyped(own.key), ...accounts.map((account) => account.key)]) {
    for (const [, target, ask] of KEYED) {
      const withQuery = `${target}${target.includes("?") ? "&" : "?"}api_key=${key}`;
      await assertSecretFree(await own.ask(withQuery, { ...ask, key }), key);
      await assertSecretFree(
        await own.ask(withQuery, { ...ask, key, headers: [...(ask.headers ?? []), "Authorization", `Bearer ${key}`] }),
        key,
      );
    }
  }
});

const misplaced: readonly (readonly [place: string, target: (key: string) => string, ask?: (key: string) => Ask])[] = [
  ["as an asset", (key) => `/api/v1/assets/${key}`],
  ["as codes", (key) => `/api/v1/assets?codes=${key}`],
  ["as from", (key) => `${USD}/history?from=${key}&to=2026-11-21`],
  ["as a time", (key) => `${USD}/ohlc?interval=1h&from=${key}&to=2026-11-21T12:00Z`],
  [
    "as fromDate",
    () => USD,
    (key) => ({
      method: "POST",
      headers: ["Content-Type", "application/json"],
      body: JSON.stringify({ fromDate: key, toDate: "2026-11-21" }),
    }),
  ],
];
for (const [place, target, ask] of misplaced) {
  // Ours, two of other services with a prefix of their own, and two without any; no code of an asset has 33 characters.
  const kinds = [
    ["of ours", KEY],
    ["of another service", `sk_test_${SECRET}`],
    ["of 32 characters of another service", `sk_test_${SECRET.slice(0, 24)}`],
    ["without a prefix", SECRET],
    ["of 33 characters without a prefix", SECRET.slice(0, 33)],
  ] as const;
  for (const [kind, key] of kinds) {
    test(`secrets: nothing in an answer repeats a key ${kind} that was put by mistake ${place}: 400 or 404`, async () => {
      const reply = await world.ask(target(key), ask?.(key));
      assert.ok(reply.status === 400 || reply.status === 404, reply.text);
      // Eight characters of the secret would be too many already.
      for (const answered of [reply.text, ...Object.values(reply.headers)])
        assert.ok(!answered.includes(SECRET.slice(0, 8)), answered);
    });
  }
}

const hidden: readonly (readonly [place: string, target: string, status: number])[] = [
  ["behind another key", `/api/v1/assets/${OTHER}/${KEY}`, 404],
  ["behind another key in one text", `/api/v1/assets?codes=${OTHER},${KEY}`, 400],
  ["where the text that a message repeats is cut", `/api/v1/assets/${"a%20".repeat(23)}${SECRET}`, 404],
  ["where the path that an error body repeats is cut", `/${"a/".repeat(505)}${SECRET}`, 404],
];
for (const [place, target, status] of hidden) {
  test(`secrets: nothing in an answer repeats a key that stands ${place}: ${status}`, async () => {
    const reply = await world.ask(target);
    assert.equal(reply.status, status, reply.text);
    for (const secret of [SECRET, OTHER.split("_")[3]!])
      assert.ok(!reply.text.includes(secret.slice(0, 8)), reply.text);
  });
}

test("secrets: the documentation link does not repeat a key that was put by mistake into the Host field: 200", async () => {
  for (const key of [KEY, SECRET]) {
    const { status, text } = await world.ask("/api/v1/status", { key: null, headers: ["Host", key] });
    assert.equal(status, 200);
    assert.ok(!text.includes(SECRET.slice(0, 8)), text);
    assert.match(text, /"documentationUrl":"http:\/\/localhost\/docs"/);
  }
});

for (const [what, blank] of [
  ["a no-break space", "\u00a0"],
  ["a byte order mark", "\ufeff"],
] as const) {
  test(`keys: ${what} around a key is no blank: 401`, async () => {
    for (const headers of [
      ["X-API-Key", blank + KEY],
      ["X-API-Key", KEY + blank],
      ["Authorization", `ApiKey ${KEY}${blank}`],
      ["Authorization", `ApiKey${blank}${KEY}`],
    ]) {
      assert.equal((await world.ask(USD, { key: null, headers })).status, 401, JSON.stringify(headers));
    }
  });
}

test("keys: spaces and tabs around a key are blanks: 200", async () => {
  for (const headers of [
    ["X-API-Key", ` \t${KEY}\t `],
    ["Authorization", `ApiKey \t ${KEY}  `],
  ]) {
    assert.equal((await world.ask(USD, { key: null, headers })).status, 200, JSON.stringify(headers));
  }
});

test("without a key, no target reaches a store, however new it is: 401 where there is a route, 404 where there is none", async () => {
  const reached: unknown[] = [];
  const noting = (port: string): never =>
    new Proxy({}, { get: (_, name) => () => reached.push([port, name]) }) as never;
  const { ask } = await createWorld({
    observations: noting("observations"),
    accounts: noting("accounts"),
    quota: noting("quota"),
  });
  for (let n = 0; n < 500; n++) {
    const day = new Date(n * 86_400_000).toISOString().slice(0, 10);
    const kinds = [
      [`/nowhere/${n}`, 404],
      [`/api/v1/assets/ASSET_${n}`, 401],
      [`${USD}/${day}`, 401],
      [`http://host-${n}${USD}`, 401],
      [`${USD}?n=${n}`, 401],
    ] as const;
    for (const [target, status] of [...kinds, ...KEYED.map(([, keyed]) => [keyed, 401] as const)]) {
      assert.equal((await ask(target, { key: null })).status, status, target);
    }
  }
  assert.deepEqual(reached, []);
});
