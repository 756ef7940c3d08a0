import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { after, afterWith, attempt, isLater } from "../../core/maybe_promise.ts";

test("after: continues at once with a plain value, and later with a promise of any class", async () => {
  const thenable = { then: (resolve: (value: number) => void) => resolve(1) } as Promise<number>;
  const ofAnotherRealm = runInNewContext("Promise.resolve(1)") as Promise<number>;
  for (const value of [1, Promise.resolve(1), thenable, ofAnotherRealm]) {
    const result = after(value, (one) => one + 1);
    assert.deepEqual([isLater(value), isLater(result)], [value !== 1, value !== 1]);
    assert.equal(await result, 2);
    assert.equal(await afterWith(10, value, (context, one) => context + one), 11);
  }
  for (const value of [undefined, null, 0, "then", [], { then: 1 }, () => 1]) assert.equal(isLater(value), false);
});

test("attempt: recovers from thrown errors and rejections in the same way", async () => {
  const recover = (context: string, error: unknown): string => `${context}: ${String(error)}`;
  const fail = (): string => {
    throw new TypeError("no");
  };
  assert.equal(attempt("here", fail, recover), "here: TypeError: no");
  assert.equal(await attempt("here", async () => fail(), recover), "here: TypeError: no");
  assert.equal(await attempt("here", async () => "fine", recover), "fine");
});
