import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { createRequestRate, type RequestRate } from "../../../core/mod.ts";
import { assertFailure, createFedWorld } from "../../support/api_under_test.ts";
import { runs } from "../../support/suite_size.ts";

const START = Date.UTC(2026, 10, 21, 10);
const LATEST = "/api/v1/assets/USD_RLS";

function allowed(rate: RequestRate, name: string, times: readonly number[]): number[] {
  return times.filter((time) => rate.take(name, time) === 0);
}

suite("request rate", () => {
  test("a burst is allowed at once, then requests at the rate", () => {
    const rate = createRequestRate("10/s:3");
    const waits = [0, 0, 0, 0, 50, 100, 100].map((ms) => rate.take("a", START + ms));
    assert.deepEqual(waits, [0, 0, 0, 100, 50, 0, 100]);
    for (const [text, burst, perSecond] of [
      ["5/s", 5, 5],
      ["120/m", 120, 2],
      ["3600/h:7", 7, 1],
      ["7/m:2", 2, 7 / 60],
    ] as const) {
      const rate = createRequestRate(text);
      const many = Array.from({ length: 10_000 }, (_, i) => START + i * 10);
      assert.equal(allowed(rate, "a", Array(1_000).fill(START)).length, burst, text);
      assert.ok(Math.abs(allowed(rate, "a", many).length - perSecond * 100) <= 1, text);
    }
  });

  test("an invalid rate throws", () => {
    for (const text of ["", "10", "10/d", "0/s", "10/s:0", "-1/s", "1.5/s", "10/s:", " 10/s", "10/s:50:1", "10/S"])
      assert.throws(() => createRequestRate(text), RangeError, text);
  });

  test("in any period, at most the burst plus the rate is allowed, and a caller below the rate is never refused", () => {
    const gaps = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 400 })), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 20 }), gaps, (perSecond, burst, steps) => {
        const rate = createRequestRate(`${perSecond}/s:${burst}`);
        let time = START;
        const times = steps.map((gap) => (time += gap));
        const granted = allowed(rate, "greedy", times);
        for (let i = 0; i < granted.length; i++) {
          for (let j = i; j < granted.length; j++) {
            assert.equal(j - i + 1 <= burst + ((granted[j]! - granted[i]!) / 1_000) * perSecond + 1e-6, true);
          }
        }
        let calm = time;
        for (let i = 0; i < 100; i++) assert.equal(rate.take("calm", (calm += Math.ceil(1_000 / perSecond))), 0);
      }),
      { numRuns: runs(40) },
    );
  });

  test("a caller may send again after the stated wait", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 0, max: 3_000 }),
        (count, burst, start) => {
          const rate = createRequestRate(`${count}/m:${burst}`);
          for (let i = 0; i < burst; i++) rate.take("a", start);
          const waitMs = rate.take("a", start);
          assert.ok(waitMs > 0, `${waitMs}`);
          assert.equal(rate.take("a", start + Math.ceil(waitMs)), 0);
        },
      ),
    );
  });

  test("a clock that jumps back, however far, locks nobody out and allows no second burst", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 11 }), fc.integer({ min: 1, max: 5 }), (backMs, burst) => {
        const rate = createRequestRate(`1/s:${burst}`);
        for (let i = 0; i < burst; i++) assert.equal(rate.take("greedy", START), 0);
        const back = START - backMs;
        assert.ok(rate.take("greedy", back) > 0, "no burst");
        assert.equal(rate.take("fresh", back), 0);
        // A small step back stops the limiter's time for up to a second, so a second request is allowed after two.
        assert.equal(rate.take("greedy", back + 2_000), 0);
      }),
    );
  });

  test("requests that arrive out of order do not exceed the rate", () => {
    const rate = createRequestRate("10/s:1");
    let granted = 0;
    for (let i = 0; i < 1_000; i++) granted += [0, 50].filter((ms) => rate.take("a", START + ms) === 0).length;
    assert.equal(granted, 1);
  });

  test("up to 50,000 callers, no caller at its limit is forgotten; above that, the caller that was idle for longest is forgotten", () => {
    const rate = createRequestRate("1/h:2");
    for (const name of ["idle", "greedy", "greedy"]) assert.equal(rate.take(name, START), 0);
    for (let i = 0; i < 49_998; i++) rate.take(`other-${i}`, START);
    assert.ok(rate.take("greedy", START) > 0, "all are in memory");
    rate.take("idle", START);
    rate.take("one too many", START);
    assert.ok(rate.take("idle", START) > 0, "this caller was recently active");
    assert.equal(rate.take("greedy", START), 0, "forgotten");
  });
});

test("request rate of keys: a request above the rate is RATE_LIMITED with Retry-After, and costs no unit: 429", async () => {
  const world = await createFedWorld({ keyRate: createRequestRate("30/m:7") });
  const { key } = await world.account({ units: 10 });
  const replies = await Promise.all(Array.from({ length: 50 }, () => world.ask(LATEST, { key })));
  const refused = replies.filter(({ status }) => status !== 200);
  assert.equal(refused.length, 43, "parallel requests cannot exceed the rate together");
  for (const reply of refused) assertFailure(reply, 429, "RATE_LIMITED");
  assert.equal(refused[0]!.headers["Retry-After"], "2");
  assert.equal((await world.ask(LATEST)).status, 200, "another key");
  world.setNow("2026-11-21T10:00:02Z");
  assert.equal((await world.ask(LATEST, { key })).headers["X-RateLimit-Remaining"], "2");
});
