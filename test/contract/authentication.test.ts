import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeSha256 } from "../../adapters/http/node/sha256.ts";
import { base62 } from "../../core/accounts/base62.ts";
import { crc32 } from "../../core/bytes/crc32.ts";
import type { CalendarDate, ErrorCode, KeyId, KeyRights } from "../../core/mod.ts";
import { ROUTES } from "../../core/routes/route_table.ts";
import {
  type Ask,
  assertFailure,
  createFedWorld,
  createWorld,
  objectOf,
  type World,
} from "../support/api_under_test.ts";

const USD = "/api/v1/assets/USD_RLS";
const TODAY = "2026-11-21" as CalendarDate;

function post(body: string): Ask {
  return { method: "POST", headers: ["Content-Type", "application/json"], body };
}

/** A request to each route that needs a key. The answer is 200 if the key is valid. */
const KEYED: readonly (readonly [route: string, target: string, ask: Ask])[] = [
  ["GET /api/v1/assets", "/api/v1/assets", {}],
  ["GET /api/v1/assets/supported", "/api/v1/assets/supported", {}],
  ["GET /api/v1/assets/{assetName}", USD, {}],
  ["GET /api/v1/assets/{assetName}/{date}", `${USD}/2026-11-21`, {}],
  ["GET /api/v1/assets/{assetName}/history", `${USD}/history?from=2026-11-20&to=2026-11-21`, {}],
  ["GET /api/v1/assets/{assetCode}/ohlc", `${USD}/ohlc?interval=1h&from=2026-11-21T00:00Z&to=2026-11-21T12:00Z`, {}],
  ["POST /api/v1/assets/{assetName}", USD, post('{"fromDate":"2026-11-20","toDate":"2026-11-21"}')],
  ["GET /api/v1/access", "/api/v1/access", {}],
];

const world = await createFedWorld();
const KEY = world.key;
const { key: OTHER, id: OTHER_ACCOUNT } = await world.account({ units: 1_000_000 });
const [PREFIX, ENVIRONMENT, ID = "", SECRET = ""] = KEY.split("_");

/** A key as it would be issued, including the checksum. */
function withChecksum(id: string, secret: string, start = `${PREFIX}_${ENVIRONMENT}`): string {
  const body = `${start}_${id}_${secret}`;
  const crc = crc32(body);
  return body + base62(Uint8Array.of(crc >>> 24, crc >>> 16, crc >>> 8, crc), 6);
}

/** Replaces the last character with another one of the same kind. */
function mistyped(key: string): string {
  return key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");
}

for (const [route, target, ask] of KEYED) {
  test(`authentication: ${route} accepts the key in either form, and refuses requests without a key: 200, 200 and 401`, async () => {
    const { headers = [], ...rest } = ask;
    assert.equal((await world.ask(target, ask)).status, 200);
    const authorization = ["Authorization", `ApiKey ${KEY}`, ...headers];
    assert.equal((await world.ask(target, { ...rest, key: null, headers: authorization })).status, 200);
    assertFailure(await world.ask(target, { ...ask, key: null }), 401, "API_KEY_MISSING");
    assertFailure(await world.ask(target, { ...ask, key: mistyped(KEY) }), 401, "API_KEY_INVALID");
  });
}

test("authentication: only the status route needs no key: 200", async () => {
  assert.equal((await world.ask("/api/v1/status", { key: null })).status, 200);
  const open = ROUTES.filter(({ auth }) => auth === "none").map(({ path }) => path);
  assert.deepEqual(open, ["/api/v1/status"]);
});

const SHORT_SECRET = SECRET.slice(0, 43);
const OTHER_SECRET = OTHER.split("_")[3]!.slice(0, 43);
const twice = (name: string, one: string, other: string): readonly string[] => [name, one, name, other];

/** Cases by the expected error code, or `OK`. The header fields are name, value, name, value. */
const credentials: Readonly<Record<string, readonly (readonly [rule: string, headers: readonly string[]])[]>> = {
  OK: [
    ["X-API-Key in lower case", ["x-api-key", KEY]],
    ["Authorization in lower case, as in HTTP/2", ["authorization", `ApiKey ${KEY}`]],
    ["the scheme in lower case", ["Authorization", `apikey ${KEY}`]],
    ["spaces and tabs around X-API-Key", ["X-API-Key", ` \t${KEY}\t `]],
    ["spaces and tabs around a key after its scheme", ["Authorization", `ApiKey \t ${KEY}  `]],
    ["both forms with the same key", ["X-API-Key", KEY, "Authorization", `ApiKey ${KEY}`]],
    ["Authorization twice with the same key", twice("Authorization", `ApiKey ${KEY}`, `ApiKey ${KEY}`)],
    [
      "X-API-Key together with Authorization: Basic, which a proxy may have added",
      ["X-API-Key", KEY, "Authorization", "Basic dTpw"],
    ],
  ],
  CONFLICTING_CREDENTIALS: [
    ["different keys in the two forms", ["X-API-Key", KEY, "Authorization", `ApiKey ${OTHER}`]],
    ["X-API-Key twice with different keys", twice("X-API-Key", KEY, OTHER)],
    ["Authorization twice with different keys", twice("Authorization", `ApiKey ${KEY}`, `ApiKey ${OTHER}`)],
    ["two keys joined by a comma", ["X-API-Key", `${KEY}, ${OTHER}`]],
    ["two keys after one scheme", ["Authorization", `ApiKey ${KEY}, ${OTHER}`]],
    ["a valid key beside a malformed one", ["X-API-Key", KEY, "Authorization", "ApiKey nonsense"]],
    ["Bearer beside X-API-Key", ["X-API-Key", KEY, "Authorization", "Bearer abc.def"]],
    ["Bearer joined to ApiKey by a comma", ["Authorization", `ApiKey ${KEY}, Bearer abc`]],
    ["Bearer beside a malformed key", ["X-API-Key", "nonsense", "Authorization", "Bearer abc"]],
  ],
  API_KEY_MISSING: [
    ["no header at all", []],
    ["an empty X-API-Key", ["X-API-Key", ""]],
    ["a valid key sent as a Bearer token", ["Authorization", `Bearer ${KEY}`]],
    ["a valid key without its scheme", ["Authorization", KEY]],
  ],
  API_KEY_INVALID: [
    ["a text with another shape", ["X-API-Key", "nonsense"]],
    ["a valid key without its last character", ["X-API-Key", KEY.slice(0, -1)]],
    ["a valid key, then a Bearer token in the same value", ["Authorization", `ApiKey ${KEY} Bearer abc`]],
    ["a no-break space around a key", ["X-API-Key", `\u00a0${KEY}`]],
    ["a byte order mark after a key", ["Authorization", `ApiKey ${KEY}\ufeff`]],
    ["a wrong checksum", ["X-API-Key", mistyped(KEY)]],
    ["an unknown id with a correct checksum", ["X-API-Key", withChecksum("00000000", SHORT_SECRET)]],
    ["a known id and a wrong secret with a correct checksum", ["X-API-Key", withChecksum(ID, "0".repeat(43))]],
    ["one account's id and another's secret", ["X-API-Key", withChecksum(ID, OTHER_SECRET)]],
    ["the stored digest instead of the key", ["X-API-Key", await nodeSha256(KEY)]],
  ],
};
for (const [code, cases] of Object.entries(credentials)) {
  for (const [rule, headers] of cases) {
    test(`credentials: ${rule}: ${code === "OK" ? 200 : `401 ${code}`}`, async () => {
      const reply = await world.ask(USD, { key: null, headers });
      if (code === "OK") assert.equal(reply.status, 200, reply.text);
      else assertFailure(reply, 401, code as ErrorCode);
      assert.equal(reply.headers["WWW-Authenticate"], code === "OK" ? undefined : "ApiKey");
    });
  }
}

test("credentials: the key, in either form, determines whose quota is charged; two different keys charge nobody: 200 and 401", async () => {
  const before = await world.store.quota.used(OTHER_ACCOUNT, TODAY);
  await world.ask(USD, { key: OTHER });
  await world.ask(USD, { key: null, headers: ["Authorization", `ApiKey ${OTHER}`] });
  await world.ask(USD, { key: null, headers: ["X-API-Key", KEY, "Authorization", `ApiKey ${OTHER}`] });
  assert.equal(world.store.quota.used(OTHER_ACCOUNT, TODAY), before + 2);
});

test("keys: malformed, mistyped, unknown, guessed, expired and revoked keys get the same answer: 401", async () => {
  const own = await createFedWorld();
  const [expired, revoked] = [await own.account({ expiresAt: "2026-11-21T09:00:00Z" }), await own.account({})];
  own.store.accounts.update([{ op: "key.revoke", id: revoked.key.split("_")[2] as KeyId, at: own.now() }]);
  const guessed = [own.key.split("_")[2]!, "00000000"].map((id) => withChecksum(id, "0".repeat(43)));
  const answers = [];
  for (const key of ["nonsense", mistyped(own.key), ...guessed, expired.key, revoked.key]) {
    const { headers, json, status } = await own.ask(USD, { key });
    answers.push({ status, ...objectOf(json), ...headers, requestId: "", "X-Request-Id": "" });
  }
  assert.equal(answers[0]!.status, 401);
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
});

test("keys: a wrong shape or checksum is refused without a look-up, an unknown id only after comparing a digest: 401", async () => {
  const steps: unknown[] = [];
  const noted = <Given, Found>(call: (given: Given) => Found) => {
    return (given: Given): Found => {
      steps.push(given);
      return call(given);
    };
  };
  const own: World = await createWorld({
    accounts: { find: noted((id: KeyId) => own.store.accounts.find(id)) },
    sha256: noted(nodeSha256),
  });
  for (const key of ["nonsense", mistyped(own.key), own.key.toUpperCase(), `${own.key}0`, "__proto__"])
    await own.ask(USD, { key });
  assert.deepEqual(steps, []);
  await own.ask(USD);
  const unknown = withChecksum("00000000", "0".repeat(43));
  await own.ask(USD, { key: unknown });
  assert.deepEqual(steps, [own.key.split("_")[2], own.key, "00000000", unknown]);
});

for (const status of ["RESTRICTED", "DISABLED"] as const) {
  test(`accounts: ${status.toLowerCase()}: every route that needs a key refuses, and charges nothing: 403`, async () => {
    const own = await createFedWorld();
    const { id, key } = await own.account({ status });
    for (const [, target, ask] of KEYED)
      assertFailure(await own.ask(target, { ...ask, key }), 403, "ACCESS_RESTRICTED");
    assert.equal(own.store.quota.used(id, TODAY), 0);
  });
}

test("keys: a key with a right that only a later version supports is refused everywhere, and the message says why: 403", async () => {
  const own = await createFedWorld();
  const { id, key } = await own.account({});
  const holder = (await own.store.accounts.find(key.split("_")[2] as KeyId))!;
  for (const may of ["refund", "read,refund", "read,write,refund"] as unknown as KeyRights[]) {
    const { ask } = await createWorld({
      ...own.store,
      accounts: { find: () => ({ ...holder, key: { ...holder.key, may } }) },
    });
    for (const [, target, how] of KEYED) {
      const message = assertFailure(await ask(target, { ...how, key }), 403, "ACCESS_RESTRICTED");
      assert.match(message, /does not support the rights of this key/);
    }
  }
  assert.equal(own.store.quota.used(id, TODAY), 0);
});

test("accounts: a restriction is reported before any other error, but only if the key is valid: 403 and 401", async () => {
  const own = await createFedWorld();
  const { key } = await own.account({ status: "RESTRICTED", expiresAt: "2026-11-22T00:00:00Z" });
  assertFailure(await own.ask("/api/v1/assets/ABC_RLS/not-a-date", { key }), 403, "ACCESS_RESTRICTED");
  assertFailure(await own.ask(USD, { key: mistyped(key) }), 401, "API_KEY_INVALID");
  own.setNow("2026-11-22T00:00:00Z");
  assertFailure(await own.ask(USD, { key }), 401, "API_KEY_INVALID");
});

for (const name of ["api_key", "apiKey", "token", "X-API-Key", "Authorization"]) {
  test(`key in the URL: "${name}" is never read: 401 without a key in a header field, 200 with one`, async () => {
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

test("a key in the body is never read: 401", async () => {
  const body = JSON.stringify({ fromDate: "2026-11-20", toDate: "2026-11-21", apiKey: KEY, api_key: KEY });
  assertFailure(await world.ask(USD, { ...post(body), key: null }), 401, "API_KEY_MISSING");
});

test("secrets: no answer of any route contains the key, its secret or its digest: 200, 401, 403 and 429", async () => {
  const own = await createFedWorld();
  const keys = [own.key, mistyped(own.key)];
  for (const kind of [{ units: 1 }, { status: "DISABLED" }, { expiresAt: "2026-11-21T09:00:00Z" }] as const)
    keys.push((await own.account(kind)).key);
  for (const key of keys) {
    const secrets = [key, key.split("_")[3]!, await nodeSha256(key)];
    for (const [, target, ask] of KEYED) {
      for (const more of [[], ["Authorization", `Bearer ${key}`]]) {
        const headers = [...(ask.headers ?? []), ...more];
        const withQuery = `${target}${target.includes("?") ? "&" : "?"}api_key=${key}`;
        const reply = await own.ask(withQuery, { ...ask, key, headers });
        const answered = JSON.stringify([reply.headers, reply.text]);
        for (const secret of secrets) assert.ok(!answered.includes(secret), answered);
      }
    }
  }
});

const hidden: readonly (readonly [place: string, target: string, status: number, body?: string])[] = [
  ["as an asset", "/api/v1/assets/{key}", 404],
  ["as codes", "/api/v1/assets?codes={key}", 400],
  ["as from", `${USD}/history?from={key}&to=2026-11-21`, 400],
  ["as a time", `${USD}/ohlc?interval=1h&from={key}&to=2026-11-21T12:00Z`, 400],
  ["as fromDate", USD, 400, '{"fromDate":"{key}","toDate":"2026-11-21"}'],
  ["after another key", `/api/v1/assets/${OTHER}/{key}`, 404],
  ["after another key in the same text", `/api/v1/assets?codes=${OTHER},{key}`, 400],
  ["if the message repeats only the beginning of the text", `/api/v1/assets/${"a%20".repeat(23)}{key}`, 404],
  ["where an error body cuts the path that it repeats", `/${"a/".repeat(505)}{key}`, 404],
];
for (const [place, target, status, body] of hidden) {
  test(`secrets: an answer never repeats a key, ours or another service's, that was sent by mistake ${place}: ${status}`, async () => {
    // No asset code is as long as 33 characters.
    const others = [`sk_test_${SECRET}`, `sk_test_${SECRET.slice(0, 24)}`, SECRET, SECRET.slice(0, 33)];
    for (const key of [KEY, ...others]) {
      const reply = await world.ask(target.replace("{key}", key), body ? post(body.replace("{key}", key)) : {});
      assert.equal(reply.status, status, reply.text);
      // Even eight characters of the secret would be too many.
      for (const secret of [SECRET.slice(0, 8), OTHER_SECRET.slice(0, 8)])
        for (const answered of [reply.text, ...Object.values(reply.headers)])
          assert.ok(!answered.includes(secret), answered);
    }
  });
}

test("secrets: the documentation link never repeats a key that was sent by mistake in the Host field: 200", async () => {
  for (const key of [KEY, SECRET]) {
    const { status, text } = await world.ask("/api/v1/status", { key: null, headers: ["Host", key] });
    assert.equal(status, 200);
    assert.ok(!text.includes(SECRET.slice(0, 8)), text);
    assert.match(text, /"documentationUrl":"http:\/\/localhost\/docs"/);
  }
});

test("without a key, no request reaches a store, not even for a new target: 401 if there is a route, else 404", async () => {
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
