import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Account,
  type AccountBook,
  EMPTY_BOOK,
  FREE_STARTER,
  indexKeys,
  type KeyEntry,
  type Plan,
  withAccount,
  withKey,
  withKeyExpiring,
  withKeyRevoked,
  withPlan,
} from "../../../core/accounts/accounts.ts";
import type { AccountId, KeyId, UtcMillis } from "../../../core/branded_types.ts";

const PRO: Plan = { name: "PRO", dailyUnits: 10_000, attributionRequired: false };
const ALICE: Account = { id: "alice" as AccountId, plan: "FREE_STARTER", status: "ACTIVE" };
const BOB: Account = { id: "bob" as AccountId, plan: "FREE_STARTER", status: "RESTRICTED" };
const FIRST = entry("AAAAAAA1", ALICE.id);
const SECOND = entry("AAAAAAA2", ALICE.id);

function entry(id: string, accountId: AccountId): KeyEntry {
  return {
    id: id as KeyId,
    accountId,
    digest: "0".repeat(64),
    createdAt: at(0),
    expiresAt: null,
    revokedAt: null,
    note: "",
  };
}

function at(millis: number): UtcMillis {
  return millis as UtcMillis;
}

/** Two accounts, the first with two keys. Frozen: a change of the book itself throws. */
function bookOfTwo(): AccountBook {
  return freeze([ALICE, BOB].reduce(withAccount, EMPTY_BOOK), FIRST, SECOND);
}

function freeze(book: AccountBook, ...keys: readonly KeyEntry[]): AccountBook {
  const full = keys.reduce(withKey, book);
  for (const list of [full.plans, full.accounts, full.keys]) Object.freeze(list).forEach((item) => Object.freeze(item));
  return Object.freeze(full);
}

test("plan: is added behind the others, or takes the place of the one with its name", () => {
  const added = withPlan(EMPTY_BOOK, PRO);
  assert.deepEqual(added.plans, [FREE_STARTER, PRO]);
  const larger = { ...FREE_STARTER, dailyUnits: 200 };
  assert.deepEqual(withPlan(added, larger).plans, [larger, PRO]);
});

for (const dailyUnits of [0, 1.5, Infinity]) {
  test(`plan: ${dailyUnits} daily units throw`, () => {
    assert.throws(() => withPlan(EMPTY_BOOK, { ...PRO, dailyUnits }), {
      name: "RangeError",
      message: `Cannot set plan "PRO" as daily units must be a whole number >= 1: received "${dailyUnits}"`,
    });
  });
}

for (const name of ["", "a\n", "..", "علی", "x".repeat(65)]) {
  test(`names: ${JSON.stringify(name.slice(0, 20))} (${name.length} characters) throws, for a plan as for an account`, () => {
    const rule = `must be 1 to 64 letters, digits, dots, dashes or underscores: received "${name}"`;
    assert.throws(() => withPlan(EMPTY_BOOK, { ...PRO, name }), {
      name: "RangeError",
      message: `Cannot set plan as its name ${rule}`,
    });
    assert.throws(() => withAccount(EMPTY_BOOK, { ...ALICE, id: name as AccountId }), {
      name: "RangeError",
      message: `Cannot set account as its name ${rule}`,
    });
  });
}

test("account: is added behind the others, or takes the place of the one with its id; its keys stay", () => {
  const book = bookOfTwo();
  assert.deepEqual(book.accounts, [ALICE, BOB]);
  const disabled = withAccount(book, { ...ALICE, status: "DISABLED" });
  assert.deepEqual(disabled.accounts, [{ ...ALICE, status: "DISABLED" }, BOB]);
  assert.deepEqual(disabled.keys, [FIRST, SECOND]);
});

test("account: a plan that is not in the book throws, and the known ones are named", () => {
  assert.throws(() => withAccount(withPlan(EMPTY_BOOK, PRO), { ...ALICE, plan: "GOLD" }), {
    name: "RangeError",
    message: 'Cannot set account as its plan must be one of FREE_STARTER, PRO: received "GOLD"',
  });
  for (const plan of ["", "free_starter", "__proto__"]) {
    assert.throws(() => withAccount(EMPTY_BOOK, { ...ALICE, plan }), RangeError, plan);
  }
});

test("key: an account that is not in the book throws", () => {
  assert.throws(() => withKey(bookOfTwo(), entry("AAAAAAA3", "carol" as AccountId)), {
    name: "RangeError",
    message: 'Cannot add key "AAAAAAA3" as its account is not known: received "carol"',
  });
});

test("key: an id that is taken throws, also by a key of another account, also by a revoked one", () => {
  const book = bookOfTwo();
  for (const taken of [book, withKeyRevoked(book, FIRST.id, at(5))]) {
    for (const accountId of [ALICE.id, BOB.id]) {
      assert.throws(() => withKey(taken, entry(FIRST.id, accountId)), {
        name: "RangeError",
        message: 'Cannot add a key as its id must be new: received "AAAAAAA1"',
      });
    }
  }
});

const expiries = [
  ["one that never expires gets the time", null, 500, 500],
  ["one that expires later is brought forward", 900, 500, 500],
  ["one that expires earlier stays as it is", 100, 500, 100],
] as const;
for (const [rule, before, time, after] of expiries) {
  test(`key expiry: ${rule}`, () => {
    const expiresAt = before === null ? null : at(before);
    const book = freeze([ALICE].reduce(withAccount, EMPTY_BOOK), { ...FIRST, expiresAt }, SECOND);
    assert.deepEqual(withKeyExpiring(book, FIRST.id, at(time)).keys, [{ ...FIRST, expiresAt: after }, SECOND]);
  });
}

test("key revocation: revokes that key only, and keeps everything else of it", () => {
  const book = freeze(
    [ALICE].reduce(withAccount, EMPTY_BOOK),
    { ...FIRST, expiresAt: at(900), note: "laptop" },
    SECOND,
  );
  assert.deepEqual(withKeyRevoked(book, FIRST.id, at(100)).keys, [
    { ...FIRST, expiresAt: 900, note: "laptop", revokedAt: 100 },
    SECOND,
  ]);
});

test("key expiry and revocation: an unknown id throws", () => {
  for (const change of [withKeyExpiring, withKeyRevoked]) {
    assert.throws(() => change(bookOfTwo(), "AAAAAAA9" as KeyId, at(0)), {
      name: "RangeError",
      message: 'Cannot change a key as its id is not known: received "AAAAAAA9"',
    });
  }
});

test("index: finds each key with its account and its plan", () => {
  const book = withKey(withAccount(withPlan(bookOfTwo(), PRO), { ...BOB, plan: "PRO" }), entry("AAAAAAA3", BOB.id));
  const holders = indexKeys(book);
  assert.deepEqual([...holders.keys()], ["AAAAAAA1", "AAAAAAA2", "AAAAAAA3"]);
  assert.deepEqual(holders.get(SECOND.id), { key: SECOND, account: ALICE, plan: FREE_STARTER });
  assert.deepEqual(holders.get("AAAAAAA3" as KeyId), {
    key: entry("AAAAAAA3", BOB.id),
    account: { ...BOB, plan: "PRO" },
    plan: PRO,
  });
  assert.equal(holders.get("AAAAAAA9" as KeyId), undefined);
  assert.equal(indexKeys(EMPTY_BOOK).size, 0);
});

test("index: in a book written by hand, a key without its account or its plan belongs to nobody", () => {
  const book: AccountBook = {
    plans: [FREE_STARTER],
    accounts: [ALICE, { ...BOB, plan: "GONE" }],
    keys: [FIRST, entry("AAAAAAA4", BOB.id), entry("AAAAAAA5", "carol" as AccountId)],
  };
  assert.deepEqual([...indexKeys(book).keys()], [FIRST.id]);
});
