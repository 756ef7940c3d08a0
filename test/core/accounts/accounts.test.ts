import assert from "node:assert/strict";
import { test } from "node:test";
import {
  withAccount,
  withKey,
  withKeyExpiring,
  withKeyRevoked,
  withPlan,
} from "../../../core/accounts/account_changes.ts";
import {
  type Account,
  type AccountBook,
  EMPTY_BOOK,
  FREE_STARTER,
  indexKeys,
  type KeyEntry,
  type Plan,
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

/** Two accounts, the first with two keys. Frozen, so that code that changes the book in place throws. */
function bookOfTwo(): AccountBook {
  return freeze([ALICE, BOB].reduce(withAccount, EMPTY_BOOK), FIRST, SECOND);
}

function freeze(book: AccountBook, ...keys: readonly KeyEntry[]): AccountBook {
  const full = keys.reduce(withKey, book);
  for (const list of [full.plans, full.accounts, full.keys]) Object.freeze(list).forEach((item) => Object.freeze(item));
  return Object.freeze(full);
}

test("plan: is added at the end, or replaces the one with its name", () => {
  const added = withPlan(EMPTY_BOOK, PRO);
  assert.deepEqual(added.plans, [FREE_STARTER, PRO]);
  const larger = { ...FREE_STARTER, dailyUnits: 200 };
  assert.deepEqual(withPlan(added, larger).plans, [larger, PRO]);
});

test("account: is added at the end, or replaces the one with its id; its keys stay", () => {
  const book = bookOfTwo();
  assert.deepEqual(book.accounts, [ALICE, BOB]);
  const disabled = withAccount(book, { ...ALICE, status: "DISABLED" });
  assert.deepEqual(disabled.accounts, [{ ...ALICE, status: "DISABLED" }, BOB]);
  assert.deepEqual(disabled.keys, [FIRST, SECOND]);
});

const wrong: readonly (readonly [rule: string, change: () => unknown, message: RegExp])[] = [
  ...[0, 1.5, Infinity].map(
    (dailyUnits) =>
      [
        `${dailyUnits} daily units`,
        () => withPlan(EMPTY_BOOK, { ...PRO, dailyUnits }),
        /"PRO".* units .*received "/,
      ] as const,
  ),
  ...["", "a\n", "..", "علی", "x".repeat(65)].flatMap(
    (name) =>
      [
        [`a plan named "${name}"`, () => withPlan(EMPTY_BOOK, { ...PRO, name }), /plan because its name .*64/],
        [
          `an account named "${name}"`,
          () => withAccount(EMPTY_BOOK, { ...ALICE, id: name as AccountId }),
          /account because its name .*64/,
        ],
      ] as const,
  ),
  ...["GOLD", "", "free_starter", "__proto__"].map(
    (plan) =>
      [
        `the unknown plan "${plan}"`,
        () => withAccount(withPlan(EMPTY_BOOK, PRO), { ...ALICE, plan }),
        /FREE_STARTER, PRO/,
      ] as const,
  ),
  [
    "a key for an unknown account",
    () => withKey(bookOfTwo(), entry("AAAAAAA3", "carol" as AccountId)),
    /"AAAAAAA3".*"carol"/,
  ],
  [
    "a key whose id belongs to another account",
    () => withKey(bookOfTwo(), entry(FIRST.id, BOB.id)),
    /must be new.*"AAAAAAA1"/,
  ],
  [
    "a key whose id belongs to a revoked key",
    () => withKey(withKeyRevoked(bookOfTwo(), FIRST.id, at(5)), entry(FIRST.id, ALICE.id)),
    /must be new.*"AAAAAAA1"/,
  ],
  ["the expiry of an unknown key", () => withKeyExpiring(bookOfTwo(), "AAAAAAA9" as KeyId, at(0)), /"AAAAAAA9"/],
  ["the revocation of an unknown key", () => withKeyRevoked(bookOfTwo(), "AAAAAAA9" as KeyId, at(0)), /"AAAAAAA9"/],
];
for (const [rule, change, message] of wrong) {
  test(`book: ${rule} throws`, () => assert.throws(change, { name: "RangeError", message }));
}

const expiries = [
  ["a key without an expiry gets the time", null, 500, 500],
  ["a later expiry is brought forward", 900, 500, 500],
  ["an earlier expiry stays", 100, 500, 100],
] as const;
for (const [rule, before, time, after] of expiries) {
  test(`key expiry: ${rule}`, () => {
    const expiresAt = before === null ? null : at(before);
    const book = freeze([ALICE].reduce(withAccount, EMPTY_BOOK), { ...FIRST, expiresAt }, SECOND);
    assert.deepEqual(withKeyExpiring(book, FIRST.id, at(time)).keys, [{ ...FIRST, expiresAt: after }, SECOND]);
  });
}

test("key revocation: revokes only that key, and changes nothing else in it", () => {
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

test("index: leaves out a key without an account or a plan, as in a book edited by hand", () => {
  const book: AccountBook = {
    plans: [FREE_STARTER],
    accounts: [ALICE, { ...BOB, plan: "GONE" }],
    keys: [FIRST, entry("AAAAAAA4", BOB.id), entry("AAAAAAA5", "carol" as AccountId)],
  };
  assert.deepEqual([...indexKeys(book).keys()], [FIRST.id]);
});
