import assert from "node:assert/strict";
import type { AccountChange, AccountKeeper } from "../../../core/accounts/account_changes.ts";
import type { AccountBook, KeyEntry } from "../../../core/accounts/accounts.ts";
import type { AccountId, AssetCode, KeyId } from "../../../core/branded_types.ts";
import type { Accounts, MaybePromise } from "../../../core/ports.ts";
import { at } from "./records.ts";
import { type Case, type Handles, type Opener, runCases } from "./suite.ts";

/** The accounts that the suite tests. */
export type SuiteAccounts = Accounts & AccountKeeper & { book(): MaybePromise<AccountBook> };

const ALICE = "alice" as AccountId;
const BOB = "bob" as AccountId;

const ACCOUNTS: readonly Case<SuiteAccounts>[] = [
  {
    rule: "a new store has no keys",
    write: async () => {},
    async check(accounts) {
      assert.equal(await accounts.find("nobody00" as KeyId), undefined);
      assert.deepEqual((await accounts.book()).keys, []);
    },
  },
  {
    rule: "a key is found with its account and plan, even when expired or revoked",
    async write(accounts) {
      await accounts.update([{ op: "plan.patch", name: "PRO", dailyUnits: null, attributionRequired: false }]);
      await accounts.update([{ op: "key.create", entry: keyEntry("key00001"), plan: "PRO" }]);
      await accounts.update([{ op: "key.create", entry: keyEntry("key00002") }]);
      await accounts.update([
        { op: "key.expire", id: "key00001" as KeyId, at: at(1) },
        { op: "key.revoke", id: "key00002" as KeyId, at: at(2) },
      ]);
    },
    async check(accounts) {
      const first = await accounts.find("key00001" as KeyId);
      assert.deepEqual(first?.key, { ...keyEntry("key00001"), expiresAt: at(1) });
      assert.deepEqual(first?.account, { id: ALICE, plan: "PRO", status: "ACTIVE" });
      assert.deepEqual(first?.plan, { name: "PRO", dailyUnits: null, attributionRequired: false });
      assert.equal((await accounts.find("key00002" as KeyId))?.key.revokedAt, at(2));
    },
  },
  {
    rule: "a key's restrictions are kept as they were set, and most keys have none",
    async write(accounts) {
      await accounts.update([
        {
          op: "key.create",
          entry: { ...keyEntry("key00001"), may: "write", codes: ["USD_RLS", "EUR_RLS"] as AssetCode[] },
        },
      ]);
      await accounts.update([
        { op: "key.create", entry: { ...keyEntry("key00002"), may: "read,write" } },
        { op: "key.create", entry: keyEntry("key00003") },
      ]);
      await accounts.update([{ op: "key.expire", id: "key00001" as KeyId, at: at(1) }]);
      const wrong = [
        { may: "admin" },
        { codes: ["USD_RLS"] },
        { may: "write", codes: [] },
        { may: "write", codes: "USD_RLS" },
        { may: "write", codes: [7] },
      ] as object[];
      for (const scope of wrong) {
        await assert.rejects(
          async () => accounts.update([{ op: "key.create", entry: { ...keyEntry("key00009"), ...scope } }]),
          /Cannot (add|read) a? ?key/,
          JSON.stringify(scope),
        );
      }
    },
    async check(accounts) {
      const writing = { ...keyEntry("key00001"), expiresAt: at(1), may: "write", codes: ["USD_RLS", "EUR_RLS"] };
      assert.deepEqual((await accounts.find("key00001" as KeyId))?.key, writing);
      assert.deepEqual((await accounts.book()).keys, [
        writing,
        { ...keyEntry("key00002"), may: "read,write" },
        keyEntry("key00003"),
      ]);
    },
  },
  {
    rule: "no concurrent change is lost",
    concurrent: true,
    async write(accounts) {
      await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          accounts.update([{ op: "key.create", entry: keyEntry(`key${10_000 + i}`) }]),
        ),
      );
    },
    check: async (accounts) => assert.equal((await accounts.book()).keys.length, 20),
  },
  {
    rule: "a group of changes with an invalid one is refused as a whole, and the next change is made",
    async write(accounts) {
      const patch = { op: "account.patch", id: BOB, status: "DISABLED" } as const;
      await assert.rejects(
        async () => accounts.update([{ op: "key.create", entry: keyEntry("key00001") }, patch]),
        RangeError,
      );
      await accounts.update([{ op: "key.create", entry: keyEntry("key00002") }]);
    },
    check: async (accounts) =>
      assert.deepEqual(
        (await accounts.book()).keys.map((key) => key.id),
        ["key00002"],
      ),
  },
];

/** Tests that every store of accounts must pass. `open` returns an empty store for each test. */
export function accountsSuite(name: string, open: Opener<SuiteAccounts>, handles: Handles = {}): void {
  runCases(name, ACCOUNTS, open, handles);
}

/** The change that creates an account with its first key. */
export function accountWithKey(account: AccountId, plan = "FREE_STARTER"): AccountChange {
  return { op: "key.create", entry: keyEntry(`key-${account}`, account), plan };
}

function keyEntry(id: string, accountId = ALICE): KeyEntry {
  return {
    ...{ id: id as KeyId, accountId, digest: "0f".repeat(32), createdAt: at(0) },
    ...{ expiresAt: null, revokedAt: null, note: "نوت" },
  };
}
