import assert from "node:assert/strict";
import { test } from "node:test";
import type { AccountBook, KeyEntry } from "../../core/accounts/accounts.ts";
import type { AccountChange, AccountKeeper } from "../../core/accounts/changes.ts";
import type { AccountId, AssetCode, CalendarDate, KeyId, UtcMillis } from "../../core/brand.ts";
import { createIngestUnknown } from "../../core/market/ingest.ts";
import type { RawRecord } from "../../core/market/ingest.ts";
import type { Observation } from "../../core/market/observation.ts";
import { toCandles } from "../../core/series/candle_columns.ts";
import type { Accounts, MaybePromise, ObservationKey, ObservationWriter, Observations, QuotaLedger, Versioned } from "../../core/ports.ts";

/** A store as the suite needs it. */
export interface SuiteStore {
  readonly observations: Observations &
    ObservationWriter & {
      remove(keys: readonly ObservationKey[]): MaybePromise<number>;
      find(code: AssetCode, businessTime: UtcMillis): Observation | undefined;
    };
  readonly accounts: Accounts & AccountKeeper & { book(): AccountBook };
  readonly quota: QuotaLedger;
}

/** A store opened for one test. */
export interface OpenedStore {
  readonly store: SuiteStore;
  /** Opens the same data anew; absent where nothing outlives the process. What was checked before must hold again. */
  readonly reopen?: () => Promise<SuiteStore>;
  close?(): Promise<void>;
}

interface Case {
  readonly rule: string;
  write(store: SuiteStore): Promise<void>;
  check(store: SuiteStore): Promise<void>;
}

const USD = "USD_RLS" as AssetCode;
const EUR = "EUR_RLS" as AssetCode;
const ALICE = "alice" as AccountId;
const BOB = "bob" as AccountId;
const DAY = "2026-11-21" as CalendarDate;
const MINUTE = 60_000;
const START = Date.parse("2026-11-20T00:00:00Z");

/** An observation of USD_RLS at a minute of the test's day, with what `more` says. */
export function observed(minute: number, value: number, more: Partial<Observation> = {}): Observation {
  return {
    ...{ code: USD, value, businessTime: at(minute), sourceTime: null, insertTime: at(10_000) },
    ...{ provider: null, qualityStatus: "ACCEPTED", qualityMessage: "", ...more },
  };
}

function at(minute: number): UtcMillis {
  return (START + minute * MINUTE) as UtcMillis;
}

async function valuesOf(store: SuiteStore, code = USD): Promise<(readonly [number, number])[]> {
  const edges = Array.from({ length: 101 }, (_, minute) => at(minute));
  const found = (await store.observations.lastOfEach(code, edges)).value;
  return found.map(({ businessTime, value }) => [(businessTime - START) / MINUTE, value]);
}

function keyAt(minute: number): ObservationKey {
  return { code: USD, businessTime: at(minute) };
}

const FULL = observed(5, 0.00000098, { sourceTime: at(4), provider: "بازار", qualityMessage: "checked" });

/** The members of which each makes another record. */
const CHANGES: readonly (readonly [member: string, change: Partial<Observation>])[] = [
  ["value", { value: 0.00000099 }],
  ["source time", { sourceTime: at(3) }],
  ["source time, none,", { sourceTime: null }],
  ["provider", { provider: "بازار آزاد" }],
  ["status", { qualityStatus: "PENDING" }],
  ["message", { qualityMessage: "" }],
];

const OBSERVATIONS: readonly Case[] = [
  {
    rule: "an empty store has no record, coverage or candle",
    write: async () => {},
    async check({ observations }) {
      assert.deepEqual((await observations.latest([USD, EUR])).value, [undefined, undefined]);
      assert.deepEqual((await observations.coverage([USD])).value, [undefined]);
      assert.deepEqual((await observations.lastOfEach(USD, [at(0), at(10)])).value, []);
      const { candles, availableFrom } = (await observations.candles(USD, { from: at(0), to: at(15) }, 15 * MINUTE)).value;
      assert.deepEqual([candles.length, availableFrom], [0, undefined]);
    },
  },
  {
    rule: "a record is given back as it was stored, with every member",
    async write({ observations }) {
      const full = observed(5, 0.00000098, {
        ...{ sourceTime: at(4), provider: "بازار \"آزاد\"", qualityMessage: "checked\nby hand 😀" },
      });
      assert.deepEqual(await observations.append([full, observed(5, 1_050_000.25, { code: EUR })]), { accepted: 2, replaced: 0, unchanged: 0 });
    },
    async check({ observations }) {
      const [usd, gbp, eur] = (await observations.latest([USD, "GBP_RLS" as AssetCode, EUR])).value;
      assert.deepEqual(usd, observed(5, 0.00000098, { sourceTime: at(4), provider: "بازار \"آزاد\"", qualityMessage: "checked\nby hand 😀" }));
      assert.equal(gbp, undefined);
      assert.deepEqual(eur, observed(5, 1_050_000.25, { code: EUR }));
    },
  },
  {
    rule: "values keep every digit that a double has",
    async write({ observations }) {
      const values = [1 / 3, 123456789012345680, 1e21, 5e-324, 1.7976931348623157e308, 0.1 + 0.2];
      await observations.append(values.map((value, minute) => observed(minute, value)));
    },
    async check(store) {
      const values = (await valuesOf(store)).map(([, value]) => value);
      assert.deepEqual(values, [1 / 3, 123456789012345680, 1e21, 5e-324, 1.7976931348623157e308, 0.1 + 0.2]);
    },
  },
  {
    rule: "a late record finds its place, and the latest stays the latest",
    async write({ observations }) {
      await observations.append([observed(1, 10), observed(9, 90)]);
      await observations.append([observed(5, 50), observed(3, 30)]);
      await observations.append([observed(0, 5)]);
    },
    async check(store) {
      assert.deepEqual(await valuesOf(store), [[0, 5], [1, 10], [3, 30], [5, 50], [9, 90]]);
      assert.equal((await store.observations.latest([USD])).value[0]?.value, 90);
      assert.equal((await store.observations.coverage([USD])).value[0]?.availableFrom, at(0));
    },
  },
  {
    rule: "a record for the same code and time takes the earlier one's place",
    async write({ observations }) {
      await observations.append([observed(1, 10), observed(2, 20)]);
      assert.deepEqual(await observations.append([observed(1, 11), observed(3, 30)]), { accepted: 1, replaced: 1, unchanged: 0 });
      assert.deepEqual(await observations.append([observed(3, 31), observed(3, 32)]), { accepted: 0, replaced: 2, unchanged: 0 });
    },
    async check(store) {
      assert.deepEqual(await valuesOf(store), [[1, 11], [2, 20], [3, 32]]);
    },
  },
  {
    rule: "a record that is there already, equal in all but its insert time, is not stored again",
    async write({ observations }) {
      await observations.append([FULL, observed(1, 10)]);
      const version = await observations.version();
      assert.deepEqual(await observations.append([observed(1, 10, { insertTime: at(20_000) }), { ...FULL, insertTime: at(20_000) }]), { accepted: 0, replaced: 0, unchanged: 2 });
      assert.equal(await observations.version(), version);
      assert.deepEqual(await observations.append([{ ...FULL, insertTime: at(30_000) }, observed(3, 30)]), { accepted: 1, replaced: 0, unchanged: 1 });
    },
    async check({ observations }) {
      assert.deepEqual([observations.find(USD, at(1)), observations.find(USD, at(5)), observations.find(USD, at(3))], [observed(1, 10), FULL, observed(3, 30)]);
    },
  },
  ...CHANGES.map(([member, change]): Case => ({
    rule: `a record with another ${member} takes the earlier one's place, and gets its own insert time`,
    async write({ observations }) {
      await observations.append([FULL]);
      const version = await observations.version([USD]);
      assert.deepEqual(await observations.append([{ ...FULL, ...change, insertTime: at(20_000) }]), { accepted: 0, replaced: 1, unchanged: 0 });
      assert.notEqual(await observations.version([USD]), version);
    },
    check: async ({ observations }) => assert.deepEqual(observations.find(USD, at(5)), { ...FULL, ...change, insertTime: at(20_000) }),
  })),
  {
    rule: "of records for the same code and time in one batch, the last decides whether anything changes",
    async write({ observations }) {
      await observations.append([observed(1, 10), observed(2, 20)]);
      const version = await observations.version();
      assert.deepEqual(await observations.append([observed(1, 11), observed(2, 20), observed(1, 10)]), { accepted: 0, replaced: 0, unchanged: 3 });
      assert.equal(await observations.version(), version);
      assert.deepEqual(await observations.append([observed(1, 10), observed(1, 11)]), { accepted: 0, replaced: 2, unchanged: 0 });
    },
    check: async (store) => assert.deepEqual(await valuesOf(store), [[1, 11], [2, 20]]),
  },
  {
    rule: "a record that comes again while another one for its time is being stored is the last word",
    async write({ observations }) {
      await observations.append([observed(1, 10), observed(2, 20), observed(3, 30)]);
      await Promise.all([observations.append([observed(1, 11)]), observations.append([observed(1, 10)])]);
      await Promise.all([observations.remove([keyAt(2)]), observations.append([observed(2, 20)])]);
      await Promise.all([observations.append([observed(4, 40)]), observations.remove([keyAt(4)])]);
    },
    check: async (store) => assert.deepEqual(await valuesOf(store), [[1, 10], [2, 20], [3, 30]]),
  },
  {
    rule: "removed records are gone, whatever their status, and can come again",
    async write({ observations }) {
      await observations.append([observed(1, 10), observed(2, 20, { provider: "A" }), observed(3, 30), observed(4, 40, { qualityStatus: "PENDING" })]);
      await observations.append([observed(1, 1, { code: EUR })]);
      const [all, usd, eur] = [await observations.version(), await observations.version([USD]), await observations.version([EUR])];
      assert.equal(await observations.remove([keyAt(3), keyAt(4), keyAt(9), keyAt(3), keyAt(2)]), 3);
      assert.notEqual(await observations.version(), all);
      assert.notEqual(await observations.version([USD]), usd);
      assert.equal(await observations.version([EUR]), eur, "another asset's records do not change this one's version");
      const version = await observations.version();
      assert.equal(await observations.remove([keyAt(3), { code: "GBP_RLS" as AssetCode, businessTime: at(1) }]), 0);
      assert.equal(await observations.version(), version, "nothing was there to be removed");
      assert.deepEqual(await observations.append([observed(2, 21)]), { accepted: 1, replaced: 0, unchanged: 0 });
      assert.equal(await observations.remove([{ code: EUR, businessTime: at(1) }]), 1);
    },
    async check(store) {
      assert.deepEqual(await valuesOf(store), [[1, 10], [2, 21]]);
      const [usd, eur] = (await store.observations.coverage([USD, EUR])).value;
      assert.deepEqual([usd?.latest.value, usd?.providers, eur], [21, [], undefined]);
      assert.deepEqual([store.observations.find(USD, at(4)), store.observations.find(EUR, at(1))], [undefined, undefined]);
    },
  },
  {
    rule: "many records are removed at once",
    async write({ observations }) {
      await observations.append(Array.from({ length: 1_500 }, (_, minute) => observed(minute, minute + 1)));
      assert.equal(await observations.remove(Array.from({ length: 1_490 }, (_, i) => keyAt(1_499 - i))), 1_490);
    },
    check: async (store) => assert.deepEqual((await valuesOf(store)).map(([minute]) => minute), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
  },
  {
    rule: "a record that is not accepted is never seen",
    async write({ observations }) {
      await observations.append([observed(1, 10), observed(2, 20, { qualityStatus: "PENDING" }), observed(3, 30, { qualityStatus: "REJECTED" })]);
    },
    async check(store) {
      assert.deepEqual(await valuesOf(store), [[1, 10]]);
      assert.equal((await store.observations.latest([USD])).value[0]?.value, 10);
    },
  },
  {
    rule: "an accepted record is taken back by a rejected one, and a pending one comes to be accepted",
    async write({ observations }) {
      await observations.append([observed(1, 10), observed(2, 20), observed(3, 30, { qualityStatus: "PENDING" })]);
      const outcome = await observations.append([observed(2, 20, { qualityStatus: "REJECTED", qualityMessage: "typing error" }), observed(3, 31)]);
      assert.deepEqual(outcome, { accepted: 0, replaced: 2, unchanged: 0 });
    },
    async check(store) {
      assert.deepEqual(await valuesOf(store), [[1, 10], [3, 31]]);
    },
  },
  {
    rule: "records() gives every record, those not accepted included",
    async write({ observations }) {
      await observations.append([observed(2, 20), observed(1, 10, { qualityStatus: "PENDING" }), observed(1, 1, { code: EUR })]);
    },
    async check({ observations }) {
      const found: unknown[] = [];
      for await (const { code, value, qualityStatus } of observations.records()) found.push([code, value, qualityStatus]);
      assert.deepEqual(found, [[USD, 20, "ACCEPTED"], [USD, 10, "PENDING"], [EUR, 1, "ACCEPTED"]]);
    },
  },
  {
    rule: "lastOfEach gives the last record of each span, start included and end excluded, empty spans left out",
    async write({ observations }) {
      await observations.append([0, 4, 5, 9, 20].map((minute) => observed(minute, minute + 1)));
    },
    async check({ observations }) {
      const found = (await observations.lastOfEach(USD, [at(0), at(5), at(10), at(20), at(21)])).value;
      assert.deepEqual(found.map(({ value }) => value), [5, 10, 21]);
      assert.deepEqual((await observations.lastOfEach(USD, [at(0)])).value, []);
      assert.deepEqual((await observations.lastOfEach(EUR, [at(0), at(5)])).value, []);
    },
  },
  {
    rule: "candles hold the window's records alone",
    async write({ observations }) {
      await observations.append([[0, 5], [3, 9], [14, 2], [15, 7], [30, 8]].map(([minute, value]) => observed(minute!, value!)));
    },
    async check({ observations }) {
      const { candles, availableFrom } = (await observations.candles(USD, { from: at(0), to: at(30) }, 15 * MINUTE)).value;
      assert.equal(availableFrom, at(0));
      assert.deepEqual(toCandles(candles), [
        { start: at(0), end: at(15), open: 5, high: 9, low: 2, close: 2, observationCount: 3 },
        { start: at(15), end: at(30), open: 7, high: 7, low: 7, close: 7, observationCount: 1 },
      ]);
    },
  },
  {
    rule: "coverage names the latest record, the earliest time and the providers in use",
    async write({ observations }) {
      await observations.append([observed(3, 30, { provider: "B" }), observed(1, 10, { provider: "A" }), observed(2, 20, { provider: "B" })]);
      await observations.append([observed(1, 11, { provider: "C" }), observed(0, 1, { provider: "D", qualityStatus: "PENDING" })]);
    },
    async check({ observations }) {
      const [coverage] = (await observations.coverage([USD])).value;
      assert.deepEqual(coverage, { latest: observed(3, 30, { provider: "B" }), availableFrom: at(1), providers: ["B", "C"] });
    },
  },
  {
    rule: "an empty batch changes nothing",
    async write({ observations }) {
      const before = await observations.version();
      assert.deepEqual(await observations.append([]), { accepted: 0, replaced: 0, unchanged: 0 });
      assert.equal(await observations.version(), before);
    },
    check: async (store) => assert.deepEqual(await valuesOf(store), []),
  },
  {
    rule: "the first and the last millisecond that a timestamp can name are stored",
    async write({ observations }) {
      const [first, last] = [-62_167_219_200_000, 253_402_300_799_999] as UtcMillis[];
      await observations.append([observed(0, 1, { businessTime: first!, insertTime: first!, sourceTime: last! }), observed(0, 2, { businessTime: last!, insertTime: last!, sourceTime: first! })]);
    },
    async check({ observations }) {
      const [coverage] = (await observations.coverage([USD])).value;
      assert.deepEqual([coverage?.availableFrom, coverage?.latest.businessTime], [-62_167_219_200_000, 253_402_300_799_999]);
      assert.deepEqual([coverage?.latest.insertTime, coverage?.latest.sourceTime], [253_402_300_799_999, -62_167_219_200_000]);
    },
  },
  {
    rule: "what a caller changes after the call does not change what is stored",
    async write({ observations }) {
      const one: { -readonly [Member in keyof Observation]: Observation[Member] } = observed(1, 10);
      const batch = [one];
      const stored = [observations.append(batch)];
      Object.assign(one, { value: 20, businessTime: at(2) });
      stored.push(observations.append(batch));
      batch.length = 0;
      assert.deepEqual(await Promise.all(stored), [{ accepted: 1, replaced: 0, unchanged: 0 }, { accepted: 1, replaced: 0, unchanged: 0 }]);
    },
    check: async (store) => assert.deepEqual(await valuesOf(store), [[1, 10], [2, 20]]),
  },
  {
    rule: "batches appended at the same time are all kept",
    async write({ observations }) {
      const outcomes = await Promise.all(Array.from({ length: 100 }, (_, minute) => observations.append([observed(minute, minute + 1)])));
      assert.ok(outcomes.every(({ accepted }) => accepted === 1));
    },
    async check(store) {
      assert.deepEqual(await valuesOf(store), Array.from({ length: 100 }, (_, minute) => [minute, minute + 1]));
    },
  },
];

/** Observations that nobody could read back, or print: what is wrong with each, and how the refusal begins to say so. */
const WRONG: readonly (readonly [rule: string, more: object, told: RegExp])[] = [
  ["an empty code", { code: "" }, /code/],
  ["a number for its code", { code: 7 }, /code/],
  ["a value of zero", { value: 0 }, /value/],
  ["a value below zero", { value: -1 }, /value/],
  ["a value that is no number", { value: NaN }, /value/],
  ["an infinite value", { value: Infinity }, /value/],
  ["a text for its value", { value: "1.5" }, /value/],
  ["a part of a millisecond in its business time", { businessTime: 1.7e12 + 0.5 }, /businessTime/],
  ["no business time", { businessTime: undefined }, /businessTime/],
  ["a business time after the year 9999", { businessTime: 8.7e15 }, /businessTime/],
  ["a business time before the year 0", { businessTime: -62_167_219_200_001 }, /businessTime/],
  ["a part of a millisecond in its insert time", { insertTime: 7.5 }, /insertTime/],
  ["an insert time after the year 9999", { insertTime: 253_402_300_800_000 }, /insertTime/],
  ["a part of a millisecond in its source time", { sourceTime: 7.5 }, /sourceTime/],
  ["a large source time with a part of a millisecond", { sourceTime: 1.7e12 + 0.5 }, /sourceTime/],
  ["a source time after the year 9999", { sourceTime: 8.7e15 }, /sourceTime/],
  ["an undefined source time", { sourceTime: undefined }, /sourceTime/],
  ["a number for its provider", { provider: 7 }, /provider/],
  ["an undefined provider", { provider: undefined }, /provider/],
  ["a provider of 65 characters", { provider: "p".repeat(65) }, /provider/],
  ["a status in small letters", { qualityStatus: "accepted" }, /qualityStatus/],
  ["no status", { qualityStatus: undefined }, /qualityStatus/],
  ["a number for its message", { qualityMessage: 7 }, /qualityMessage/],
  ["no message", { qualityMessage: null }, /qualityMessage/],
];

const REFUSALS: readonly Case[] = WRONG.map(([rule, more, told]) => ({
  rule: `an observation with ${rule} is refused with its batch, and harms no other`,
  async write({ observations }) {
    const wrong = { ...observed(2, 20), ...more } as Observation;
    const version = await observations.version();
    await assert.rejects(async () => observations.append([observed(1, 10), wrong]), (error) => error instanceof RangeError && told.test(error.message));
    assert.equal(await observations.version(), version);
    const [before, refused, after] = await Promise.allSettled([
      (async () => observations.append([observed(3, 30)]))(),
      (async () => observations.append([wrong]))(),
      (async () => observations.append([observed(4, 40)]))(),
    ]);
    assert.deepEqual([before.status, refused.status, after.status], ["fulfilled", "rejected", "fulfilled"]);
  },
  async check(store) {
    assert.deepEqual(await valuesOf(store), [[3, 30], [4, 40]]);
    const records: Observation[] = [];
    for await (const record of store.observations.records()) records.push(record);
    assert.equal(records.length, 2);
  },
}));

/** The largest record that ingestion takes: every unit of its texts is written as six bytes. */
const LARGEST: RawRecord = {
  ...{ code: USD, businessTime: "2026-11-20T00:00:00.000Z", sourceTime: "0000-01-01T00:00:00.000Z", value: "1.1125369292536007e-308" },
  ...{ provider: `p${"\u0001".repeat(62)}p`, qualityStatus: "REJECTED", qualityMessage: `m${"\u0001".repeat(498)}m` },
};

const INGEST: readonly (readonly [rule: string, count: number, valueOf: (n: number) => number, more: RawRecord])[] = [
  ["100,000 records", 100_000, (n) => n + 1, { code: USD }],
  ["250,001 records", 250_001, (n) => n + 1, { code: EUR }],
  ["5,000 records of the largest size", 5_000, () => Number(LARGEST.value), LARGEST],
];

const INGESTED: readonly Case[] = INGEST.map(([rule, count, valueOf, more]) => ({
  rule: `${rule} are stored by one call of ingestion`,
  async write({ observations }) {
    const ingest = createIngestUnknown({ clock: () => at(10_000), observations });
    const records: RawRecord[] = Array.from({ length: count }, (_, n) => ({ value: valueOf(n), ...more, businessTime: new Date(START + n).toISOString() }));
    const middle = Math.floor(count / 2);
    records.splice(middle, 0, {});
    assert.deepEqual(await ingest(records), { accepted: count, replaced: 0, unchanged: 0, refused: [{ index: middle, reason: "code is missing" }] });
  },
  async check({ observations }) {
    let found = 0;
    for await (const { businessTime, value } of observations.records()) if (value === valueOf(businessTime - START)) found++;
    assert.equal(found, count);
  },
}));

const ACCOUNTS: readonly Case[] = [
  {
    rule: "a new store knows no key",
    write: async () => {},
    async check({ accounts }) {
      assert.equal(await accounts.find("nobody00" as KeyId), undefined);
      assert.deepEqual(accounts.book().keys, []);
    },
  },
  {
    rule: "a key is found with its account and plan, also when expired or revoked",
    async write({ accounts }) {
      await accounts.update([{ op: "plan.patch", name: "PRO", dailyUnits: null, attributionRequired: false }]);
      await accounts.update([{ op: "key.create", entry: keyEntry("key00001"), plan: "PRO" }]);
      await accounts.update([{ op: "key.create", entry: keyEntry("key00002") }]);
      await accounts.update([
        { op: "key.expire", id: "key00001" as KeyId, at: at(1) },
        { op: "key.revoke", id: "key00002" as KeyId, at: at(2) },
      ]);
    },
    async check({ accounts }) {
      const first = await accounts.find("key00001" as KeyId);
      assert.deepEqual(first?.key, { ...keyEntry("key00001"), expiresAt: at(1) });
      assert.deepEqual(first?.account, { id: ALICE, plan: "PRO", status: "ACTIVE" });
      assert.deepEqual(first?.plan, { name: "PRO", dailyUnits: null, attributionRequired: false });
      assert.equal((await accounts.find("key00002" as KeyId))?.key.revokedAt, at(2));
    },
  },
  {
    rule: "changes made at the same time all see each other",
    async write({ accounts }) {
      await Promise.all(Array.from({ length: 20 }, (_, i) => accounts.update([{ op: "key.create", entry: keyEntry(`key${10_000 + i}`) }])));
    },
    check: async ({ accounts }) => assert.equal(accounts.book().keys.length, 20),
  },
  {
    rule: "of changes that do not all fit none is made, and the next one is",
    async write({ accounts }) {
      const patch = { op: "account.patch", id: BOB, status: "DISABLED" } as const;
      await assert.rejects(async () => accounts.update([{ op: "key.create", entry: keyEntry("key00001") }, patch]), RangeError);
      await accounts.update([{ op: "key.create", entry: keyEntry("key00002") }]);
    },
    check: async ({ accounts }) => assert.deepEqual(accounts.book().keys.map((key) => key.id), ["key00002"]),
  },
];

const QUOTA: readonly Case[] = [
  {
    rule: "units are granted up to the limit, for each account and day by itself",
    async write({ quota }) {
      assert.deepEqual(await quota.take(ALICE, DAY, 2), { granted: true, used: 1 });
      assert.deepEqual(await quota.take(ALICE, DAY, 2), { granted: true, used: 2 });
      assert.deepEqual(await quota.take(ALICE, DAY, 2), { granted: false, used: 2 });
      assert.deepEqual(await quota.take(BOB, DAY, 2), { granted: true, used: 1 });
      assert.deepEqual(await quota.take(ALICE, "2026-11-22" as CalendarDate, 2), { granted: true, used: 1 });
    },
    async check({ quota }) {
      assert.equal(await quota.used(ALICE, DAY), 2);
      assert.equal(await quota.used(BOB, DAY), 1);
      assert.equal(await quota.used(ALICE, "2026-11-22" as CalendarDate), 1);
      assert.equal(await quota.used(ALICE, "2026-11-20" as CalendarDate), 0);
      assert.deepEqual(await quota.take(ALICE, DAY, 2), { granted: false, used: 2 });
    },
  },
  {
    rule: "of 500 takes at once on the last 10 units exactly 10 are granted",
    async write({ quota }) {
      for (let i = 0; i < 40; i++) await quota.take(ALICE, DAY, 50);
      const taken = await Promise.all(Array.from({ length: 500 }, async () => quota.take(ALICE, DAY, 50)));
      assert.equal(taken.filter(({ granted }) => granted).length, 10);
      assert.deepEqual(new Set(taken.filter(({ granted }) => granted).map(({ used }) => used)).size, 10);
    },
    check: async ({ quota }) => assert.equal(await quota.used(ALICE, DAY), 50),
  },
  {
    rule: "a unit given back can be taken again, and none is given back twice over",
    async write({ quota }) {
      for (let i = 0; i < 3; i++) await quota.take(ALICE, DAY, 3);
      assert.equal(await quota.giveBack(ALICE, DAY), 2);
      assert.deepEqual(await quota.take(ALICE, DAY, 3), { granted: true, used: 3 });
      assert.deepEqual(await quota.take(ALICE, DAY, 3), { granted: false, used: 3 });
      assert.equal(await quota.giveBack(ALICE, DAY), 2);
      assert.equal(await quota.giveBack(BOB, DAY), 0);
    },
    check: async ({ quota }) => assert.equal(await quota.used(ALICE, DAY), 2),
  },
  {
    rule: "a raised limit counts at once, a lowered one grants nothing more",
    async write({ quota }) {
      for (let i = 0; i < 3; i++) await quota.take(ALICE, DAY, 3);
      assert.equal((await quota.take(ALICE, DAY, 5)).granted, true);
      assert.equal((await quota.take(ALICE, DAY, 2)).granted, false);
      assert.equal((await quota.take(ALICE, DAY, 5)).granted, true);
      assert.equal((await quota.take(ALICE, DAY, 5)).granted, false);
    },
    check: async ({ quota }) => assert.equal(await quota.used(ALICE, DAY), 5),
  },
  {
    rule: "units taken without a limit count once there is one",
    async write({ quota }) {
      const taken = await Promise.all(Array.from({ length: 7_000 }, async () => quota.take(ALICE, DAY, Infinity)));
      assert.ok(taken.every(({ granted }) => granted));
      assert.equal(await quota.giveBack(ALICE, DAY), 6_999);
      assert.deepEqual(await quota.take(ALICE, DAY, 6_999), { granted: false, used: 6_999 });
      assert.deepEqual(await quota.take(ALICE, DAY, 7_000), { granted: true, used: 7_000 });
    },
    async check({ quota }) {
      assert.equal(await quota.used(ALICE, DAY), 7_000);
      assert.deepEqual(await quota.take(ALICE, DAY, 7_000), { granted: false, used: 7_000 });
    },
  },
  {
    rule: "large limits are granted to the last unit",
    async write({ quota }) {
      const taken = await Promise.all(Array.from({ length: 12_000 }, async () => quota.take(ALICE, DAY, 11_000)));
      assert.equal(taken.filter(({ granted }) => granted).length, 11_000);
    },
    check: async ({ quota }) => assert.equal(await quota.used(ALICE, DAY), 11_000),
  },
];

/** The change that makes an account, with its first key. */
export function accountWithKey(account: AccountId, plan = "FREE_STARTER"): AccountChange {
  return { op: "key.create", entry: keyEntry(`key-${account}`, account), plan };
}

function keyEntry(id: string, accountId = ALICE): KeyEntry {
  return {
    ...{ id: id as KeyId, accountId, digest: "0f".repeat(32), createdAt: at(0) },
    ...{ expiresAt: null, revokedAt: null, note: "نوت" },
  };
}

/** Tests what every store must do. `open` gives an empty store for each test. */
export function storeSuite(name: string, open: () => Promise<OpenedStore>): void {
  for (const { rule, write, check } of [...OBSERVATIONS, ...REFUSALS, ...INGESTED, ...ACCOUNTS, ...QUOTA]) {
    test(`${name}: ${rule}`, async () => {
      const opened = await open();
      await write(opened.store);
      await check(opened.store);
      if (opened.reopen) {
        await check(await opened.reopen());
        await check(await opened.reopen());
      }
      await opened.close?.();
    });
  }

  test(`${name}: each read names the state of the assets that it asked for`, async () => {
    const opened = await open();
    const { observations } = opened.store;
    const reads = async (): Promise<readonly string[]> => {
      const window = { from: at(0), to: at(15) };
      const found = [observations.latest([USD]), observations.coverage([USD]), observations.lastOfEach(USD, [at(0), at(9)]), observations.candles(USD, window, 15 * MINUTE)];
      return (await Promise.all<Versioned<unknown>>(found)).map(({ version }) => version);
    };
    const both = [USD, EUR];
    const seen = new Set<string>();
    for (const batch of [[], [observed(1, 10)], [observed(1, 11), observed(2, 20)], [observed(0, 1, { code: EUR })]]) {
      await observations.append(batch);
      const one = await observations.version([USD]);
      assert.deepEqual(new Set(await reads()), new Set([one]));
      const some = await observations.version(both);
      assert.deepEqual([(await observations.latest(both)).version, (await observations.coverage([...both])).version], [some, some]);
      assert.ok(!seen.has(some), some);
      seen.add(some);
    }
    const before = await observations.version(both);
    await observations.append([observed(5, 5, { code: "BTC_USD" as AssetCode })]);
    assert.equal(await observations.version(both), before, "a third asset's record does not change the version of two");
    await opened.close?.();
  });

  test(`${name}: a version is never the same for two states`, async () => {
    const opened = await open();
    const seen = new Set<string>();
    let { observations } = opened.store;
    seen.add(await observations.version([USD]));
    for (let minute = 1; minute <= 5; minute++) {
      await observations.append([observed(minute, minute)]);
      const version = await observations.version([USD]);
      assert.match(version, /^[A-Za-z0-9.]+$/);
      assert.ok(!seen.has(version), version);
      seen.add(version);
      if (minute === 3 && opened.reopen) {
        ({ observations } = await opened.reopen());
        assert.equal(await observations.version([USD]), version, "the same state has the same version");
      }
    }
    const before = [await observations.version([USD]), await observations.version()];
    await observations.append([observed(1, 1, { code: EUR })]);
    assert.equal(await observations.version([USD]), before[0], "another asset's record does not change this one's version");
    assert.notEqual(await observations.version(), before[1]);
    await opened.close?.();
    const other = await open();
    await other.store.observations.append([observed(1, 1)]);
    assert.ok(!seen.has(await other.store.observations.version([USD])), "two stores never share a version");
    await other.close?.();
  });
}
