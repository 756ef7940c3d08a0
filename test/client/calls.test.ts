// With a real server, the client returns the same values and failures as createPrices.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient, PriceError, QuotaExceeded } from "../../adapters/client/mod.ts";
import { nodeListener } from "../../adapters/http/node/mod.ts";
import { createPrices, type PriceCalls } from "../../core/mod.ts";
import { createWorld } from "../support/api_under_test.ts";
import { assertAsRoute, callerOf, LONG_CASES, PRICE_CASES, PRICE_RECORDS } from "../support/price_cases.ts";
import { serveListener } from "../support/serve_listener.ts";

const world = await createWorld();
await world.feed(...PRICE_RECORDS);
const baseUrl = await serveListener(nodeListener(world.api));
const client = createClient({ baseUrl, key: world.key });
const untyped = createClient<string>({ baseUrl, key: world.key });
const caller = callerOf(client, untyped);

for (const [call, made, target, part] of PRICE_CASES) {
  if (call === "latestOf nothing") continue; // The client itself refuses this call, with another message.
  test(`client: ${call} returns the same as GET ${target}`, async () => {
    assertAsRoute(await made(caller).catch((error: unknown) => error), await world.ask(target), part);
  });
}

test("client: ranges too long for one request are read in pieces", async () => {
  const { observations } = world.store;
  const whole = createPrices({ clock: world.now, observations, maxCandles: 1_000_000 });
  const [history, candles] = await Promise.all(LONG_CASES.map(([, made]) => made(caller)));
  assert.deepEqual(history, [
    ...(await whole.history("USD_RLS", "2026-10-01", "2026-10-31")),
    ...(await whole.history("USD_RLS", "2026-11-01", "2026-11-02")),
  ]);
  const asked = { interval: "15m", from: "2020-11-22T00:00Z", to: "2026-11-22T00:00Z" } as const;
  assert.deepEqual(candles, await whole.candles("USD_RLS", asked));
});

const prices = createPrices<string>({ clock: world.now, observations: world.store.observations });
const CODES = ["", "..", "supported", "\ud800", "a/b", "a?b", "a\\b", "a\0b", "%2e%2e", "دلار"];
const DATES = ["", "..", "history", "2026-11-19?"];
test("client: calls throw the same error as createPrices for codes and days that would change the path, and for latestOf([])", async () => {
  const idle = createClient<string>({ baseUrl, fetch: () => assert.fail("it was sent") });
  const callsOf = (calls: PriceCalls<string>, empty: PriceCalls<string>): readonly Promise<unknown>[] => [
    calls.history("supported", "2026-11-01", "2026-11-02"),
    ...CODES.map((code) => calls.latest(code)),
    ...DATES.map((date) => calls.on("USD_RLS", date)),
    ...[[], [""]].map((codes) => empty.latestOf(codes)),
  ];
  const [wanted, got] = [callsOf(prices, prices), callsOf(untyped, idle)].map((calls) => calls.map(failureOf));
  assert.deepEqual(await Promise.all(got!), await Promise.all(wanted!));
});

async function failureOf(call: Promise<unknown>): Promise<string> {
  const { code, status } = await thrownBy(call);
  return `${code} ${status}`;
}

async function thrownBy(call: Promise<unknown>): Promise<PriceError> {
  const error = await call.catch((thrown: unknown) => thrown);
  assert.ok(error instanceof PriceError, String(error));
  return error;
}

test("client: onOrBefore returns the same value or failure as createPrices, and costs at most one unit", async () => {
  const { key } = await world.account({});
  const one = createClient<string>({ baseUrl, key });
  for (const [code, date, used] of [
    ["USD_RLS", "2026-11-21", 1],
    ["USD_RLS", "2026-12-21", 2],
    ["USD_RLS", "0000-01-01", 3],
    ["USD_RLS", "2026-11-18", 4],
    ["EUR_RLS", "2026-11-21", 5],
    ["USD_RLX", "2026-11-21", 5],
    ["USD_RLS", "2026-02-30", 5],
    ["USD_RLS", "today", 5],
    ["USD_RLS", "2026-11-21T00:00:00Z", 5],
    ["USD_RLS", "", 5],
  ] as const) {
    const [wanted, got] = await Promise.all(
      [prices, one].map((calls) =>
        calls.onOrBefore(code, date).catch(({ code, status }: PriceError) => [code, status]),
      ),
    );
    assert.deepEqual([got, 50 - one.quota!.remaining], [wanted, used], `${code} on ${date}`);
  }
});

test("client: status needs no key, access returns the plan, and quota comes from the last answer", async () => {
  const { key } = await world.account({ units: 3, attributionRequired: false });
  assert.equal((await createClient({ baseUrl }).status()).status, "OK");
  const one = createClient({ baseUrl, key });
  const remaining = (): number | undefined => one.quota?.remaining;
  assert.equal(remaining(), undefined);
  assert.equal((await one.access()).attributionRequired, false);
  assert.equal(remaining(), 3);
  await one.latest("USD_RLS");
  await one.status();
  assert.deepEqual(one.quota, { limit: 3, remaining: 2, resetsAt: new Date("2026-11-22T00:00:00Z") });
});

test("client: a used-up quota throws QuotaExceeded with the start of the next day", async () => {
  const { key } = await world.account({ units: 1 });
  const one = createClient({ baseUrl, key });
  await one.latest("USD_RLS");
  const error = await thrownBy(one.latest("USD_RLS"));
  assert.ok(error instanceof QuotaExceeded, String(error));
  assert.deepEqual([error.name, error.code, error.status], ["QuotaExceeded", "QUOTA_EXCEEDED", 429]);
  assert.deepEqual([error.resetsAt.toISOString(), error.retryAfterSeconds], ["2026-11-22T00:00:00.000Z", 14 * 3_600]);
  assert.match(error.requestId!, /^req_/);
});

test("client: exceeding the request rate does not throw QuotaExceeded", async () => {
  const limited = await createWorld({ keyRate: { take: () => 7_000 } });
  const one = createClient({ baseUrl: await serveListener(nodeListener(limited.api)), key: limited.key });
  const error = await thrownBy(one.access());
  assert.ok(!(error instanceof QuotaExceeded), String(error));
  assert.deepEqual([error.code, error.status, error.retryAfterSeconds], ["RATE_LIMITED", 429, 7]);
});
