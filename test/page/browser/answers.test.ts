import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "../../../adapters/client/mod.ts";
import { answerTo, ask, type Call, candlesCall, daysCall } from "../../../adapters/page/browser/data/answers.ts";
import { parseDate } from "../../../core/internal.ts";

const WINDOW = { interval: "1h", from: "2026-11-13T17:00:00Z", to: "2026-11-20T17:00:00Z" } as const;
const DAY = parseDate("2026-11-20")!;
const DAYS = daysCall("USD_RLS", { from: DAY, to: DAY });
const CALLS: readonly Call<unknown>[] = [candlesCall("USD_RLS", WINDOW), DAYS];
let keys = 0;

/** A new key with its client, and the addresses that the client has requested. */
function caller(answer: (url: string) => Response = emptyAnswer) {
  const urls: string[] = [];
  const key = `key${keys++}`;
  const client = createClient<string>({
    baseUrl: "http://127.0.0.1:8080",
    key,
    retries: 0,
    async fetch(url) {
      urls.push(url);
      return answer(url);
    },
  });
  return { key, client, urls };
}

function emptyAnswer(url: string): Response {
  return Response.json(url.includes("ohlc") ? { code: "USD_RLS", interval: "1h", candles: [] } : []);
}

test("answers: a redraw sends no request, even while the first request is pending", async () => {
  const { urls, ...access } = caller();
  await Promise.all([...CALLS, ...CALLS].map((call) => ask(call, access, "1")));
  for (const call of CALLS) {
    assert.deepEqual(answerTo(call, access.key), []);
    await ask(call, access, "1");
  }
  assert.equal(urls.length, 2);
});

test("answers: a failure is thrown, and the next call sends a new request; another key does not get the first key's answer", async () => {
  let isDown = true;
  const { urls, ...access } = caller((url) =>
    isDown ? Response.json({ code: "QUOTA_EXCEEDED", message: "Used up" }, { status: 429 }) : emptyAnswer(url),
  );
  await assert.rejects(ask(DAYS, access, "1"), { code: "QUOTA_EXCEEDED" });
  assert.equal(answerTo(DAYS, access.key), undefined);
  isDown = false;
  await ask(DAYS, access, "1");
  assert.deepEqual([answerTo(DAYS, access.key), urls.length], [[], 2]);
  assert.equal(answerTo(DAYS, caller().key), undefined);
});

test("answers: beyond the limit, the oldest answers are forgotten", async () => {
  const access = caller();
  const calls = Array.from({ length: 41 }, (_, code) => candlesCall(`A${code}_RLS`, WINDOW));
  const candles = async () => new Array(10_000).fill(undefined);
  for (const call of calls) await ask(call, { ...access, client: { ...access.client, candles } }, "1");
  assert.deepEqual(
    calls.flatMap((call, at) => (answerTo(call, access.key) === undefined ? [at] : [])),
    [0],
  );
});

test("answers: a new version of the asset's records is requested, and the previous answer stays until the new one arrives", async () => {
  let count = 0;
  const { urls, ...access } = caller(() => Response.json([{ ...RECORD, value: ++count }]));
  const valueNow = () => answerTo(DAYS, access.key)?.[0]?.value;
  await ask(DAYS, access, "first");
  const coming = ask(DAYS, access, "second");
  assert.equal(valueNow(), 1);
  await coming;
  assert.equal(valueNow(), 2);
  await ask(DAYS, access, "second");
  assert.equal(urls.length, 2);
});

const RECORD = {
  code: "USD_RLS",
  name: "USD_RLS",
  slug: "usd_rls",
  labelEn: "A",
  labelFa: "A",
  quoteUnit: "RLS",
  businessTime: "2026-11-20T10:00:00.000Z",
};
