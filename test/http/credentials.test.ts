// Every combination of credentials over a real socket and through the fetch handler: both must answer alike.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { after, before, test } from "node:test";
import { fetchHandler } from "../../adapters/http/fetch_handler.ts";
import { nodeListener } from "../../adapters/http/node/request_listener.ts";
import { createWorld, type World } from "../support/api_under_test.ts";

const TARGET = "/api/v1/assets/USD_RLS";

let world: World;
let server: Server;
let other: string;
let restricted: string;

before(async () => {
  world = await createWorld();
  await world.feed(["USD_RLS", 1_905_000, "2026-11-21T09:45:00Z"]);
  other = (await world.account({ units: null })).key;
  restricted = (await world.account({ status: "RESTRICTED" })).key;
  server = createServer(nodeListener(world.api));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});

after(() => {
  server.closeAllConnections();
  server.close();
});

/** Header fields as [name, value]; KEY, OTHER and RESTRICTED stand for real keys. */
type HeaderFields = readonly (readonly [name: string, value: string])[];

const cases: readonly (readonly [rule: string, fields: HeaderFields, status: number, code?: string])[] = [
  ["a key in X-API-Key is served", [["X-API-Key", "KEY"]], 200],
  ["a key in Authorization is served", [["Authorization", "ApiKey KEY"]], 200],
  ["field names are read in any case", [["x-api-KEY", "KEY"]], 200],
  ["the scheme is read in any case", [["authorization", "apikey KEY"]], 200],
  [
    "the same key in both forms is served",
    [
      ["X-API-Key", "KEY"],
      ["Authorization", "ApiKey KEY"],
    ],
    200,
  ],
  [
    "X-API-Key twice with the same key is served",
    [
      ["X-API-Key", "KEY"],
      ["X-API-Key", "KEY"],
    ],
    200,
  ],
  [
    "Authorization twice with the same key is served",
    [
      ["Authorization", "ApiKey KEY"],
      ["Authorization", "ApiKey KEY"],
    ],
    200,
  ],
  [
    "Basic credentials beside a key, as a proxy adds them, do not matter",
    [
      ["Authorization", "Basic eDp5"],
      ["X-API-Key", "KEY"],
    ],
    200,
  ],
  ["no key is refused", [], 401, "API_KEY_MISSING"],
  ["an empty X-API-Key is no key", [["X-API-Key", ""]], 401, "API_KEY_MISSING"],
  ["ApiKey without a key is no key", [["Authorization", "ApiKey"]], 401, "API_KEY_MISSING"],
  ["a Bearer token alone is no key", [["Authorization", "Bearer KEY"]], 401, "API_KEY_MISSING"],
  ["a key without its scheme is no key", [["Authorization", "KEY"]], 401, "API_KEY_MISSING"],
  ["a text that is no key is refused", [["X-API-Key", "demo"]], 401, "API_KEY_INVALID"],
  [
    "X-API-Key twice with different keys is refused",
    [
      ["X-API-Key", "KEY"],
      ["X-API-Key", "OTHER"],
    ],
    401,
    "CONFLICTING_CREDENTIALS",
  ],
  [
    "X-API-Key twice, one of them no key, is refused",
    [
      ["X-API-Key", "KEY"],
      ["X-API-Key", "demo"],
    ],
    401,
    "CONFLICTING_CREDENTIALS",
  ],
  [
    "Authorization twice with different keys is refused",
    [
      ["Authorization", "ApiKey KEY"],
      ["Authorization", "ApiKey OTHER"],
    ],
    401,
    "CONFLICTING_CREDENTIALS",
  ],
  [
    "different keys in the two forms are refused",
    [
      ["X-API-Key", "KEY"],
      ["Authorization", "ApiKey OTHER"],
    ],
    401,
    "CONFLICTING_CREDENTIALS",
  ],
  ["two keys joined by a comma are refused", [["X-API-Key", "KEY, OTHER"]], 401, "CONFLICTING_CREDENTIALS"],
  [
    "a Bearer token beside X-API-Key is refused",
    [
      ["X-API-Key", "KEY"],
      ["Authorization", "Bearer abc"],
    ],
    401,
    "CONFLICTING_CREDENTIALS",
  ],
  [
    "a Bearer token before an ApiKey is refused",
    [
      ["Authorization", "Bearer abc"],
      ["Authorization", "ApiKey KEY"],
    ],
    401,
    "CONFLICTING_CREDENTIALS",
  ],
  [
    "a Bearer token after an ApiKey is refused",
    [
      ["Authorization", "ApiKey KEY"],
      ["Authorization", "Bearer abc"],
    ],
    401,
    "CONFLICTING_CREDENTIALS",
  ],
  ["a key of a restricted account is refused", [["X-API-Key", "RESTRICTED"]], 403, "ACCESS_RESTRICTED"],
];

for (const [rule, fields, status, code] of cases) {
  test(`credentials: ${rule}: ${status}`, async () => {
    const sent = fields.map(([name, value]) => [name, realKeys(value)] as const);
    for (const [adapter, ask] of [
      ["node:http", overSocket],
      ["fetch", overFetch],
    ] as const) {
      const reply = await ask(TARGET, sent);
      assert.equal(reply.status, status, `${adapter}: ${reply.body}`);
      if (code !== undefined) assert.equal(JSON.parse(reply.body).code, code, adapter);
      if (status === 401) assert.equal(reply.challenge, "ApiKey", adapter);
      for (const key of [world.key, other, restricted])
        assert.ok(!reply.body.includes(key), `${adapter} repeats a key`);
    }
  });
}

for (const name of ["api_key", "apikey", "apiKey", "key", "token", "access_token"]) {
  test(`credentials: a key in the query as ${name} is never read: 401, or 200 with a header`, async () => {
    const target = `${TARGET}?${name}=${world.key}`;
    for (const ask of [overSocket, overFetch]) {
      const without = await ask(target, []);
      assert.equal(without.status, 401);
      assert.match(JSON.parse(without.body).message, /header/);
      assert.equal(without.body.includes(world.key), false);
      assert.equal((await ask(target, [["X-API-Key", world.key]])).status, 200);
    }
  });
}

interface Reply {
  readonly status: number;
  readonly challenge: string | undefined;
  readonly body: string;
}

type Ask = (target: string, fields: HeaderFields) => Promise<Reply>;

function realKeys(value: string): string {
  const keys: Readonly<Record<string, string>> = { KEY: world.key, OTHER: other, RESTRICTED: restricted };
  return value.replace(/\b(?:KEY|OTHER|RESTRICTED)\b/g, (name) => keys[name]!);
}

/** Writes the request by hand: clients would join or drop repeated fields. */
async function overSocket(target: string, fields: HeaderFields): Promise<Reply> {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n${lines}Connection: close\r\n\r\n`);
  let answer = "";
  for await (const chunk of socket.setEncoding("utf8")) answer += chunk;
  const [head = "", body = ""] = answer.split("\r\n\r\n", 2);
  return { status: Number(head.slice(9, 12)), challenge: /^www-authenticate: (.*)$/im.exec(head)?.[1], body };
}

const overFetch: Ask = async (target, fields) => {
  const headers = new Headers();
  for (const [name, value] of fields) headers.append(name, value);
  const response = await fetchHandler(world.api)(new Request(`http://localhost${target}`, { headers }));
  return {
    status: response.status,
    challenge: response.headers.get("www-authenticate") ?? undefined,
    body: await response.text(),
  };
};
