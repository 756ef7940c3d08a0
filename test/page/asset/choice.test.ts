import assert from "node:assert/strict";
import { test } from "node:test";
import { choiceAddress, parseChoice } from "../../../adapters/page/browser/asset/choice.ts";

const FIRST = { interval: "1d", range: "3m", kind: undefined, isLog: false, compare: undefined, days: undefined };
const cases: readonly (readonly [rule: string, query: string, change: object])[] = [
  ["an address without choices has the first ones", "", {}],
  ["interval and range", "interval=15m&range=1w", { interval: "15m", range: "1w" }],
  ["an unknown interval or range is the first one", "interval=2h&range=constructor", {}],
  ["kind, scale and comparison", "kind=line&scale=log&compare=SEKKEH_RLS", { kind: "line", isLog: true, compare: "SEKKEH_RLS" }],
  ["an unknown kind is what fits the bars", "kind=pie&scale=7", {}],
  ["days of the history", "from=2026-08-01&to=2026-08-31", { days: { from: "2026-08-01", to: "2026-08-31" } }],
  ["days that run backwards are none", "from=2026-08-31&to=2026-08-01", {}],
  ["days that are none", "from=2026-02-30&to=2026-03-01", {}],
];
for (const [rule, query, change] of cases) {
  test(`choice: ${rule}`, () => assert.deepEqual(parseChoice(new URLSearchParams(query)), { ...FIRST, ...change }));
}

test("choice: an address holds all choices, and reads back", () => {
  const choice = parseChoice(new URLSearchParams("interval=4h&range=1y&kind=candles&scale=log&compare=A&from=2026-01-01&to=2026-06-30"));
  const address = choiceAddress("USD_RLS", choice);
  assert.equal(address, "#/asset/USD_RLS?interval=4h&range=1y&kind=candles&scale=log&compare=A&from=2026-01-01&to=2026-06-30");
  assert.deepEqual(parseChoice(new URLSearchParams(address.split("?")[1])), choice);
  assert.equal(choiceAddress("USD_RLS", parseChoice(new URLSearchParams())), "#/asset/USD_RLS?interval=1d&range=3m");
});
