import assert from "node:assert/strict";
import { test } from "node:test";
import { webSystem } from "../../../adapters/http/web_system.ts";
import { createMemoryStore } from "../../../adapters/stores/memory_store.ts";
import { applyChange, plainChange, withKey } from "../../../core/accounts/account_changes.ts";
import {
  type AccountBook,
  type AccountChange,
  type AccountId,
  createKey,
  EMPTY_BOOK,
  FREE_STARTER,
  indexKeys,
  type KeyEntry,
  type KeyId,
  type UtcMillis,
} from "../../../core/mod.ts";

const [ALICE, BOB] = ["alice", "bob"] as AccountId[] as [AccountId, AccountId];
const ID = "AAAAAAA1" as KeyId;
const PRO = { op: "plan.patch", name: "PRO", dailyUnits: 1_000, attributionRequired: false } as const;
const PLAN = { name: "PRO", dailyUnits: 1_000, attributionRequired: false };

function entry(id: string, accountId = ALICE): KeyEntry {
  return {
    id: id as KeyId,
    accountId,
    digest: id.padEnd(64, "0"),
    createdAt: 0 as UtcMillis,
    expiresAt: null,
    revokedAt: null,
    note: "",
  };
}

function keyOf(id: string, accountId = ALICE): AccountChange {
  return { op: "key.create", entry: entry(id, accountId) };
}

/** The account book after these changes. Each book is frozen before it is changed, so that a change in place throws. */
function made(...changes: readonly AccountChange[]): AccountBook {
  let book: AccountBook = EMPTY_BOOK;
  for (const change of changes) {
    for (const list of [book.plans, book.accounts, book.keys]) Object.freeze(list).forEach(Object.freeze);
    book = applyChange(Object.freeze(book), change);
  }
  return book;
}

test("plan.patch: leaves omitted members and the order of plans unchanged; null and false are values like any other", () => {
  for (const patch of [{}, { dailyUnits: 7 }, { dailyUnits: null }, { attributionRequired: true }]) {
    const { plans } = made(PRO, { op: "plan.patch", name: "PRO", ...patch });
    assert.deepEqual(plans, [FREE_STARTER, { ...PLAN, ...patch }]);
  }
  const larger = made(PRO, { op: "plan.patch", name: "FREE_STARTER", dailyUnits: 200 });
  assert.deepEqual(larger.plans, [{ ...FREE_STARTER, dailyUnits: 200 }, PLAN]);
});

test("account.patch: leaves omitted members and other accounts unchanged", () => {
  const before = [PRO, { ...keyOf("AAAAAAA1"), plan: "PRO" }, keyOf("AAAAAAA2", BOB)] as const;
  for (const patch of [{}, { plan: "FREE_STARTER" }, { status: "DISABLED" }] as const) {
    const { accounts, keys } = made(...before, { op: "account.patch", id: ALICE, ...patch });
    assert.deepEqual(accounts, [
      { id: ALICE, plan: "PRO", status: "ACTIVE", ...patch },
      { id: BOB, plan: "FREE_STARTER", status: "ACTIVE" },
    ]);
    assert.deepEqual(keys, [entry("AAAAAAA1"), entry("AAAAAAA2", BOB)]);
  }
});

test("key.create: an existing account keeps its plan and its status", () => {
  const first: AccountChange[] = [PRO, { ...keyOf("AAAAAAA1"), plan: "PRO" } as AccountChange];
  for (const more of [{}, { plan: "PRO" }]) {
    const { accounts, keys } = made(
      ...first,
      { op: "account.patch", id: ALICE, status: "RESTRICTED" },
      { op: "key.create", entry: entry("AAAAAAA2"), ...more },
    );
    assert.deepEqual(accounts, [{ id: ALICE, plan: "PRO", status: "RESTRICTED" }]);
    assert.deepEqual(keys, [entry("AAAAAAA1"), entry("AAAAAAA2")]);
  }
});

test("key.expire and key.revoke: set the end of one key; an earlier end stays", () => {
  const ends = [
    [[{ op: "key.expire", at: 500 }], { expiresAt: 500 }],
    [["key.expire", "key.expire"].map((op, i) => ({ op, at: 900 - i * 400 })), { expiresAt: 500 }],
    [["key.expire", "key.expire"].map((op, i) => ({ op, at: 100 + i * 400 })), { expiresAt: 100 }],
    [["key.expire", "key.revoke"].map((op) => ({ op, at: 700 })), { expiresAt: 700, revokedAt: 700 }],
  ] as const;
  for (const [acts, end] of ends) {
    const changes = acts.map((act) => ({ ...act, id: ID }) as AccountChange);
    const { keys } = made(keyOf(ID), keyOf("AAAAAAA2"), ...changes);
    assert.deepEqual(keys, [{ ...entry(ID), ...end }, entry("AAAAAAA2")]);
  }
});

test("repeating any change has no effect, so it may be sent again if its answer was lost", () => {
  const changes: readonly AccountChange[] = [
    PRO,
    { op: "key.create", entry: entry(ID), plan: "PRO" },
    { op: "account.patch", id: ALICE, plan: "FREE_STARTER", status: "DISABLED" },
    { op: "key.expire", id: ID, at: 5 as UtcMillis },
    { op: "key.revoke", id: ID, at: 7 as UtcMillis },
  ];
  for (const [at, change] of changes.entries()) {
    const book = made(...changes.slice(0, at + 1));
    assert.deepEqual(applyChange(book, change), book, change.op);
  }
  // Repeating the creation of a key that has been revoked in the meantime must not revive it.
  assert.equal(made(...changes, changes[1]!).keys[0]?.revokedAt, 7);
});

test("index: finds each key with its account and plan; leaves out keys without account or plan, as in a book edited by hand", () => {
  const book = made(PRO, keyOf(ID), { ...keyOf("AAAAAAA2", BOB), plan: "PRO" } as AccountChange);
  const holders = indexKeys({ ...book, keys: [...book.keys, entry("AAAAAAA3", "carol" as AccountId)] });
  assert.deepEqual([...holders.keys()], [ID, "AAAAAAA2"]);
  assert.deepEqual(holders.get(ID), { key: entry(ID), account: book.accounts[0], plan: FREE_STARTER });
  assert.deepEqual(holders.get("AAAAAAA2" as KeyId)?.plan, PLAN);
  assert.deepEqual([...indexKeys({ ...book, plans: [FREE_STARTER] }).keys()], [ID]);
});

test("createKey: two simultaneous calls make two keys; a call with a plan other than the account's, or an end in the past, rejects and makes no key", async () => {
  const { accounts } = createMemoryStore();
  const keys = await Promise.all([
    createKey(accounts, webSystem, "me"),
    createKey(accounts, webSystem, "me", { note: "second" }),
  ]);
  assert.deepEqual(
    accounts
      .book()
      .keys.map(({ note }) => note)
      .sort(),
    ["", "second"],
  );
  assert.equal(new Set(keys).size, 2);
  accounts.update([PRO]);
  await assert.rejects(createKey(accounts, webSystem, "me", { plan: "PRO" }), RangeError);
  const issuer = { ...webSystem, clock: () => Date.parse("2026-11-22T10:00:00Z") as UtcMillis };
  await assert.rejects(createKey(accounts, issuer, "me", { expiresAt: "2026-11-22T10:00:00Z" }), {
    name: "RangeError",
    message: /must end in the future: received "2026-11-22T10:00:00.000Z"/,
  });
  assert.equal(accounts.book().keys.length, 2);
});

const moments: readonly (readonly [what: string, moment: Date | string | UtcMillis])[] = [
  ["a Date", new Date("2027-01-31T12:00:00Z")],
  ["a text with an offset", "2027-01-31T15:30:00+03:30"],
  ["the number that a clock returns", 1_801_396_800_000 as UtcMillis],
];
for (const [what, moment] of moments) {
  test(`times of keys: ${what} is accepted when a key is made, expires or is revoked, in this process and when sent to another`, async () => {
    const { accounts } = createMemoryStore();
    await createKey(accounts, webSystem, "me", { expiresAt: moment });
    assert.equal(accounts.book().keys[0]?.expiresAt, 1_801_396_800_000);
    for (const [op, member] of [
      ["key.expire", "expiresAt"],
      ["key.revoke", "revokedAt"],
    ] as const) {
      const change: AccountChange = { op, id: ID, at: moment };
      const sent = JSON.parse(JSON.stringify(plainChange(change))) as AccountChange;
      for (const one of [change, sent]) assert.equal(made(keyOf(ID), one).keys[0]?.[member], 1_801_396_800_000);
    }
  });
}

for (const moment of [new Date(NaN), "2027-01-31", 1.5] as readonly unknown[]) {
  test(`times of keys: ${String(moment)} (${typeof moment}) is refused with an example of a time, and no key is made`, async () => {
    const { accounts } = createMemoryStore();
    const refusal = { name: "RangeError", message: /a time such as 2027-01-31T12:00:00Z: received "/ };
    const at = moment as Date;
    await assert.rejects(createKey(accounts, webSystem, "me", { expiresAt: at }), refusal);
    assert.deepEqual(accounts.book().keys, []);
    const change: AccountChange = { op: "key.expire", id: ID, at };
    assert.throws(() => made(keyOf(ID), change), refusal);
    assert.throws(() => plainChange(change), refusal);
  });
}

function keyWith(wrong: object): object {
  return { op: "key.create", entry: { ...entry("AAAAAAA2"), ...wrong } };
}
const NAMES = ["", "a\n", "..", "علی", "x".repeat(65), 5];
const refused: readonly (readonly [what: string, change: object, message?: RegExp])[] = [
  ...NAMES.map((name) => [`a plan named "${name}"`, { ...PRO, name }, /plan because its name .*64/] as const),
  ...NAMES.map(
    (name) => [`a key of account "${name}"`, keyWith({ accountId: name }), /account because its name .*64/] as const,
  ),
  ...[undefined, ["alice"], { toString: () => "alice" }].map(
    (accountId) => [`a key of account ${JSON.stringify(accountId)}`, keyWith({ accountId })] as const,
  ),
  ...[{ note: 5 }, { id: 7 }, { digest: null }, { createdAt: null }, { expiresAt: undefined }, { revokedAt: 1.5 }].map(
    (wrong) => [`a key with ${Object.keys(wrong)[0]} ${String(Object.values(wrong)[0])}`, keyWith(wrong)] as const,
  ),
  ...[0, 1.5, Infinity, "5"].map(
    (dailyUnits) => [`${dailyUnits} daily units`, { ...PRO, dailyUnits }, /"PRO".* units .*received "/] as const,
  ),
  ["a text as attribution", { ...PRO, attributionRequired: "no" }],
  ["a new plan without attribution", { op: "plan.patch", name: "NEW", dailyUnits: null }, /"NEW".* attribution/],
  ["a new plan without units", { op: "plan.patch", name: "NEW", attributionRequired: false }, /"NEW".* units/],
  ["an unknown status", { op: "account.patch", id: ALICE, status: "active" }, /DISABLED: received "active"/],
  ["an unknown account", { op: "account.patch", id: "bob", plan: "FREE_STARTER", status: "ACTIVE" }, /"bob"/],
  ...["GOLD", "", "free_starter", "__proto__"].map(
    (plan) => [`the unknown plan "${plan}"`, { op: "account.patch", id: ALICE, plan }, /FREE_STARTER, PRO/] as const,
  ),
  ["a key with another plan than its account", { ...keyOf("AAAAAAA2"), plan: "PRO" }, /"PRO"/],
  ["a key with an unknown plan", { ...keyOf("AAAAAAA2", BOB), plan: "GOLD" }],
  ["a key whose id belongs to another account", keyOf(ID, BOB), /must be new.*"AAAAAAA1"/],
  ["a key whose id belongs to another key", keyWith({ id: ID }), /must be new.*"AAAAAAA1"/],
  ["an unknown operation", { op: "plan.set" }, /the operation is unknown: received "plan\.set"/],
  ["the expiry of an unknown key", { op: "key.expire", id: "AAAAAAA9", at: 0 }, /"AAAAAAA9"/],
  ["the revocation of an unknown key", { op: "key.revoke", id: "AAAAAAA9", at: 0 }, /"AAAAAAA9"/],
];
test("withKey: a key for an unknown account throws", () => {
  assert.throws(() => withKey(EMPTY_BOOK, entry(ID)), { name: "RangeError", message: /"AAAAAAA1".*"alice"/ });
});
for (const [what, change, message = /./] of refused) {
  test(`changes: ${what} throws a RangeError`, () => {
    assert.throws(() => made(PRO, keyOf(ID), change as AccountChange), { name: "RangeError", message });
  });
}
