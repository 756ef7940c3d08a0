import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { after, afterWith, attempt, isLater } from "../../core/maybe_promise.ts";

test("after: continues at once with a plain value", () => {
  assert.equal(
    after(1, (one) => one + 1),
    2,
  );
  assert.equal(
    afterWith(10, 1, (context, one) => context + one),
    11,
  );
});

test("after: continues later with a promise of any class", async () => {
  const thenable = { then: (resolve: (value: number) => void) => resolve(1) } as Promise<number>;
  const ofAnotherRealm = runInNewContext("Promise.resolve(1)") as Promise<number>;
  for (const value of [Promise.resolve(1), thenable, ofAnotherRealm]) {
    assert.equal(isLater(value), true);
    const result = after(value, (one) => one + 1);
    assert.equal(isLater(result), true);
    assert.equal(await result, 2);
    assert.equal(await afterWith(10, value, (context, one) => context + one), 11);
  }
});

test("after: treats nothing else as a promise", () => {
  for (const value of [undefined, null, 0, "then", [], { then: 1 }, () => 1]) assert.equal(isLater(value), false);
});

test("attempt: recovers from thrown errors and rejections in the same way", async () => {
  const recover = (context: string, error: unknown): string => `${context}: ${String(error)}`;
  assert.equal(
    attempt("here", () => "fine", recover),
    "fine",
  );
  assert.equal(await attempt("here", async () => "fine", recover), "fine");
  const failing = attempt<string, string>(
    "here",
    () => {
      throw new TypeError("no");
    },
    recover,
  );
  assert.equal(failing, "here: TypeError: no");
  assert.equal(
    await attempt<string, string>("here", () => Promise.reject(new TypeError("no")), recover),
    "here: TypeError: no",
  );
});
