import assert from "node:assert/strict";
import { test } from "node:test";
import { webSystem } from "../../../adapters/http/web_system.ts";
import { createMemoryStore } from "../../../adapters/stores/memory_store.ts";
import { parseChange } from "../../../adapters/stores/shared/parse_accounts.ts";
import { applyChange, plainChange } from "../../../core/accounts/account_changes.ts";
import {
  type AccountBook,
  type AccountChange,
  type AccountId,
  createKey,
  EMPTY_BOOK,
  FREE_STARTER,
  type KeyEntry,
  type KeyId,
  type UtcMillis,
} from "../../../core/mod.ts";

const ALICE = "alice" as AccountId;

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

function made(...changes: readonly AccountChange[]): AccountBook {
  return changes.reduce(applyChange, EMPTY_BOOK);
}

const PRO = { op: "plan.patch", name: "PRO", dailyUnits: 1_000, attributionRequired: false } as const;

test("plan.patch: leaves omitted members unchanged; null and false are values like any other", () => {
  const cases: readonly (readonly [patch: object, dailyUnits: number | null, attributionRequired: boolean])[] = [
    [{}, 1_000, false],
    [{ dailyUnits: 7 }, 7, false],
    [{ dailyUnits: null }, null, false],
    [{ attributionRequired: true }, 1_000, true],
  ];
  for (const [patch, dailyUnits, attributionRequired] of cases) {
    const { plans } = made(PRO, { op: "plan.patch", name: "PRO", ...patch });
    assert.deepEqual(plans, [FREE_STARTER, { name: "PRO", dailyUnits, attributionRequired }]);
  }
});

test("account.patch: leaves omitted members unchanged", () => {
  const cases = [
    [{}, "PRO", "DISABLED"],
    [{ plan: "FREE_STARTER" }, "FREE_STARTER", "DISABLED"],
    [{ status: "ACTIVE" }, "PRO", "ACTIVE"],
  ] as const;
  const before = made(
    PRO,
    { op: "key.create", entry: entry("AAAAAAA1"), plan: "PRO" },
    { op: "account.patch", id: ALICE, status: "DISABLED" },
  );
  for (const [patch, plan, status] of cases) {
    assert.deepEqual(applyChange(before, { op: "account.patch", id: ALICE, ...patch }).accounts, [
      { id: ALICE, plan, status },
    ]);
  }
});

test("key.create: makes an active account with the given plan or FREE_STARTER; an existing one keeps plan and status", () => {
  assert.deepEqual(made({ op: "key.create", entry: entry("AAAAAAA1") }).accounts, [
    { id: ALICE, plan: "FREE_STARTER", status: "ACTIVE" },
  ]);
  const first = made(
    PRO,
    { op: "key.create", entry: entry("AAAAAAA1"), plan: "PRO" },
    { op: "account.patch", id: ALICE, status: "RESTRICTED" },
  );
  for (const more of [{}, { plan: "PRO" }]) {
    const { accounts, keys } = applyChange(first, { op: "key.create", entry: entry("AAAAAAA2"), ...more });
    assert.deepEqual(accounts, [{ id: ALICE, plan: "PRO", status: "RESTRICTED" }]);
    assert.deepEqual(
      keys.map(({ id }) => id),
      ["AAAAAAA1", "AAAAAAA2"],
    );
  }
});

test("repeating any change has no effect, so it may be sent again if its answer was lost", () => {
  const changes: readonly AccountChange[] = [
    PRO,
    { op: "key.create", entry: entry("AAAAAAA1"), plan: "PRO" },
    { op: "account.patch", id: ALICE, plan: "FREE_STARTER", status: "DISABLED" },
    { op: "key.expire", id: "AAAAAAA1" as KeyId, at: 5 as UtcMillis },
    { op: "key.revoke", id: "AAAAAAA1" as KeyId, at: 7 as UtcMillis },
  ];
  let book = EMPTY_BOOK;
  for (const change of changes) {
    book = applyChange(book, change);
    assert.deepEqual(applyChange(book, change), book, change.op);
  }
  // This must not revive a key that has been revoked in the meantime.
  assert.equal(applyChange(book, changes[1]!).keys[0]?.revokedAt, 7);
});

test("changes: each is parsed as it was sent", () => {
  const changes: readonly AccountChange[] = [
    PRO,
    { op: "plan.patch", name: "PRO", dailyUnits: null },
    { op: "plan.patch", name: "PRO", attributionRequired: false },
    { op: "account.patch", id: ALICE, plan: "PRO" },
    { op: "account.patch", id: ALICE, status: "DISABLED" },
    { op: "key.create", entry: entry("AAAAAAA1") },
    { op: "key.create", entry: { ...entry("AAAAAAA1"), expiresAt: 9 as UtcMillis, note: "نوت" }, plan: "PRO" },
    { op: "key.expire", id: "AAAAAAA1" as KeyId, at: 5 as UtcMillis },
    { op: "key.revoke", id: "AAAAAAA1" as KeyId, at: -5 as UtcMillis },
  ];
  for (const change of changes) assert.deepEqual(parseChange(JSON.parse(JSON.stringify(change))), change);
});

const nonsense: readonly unknown[] = [
  null,
  { op: "plan.set", plan: {} },
  { op: "__proto__" },
  { op: "plan.patch", name: "PRO", dailyUnits: 1.5 },
  { op: "account.patch", id: "alice", status: "active" },
  { op: "key.create", entry: { ...entry("AAAAAAA1"), digest: null } },
  { op: "key.revoke", id: "AAAAAAA1", at: null },
];
test("changes: anything that is not a change throws a TypeError", () => {
  for (const value of nonsense) assert.throws(() => parseChange(value), TypeError, JSON.stringify(value));
});

test("createKey: two simultaneous calls for an account make two keys; a plan that the account does not have rejects and adds none", async () => {
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
  assert.equal(accounts.book().keys.length, 2);
});

const moments: readonly (readonly [what: string, moment: Date | string | UtcMillis, millis: number])[] = [
  ["a Date", new Date("2027-01-31T12:00:00Z"), 1_801_396_800_000],
  ["a text with an offset", "2027-01-31T15:30:00+03:30", 1_801_396_800_000],
  ["a value of a clock", 1_801_396_800_000 as UtcMillis, 1_801_396_800_000],
];
for (const [what, moment, millis] of moments) {
  test(`times of keys: ${what} sets the end of a new, an expiring and a revoked key, in this process and when sent to another`, async () => {
    const { accounts } = createMemoryStore();
    await createKey(accounts, webSystem, "me", { expiresAt: moment });
    assert.equal(accounts.book().keys[0]?.expiresAt, millis);
    for (const [op, member] of [
      ["key.expire", "expiresAt"],
      ["key.revoke", "revokedAt"],
    ] as const) {
      const book = made({ op: "key.create", entry: entry("AAAAAAA1") });
      const change: AccountChange = { op, id: "AAAAAAA1", at: moment };
      assert.equal(applyChange(book, change).keys[0]?.[member], millis);
      const sent = parseChange(JSON.parse(JSON.stringify(plainChange(change))));
      assert.equal(applyChange(book, sent).keys[0]?.[member], millis);
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
    const change: AccountChange = { op: "key.expire", id: "AAAAAAA1", at };
    assert.throws(() => made({ op: "key.create", entry: entry("AAAAAAA1") }, change), refusal);
    assert.throws(() => plainChange(change), refusal);
  });
}

test("createKey: refuses an end in the past, as the key would never work", async () => {
  const { accounts } = createMemoryStore();
  const issuer = { ...webSystem, clock: () => Date.parse("2026-11-22T10:00:00Z") as UtcMillis };
  await assert.rejects(createKey(accounts, issuer, "me", { expiresAt: "2026-11-22T10:00:00Z" }), {
    name: "RangeError",
    message: /must end in the future: received "2026-11-22T10:00:00.000Z"/,
  });
  assert.deepEqual(accounts.book().keys, []);
});

const KEY: AccountChange = { op: "key.create", entry: entry("AAAAAAA1") };
function keyWith(wrong: object): object {
  return { op: "key.create", entry: { ...entry("AAAAAAA2"), ...wrong } };
}
const unreadable: readonly (readonly [what: string, change: object, message?: RegExp])[] = [
  ...[42, undefined, ["alice"], { toString: () => "alice" }].map(
    (accountId) => [`an account ${typeof accountId} ${JSON.stringify(accountId)}`, keyWith({ accountId })] as const,
  ),
  ...[{ note: 5 }, { id: 7 }, { digest: null }, { createdAt: null }, { expiresAt: undefined }, { revokedAt: 1.5 }].map(
    (wrong) => [`a key with ${Object.keys(wrong)[0]} ${String(Object.values(wrong)[0])}`, keyWith(wrong)] as const,
  ),
  ["a plan named 5", { ...PRO, name: 5 }],
  ["a text as attribution", { ...PRO, attributionRequired: "no" }],
  ["a text as daily units", { ...PRO, dailyUnits: "5" }],
  ["a new plan without attribution", { op: "plan.patch", name: "NEW", dailyUnits: null }, /"NEW".* attribution/],
  ["a new plan without units", { op: "plan.patch", name: "NEW", attributionRequired: false }, /"NEW".* units/],
  ["an unknown status", { op: "account.patch", id: ALICE, status: "active" }, /DISABLED: received "active"/],
  ["an unknown account", { op: "account.patch", id: "bob", plan: "FREE_STARTER", status: "ACTIVE" }, /"bob"/],
  ["an account's unknown plan", { op: "account.patch", id: ALICE, plan: "GOLD" }],
  ["a key with another plan than its account", { op: "key.create", entry: entry("AAAAAAA2"), plan: "PRO" }, /"PRO"/],
  ["a key with an unknown plan", { op: "key.create", entry: entry("AAAAAAA2", "bob" as AccountId), plan: "GOLD" }],
  ["a key for an invalid account name", { op: "key.create", entry: entry("AAAAAAA2", "a b" as AccountId) }],
];
for (const [what, change, message = /./] of unreadable) {
  test(`changes: ${what} throws a RangeError`, () => {
    assert.throws(() => made(PRO, KEY, change as AccountChange), { name: "RangeError", message });
  });
}
