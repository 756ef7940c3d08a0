import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "../../../adapters/client/mod.ts";
import { questionsAbout } from "../../../adapters/page/browser/asset/answers.ts";
import type { Questions } from "../../../adapters/page/browser/asset/answers.ts";
import { referenceAddress } from "../../../adapters/page/browser/asset/calls.ts";
import { latestDays } from "../../../adapters/page/browser/asset/days.ts";
import { readReference } from "../../../adapters/page/reference/read_reference.ts";
import { callOf, plannedRequest } from "../../../adapters/page/reference/request.ts";
import { parseDate } from "../../../core/internal.ts";
import { createOpenApi } from "../../../core/openapi/mod.ts";

const ASSET = { code: "USD_RLS", baseCode: "USD", category: "FX", labelEn: "US Dollar / Iranian Rial", labelFa: "دلار", quoteUnit: "RLS" };
const WINDOW = { interval: "1h", from: "2026-11-13T17:00:00Z", to: "2026-11-20T17:00:00Z" } as const;
const BASE = "http://127.0.0.1:8080/market";
let keys = 0;

/** The questions of a key of its own, and the addresses that they lead to. */
function world(answer: (url: string) => Response = emptyAnswer): { readonly ask: Questions; readonly urls: string[] } {
  const urls: string[] = [];
  const key = `key${keys++}`;
  const client = createClient<string>({
    baseUrl: BASE,
    key,
    retries: 0,
    async fetch(url) {
      urls.push(url);
      return answer(url);
    },
  });
  return { ask: questionsAbout(ASSET, client, key), urls };
}

function emptyAnswer(url: string): Response {
  return Response.json(url.includes("supported") ? { assets: [] } : url.includes("ohlc") ? { code: "USD_RLS", interval: "1h", candles: [] } : []);
}

function allOf(ask: Questions) {
  return [ask.catalog, ask.candles(WINDOW), ask.days(latestDays(parseDate("2026-11-20")!))];
}

test("calls: each leads to its route in the reference, where the form makes the same call", () => {
  const { operations } = readReference(createOpenApi());
  for (const { call } of allOf(world().ask)) {
    const address = new URL(referenceAddress(call, "fa"), `${BASE}/docs`);
    assert.equal(address.pathname, "/market/docs/reference.fa");
    const operation = operations.find(({ id }) => `#${id}` === address.hash);
    assert.ok(operation, call.operation);
    assert.equal(plannedRequest(callOf(operation), Object.fromEntries(address.searchParams), BASE).url, BASE + call.target);
  }
});

test("answers: an opening is three requests, and what is drawn anew sends none", async () => {
  const { ask, urls } = world();
  await Promise.all([...allOf(ask), ...allOf(ask)].map((question) => question.ask()));
  for (const question of allOf(ask)) {
    assert.equal(question.answer()?.ok, true);
    await question.ask();
  }
  assert.equal(urls.length, 3);
});

test("answers: a failure is an outcome, and is asked for again", async () => {
  let isDown = true;
  const { ask, urls } = world((url) => (isDown ? Response.json({ code: "QUOTA_EXCEEDED", message: "Used up" }, { status: 429 }) : emptyAnswer(url)));
  const first = await ask.catalog.ask();
  assert.equal(first.ok, false);
  assert.equal(ask.catalog.answer(), undefined);
  isDown = false;
  assert.equal((await ask.catalog.ask()).ok, true);
  assert.equal(urls.length, 2);
});

test("answers: requests that came too fast are sent again after the time that the server names", async () => {
  let refused = 0;
  const tooFast = (): Response => Response.json({ code: "RATE_LIMITED", message: "Too fast" }, { status: 429, headers: { "Retry-After": "0" } });
  const patient = world((url) => (refused++ < 3 ? tooFast() : emptyAnswer(url)));
  assert.equal((await patient.ask.catalog.ask()).ok, true);
  assert.equal(patient.urls.length, 4);
  const never = world(tooFast);
  assert.equal((await never.ask.catalog.ask()).ok, false);
  assert.equal(never.urls.length, 6, "not for ever");
});

test("answers: another key sees nothing of the answers to the key before it", async () => {
  const first = world();
  await first.ask.catalog.ask();
  assert.equal(world().ask.catalog.answer(), undefined);
});

test("answers: what was forgotten while it was on its way does not come back", async () => {
  const { ask, urls } = world();
  const coming = ask.catalog.ask();
  ask.forget();
  await coming;
  assert.equal(ask.catalog.answer(), undefined);
  await ask.catalog.ask();
  assert.equal(urls.length, 2);
});
