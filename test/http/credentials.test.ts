// Repeated credentials have the same effect over a socket and through the fetch handler. More cases: test/contract/.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { after, before, test } from "node:test";
import { fetchHandler } from "../../adapters/http/fetch_handler.ts";
import { nodeListener } from "../../adapters/http/node/request_listener.ts";
import { createFedWorld, type World } from "../support/api_under_test.ts";

const TARGET = "/api/v1/assets/USD_RLS";

let world: World;
let server: Server;
let other: string;
let restricted: string;

before(async () => {
  world = await createFedWorld();
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

/** Flat lists of header names and values; KEY, OTHER and RESTRICTED stand for real keys. */
const cases: readonly (readonly [rule: string, fields: readonly string[], status: number, code?: string])[] = [
  ["X-API-Key twice with the same key", ["X-API-Key", "KEY", "x-api-KEY", "KEY"], 200],
  ["both forms with the same key", ["X-API-Key", "KEY", "Authorization", "ApiKey KEY"], 200],
  ["Authorization twice with the same key", ["Authorization", "ApiKey KEY", "authorization", "apikey KEY"], 200],
  ["Basic before a key, as a proxy may add it", ["Authorization", "Basic eDp5", "X-API-Key", "KEY"], 200],
  ["no key", [], 401, "API_KEY_MISSING"],
  ["an empty field", ["X-API-Key", ""], 401, "API_KEY_MISSING"],
  ["X-API-Key twice with different keys", ["X-API-Key", "KEY", "X-API-Key", "OTHER"], 401, "CONFLICTING_CREDENTIALS"],
  ["X-API-Key twice, one of them invalid", ["X-API-Key", "KEY", "X-API-Key", "demo"], 401, "CONFLICTING_CREDENTIALS"],
  [
    "Authorization twice with different keys",
    ["Authorization", "ApiKey KEY", "Authorization", "ApiKey OTHER"],
    401,
    "CONFLICTING_CREDENTIALS",
  ],
  [
    "Bearer before ApiKey",
    ["Authorization", "Bearer a", "Authorization", "ApiKey KEY"],
    401,
    "CONFLICTING_CREDENTIALS",
  ],
  ["Bearer after ApiKey", ["Authorization", "ApiKey KEY", "Authorization", "Bearer a"], 401, "CONFLICTING_CREDENTIALS"],
  ["a key of a restricted account", ["X-API-Key", "RESTRICTED"], 403, "ACCESS_RESTRICTED"],
];
for (const [rule, fields, status, code] of cases) {
  test(`credentials: ${rule}: ${status}`, async () => {
    for (const ask of [overSocket, overFetch]) {
      const reply = await ask(`${TARGET}?api_key=${world.key}`, fields.map(realKeys));
      assert.equal(reply.status, status, `${ask.name}: ${reply.body}`);
      if (code !== undefined) assert.equal(JSON.parse(reply.body).code, code, ask.name);
      if (status === 401) assert.equal(reply.challenge, "ApiKey", ask.name);
      for (const key of [world.key, other, restricted])
        assert.ok(!reply.body.includes(key), `${ask.name} repeats a key`);
    }
  });
}

interface Reply {
  readonly status: number;
  readonly challenge: string | undefined;
  readonly body: string;
}

function realKeys(value: string): string {
  const keys: Readonly<Record<string, string>> = { KEY: world.key, OTHER: other, RESTRICTED: restricted };
  return value.replace(/\b(?:KEY|OTHER|RESTRICTED)\b/g, (name) => keys[name]!);
}

/** Written by hand, because HTTP clients would join or drop repeated fields. */
async function overSocket(target: string, fields: readonly string[]): Promise<Reply> {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  const lines = fields.map((text, i) => (i % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join("");
  socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n${lines}Connection: close\r\n\r\n`);
  let answer = "";
  for await (const chunk of socket.setEncoding("utf8")) answer += chunk;
  const [head = "", body = ""] = answer.split("\r\n\r\n", 2);
  return { status: Number(head.slice(9, 12)), challenge: /^www-authenticate: (.*)$/im.exec(head)?.[1], body };
}

async function overFetch(target: string, fields: readonly string[]): Promise<Reply> {
  const headers = new Headers();
  for (let i = 0; i < fields.length; i += 2) headers.append(fields[i]!, fields[i + 1]!);
  const response = await fetchHandler(world.api)(new Request(`http://localhost${target}`, { headers }));
  const challenge = response.headers.get("www-authenticate") ?? undefined;
  return { status: response.status, challenge, body: await response.text() };
}
