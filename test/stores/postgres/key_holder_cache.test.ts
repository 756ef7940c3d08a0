import assert from "node:assert/strict";
import { test } from "node:test";
import { rememberHolders } from "../../../adapters/stores/postgres/accounts.ts";
import type { KeyHolder, KeyId } from "../../../core/mod.ts";

const ID = "key00001" as KeyId;
const [BEFORE, AFTER] = [{ key: { id: "before" } }, { key: { id: "after" } }] as unknown as [KeyHolder, KeyHolder];

/** A follower, and a database that has one key and answers when the test lets it. */
function database() {
  const answers: ((holder: KeyHolder | undefined) => void)[] = [];
  const follower = {
    map: new Map<KeyId, KeyHolder>(),
    current: true,
    holders: () => follower.map,
    isCurrent: () => follower.current,
  };
  const find = rememberHolders(() => new Promise((resolve) => answers.push(resolve)), follower);
  return { find, answers, follower };
}

test("memory of keys: a key that was found is looked up again only after a change of an account", async () => {
  const { find, answers, follower } = database();
  const first = find(ID);
  answers[0]!(BEFORE);
  assert.equal(await first, BEFORE);
  assert.equal(find(ID), BEFORE);
  assert.equal(answers.length, 1);
  follower.map = new Map();
  const second = find(ID);
  answers[1]!(AFTER);
  assert.equal(await second, AFTER);
  assert.equal(find(ID), AFTER);
});

test("memory of keys: a key is looked up again if an account changed meanwhile, or the follower is not current", async () => {
  for (const change of [{ map: new Map() }, { current: false }]) {
    const { find, answers, follower } = database();
    const first = find(ID);
    Object.assign(follower, change);
    answers[0]!(BEFORE);
    assert.equal(await first, BEFORE);
    const second = find(ID);
    answers[1]!(AFTER);
    assert.equal(await second, AFTER);
  }
});
