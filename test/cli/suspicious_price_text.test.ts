import assert from "node:assert/strict";
import { test } from "node:test";
import { reasonOf, suspicionInWords } from "../../adapters/cli/import/suspicious_price_text.ts";
import type { SuspiciousLevel } from "../../adapters/intake/levels/price_chain.ts";

const times = [0, 1, 2, 3].map((day) => Date.UTC(2026, 0, 1 + day)) as unknown as SuspiciousLevel["times"];
const USUAL = { code: "USD_RLS", why: "level", level: -1, times, of: 4, value: 190_500, expected: 1_905_000 };
const jump = { why: "jump", level: 0, expected: Number.NaN };
const [toman, one, few, high, rial, points, jumps, market, stored] = [
  {},
  { times: times.slice(0, 1) },
  { times: times.slice(0, 2) },
  { level: 2 },
  { level: 1 },
  { level: -3 },
  jump,
  { ...jump, why: "asset", times: times.slice(0, 1) },
  { why: "stored", times: [], of: 0 },
].map((parts) => ({ ...USUAL, ...parts }) as SuspiciousLevel) as [SuspiciousLevel, ...SuspiciousLevel[]];

test("suspicious prices: each kind is named with asset, value, time and expected value", () => {
  for (const [suspicion, words] of [
    [toman, "all 4 values of USD_RLS look like toman: about 190,000 in 2026, about 1,900,000 expected"],
    [one, "1 of 4 values of USD_RLS looks like toman: about 190,000 on 2026-01-01, about 1,900,000 expected"],
    [few, "2 of 4 values of USD_RLS look like toman: about 190,000 on 2026-01-01, about 1,900,000 expected"],
    [jumps, "all 4 values of USD_RLS jump: about 190,000 in 2026"],
    [market, "1 of 4 values of USD_RLS does not fit its market: about 190,000 on 2026-01-01"],
    [stored, "the stored value of USD_RLS looks like toman: about 190,000, about 1,900,000 expected"],
  ] as const)
    assert.equal(suspicionInWords(suspicion!), words);
});

test("suspicious prices: the stored reason names the factor or the kind", () => {
  for (const [suspicion, reason] of [
    [toman, /toman, about 1,900,000 expected$/],
    [high, /100 times/],
    [rial, /converted/],
    [points, /decimal mark/],
    [jumps, /^jumps, .* it$/],
    [market, /market$/],
  ] as const)
    assert.match(reasonOf(suspicion!), reason);
});
