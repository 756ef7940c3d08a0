// The client gives the values and the failures of createPrices, from a real server.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { after, test } from "node:test";
import { PriceError, QuotaExceeded, createClient } from "../../../adapters/client/mod.ts";
import { nodeListener } from "../../../adapters/node/mod.ts";
import { PRICE_CASES, PRICE_RECORDS, assertAsRoute, callerOf } from "../../support/price_cases.ts";
import { createWorld } from "../../support/world.ts";

const world = await createWorld();
await world.feed(...PRICE_RECORDS);
const server: Server = createServer(nodeListener(world.api)).listen(0, "127.0.0.1");
await once(server, "listening");
after(() => {
  server.close();
  server.closeAllConnections();
});
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const client = createClient({ baseUrl, key: world.key });
const caller = callerOf(client, createClient<string>({ baseUrl, key: world.key }));

for (const [call, made, target, part] of PRICE_CASES) {
  test(`client: ${call}: as GET ${target}`, async () => {
    assertAsRoute(await made(caller).catch((error: unknown) => error), await world.ask(target), part);
  });
}

test("client: status needs no key, access tells the plan, and the quota is that of the last answer", async () => {
  const { key } = await world.account({ units: 3, attributionRequired: false });
  assert.equal((await createClient({ baseUrl }).status()).status, "OK");
  const one = createClient({ baseUrl, key });
  assert.equal(one.quota, undefined);
  assert.equal((await one.access()).attributionRequired, false);
  await one.latest("USD_RLS");
  assert.deepEqual(one.quota, { limit: 3, remaining: 2, resetsAt: new Date("2026-11-22T00:00:00Z") });
});

test("client: units that are used up are QuotaExceeded with the moment of the next day, at once", async () => {
  const { key } = await world.account({ units: 1 });
  const one = createClient({ baseUrl, key });
  await one.latest("USD_RLS");
  const error = await one.latest("USD_RLS").catch((thrown: unknown) => thrown);
  assert.ok(error instanceof QuotaExceeded && error instanceof PriceError, String(error));
  assert.deepEqual([error.code, error.status, error.resetsAt.toISOString()], ["QUOTA_EXCEEDED", 429, "2026-11-22T00:00:00.000Z"]);
  assert.match(error.requestId!, /^req_/);
});
