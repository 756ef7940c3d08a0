import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { randomBytes, sha256 } from "../../../adapters/http/web_system.ts";
import { createMemoryStore, type MemoryStore } from "../../../adapters/stores/memory_store.ts";
import { fixedAccounts, makeSnapshot, openSnapshot } from "../../../adapters/stores/snapshot/mod.ts";
import { applyChange } from "../../../core/accounts/account_changes.ts";
import {
  type AccountId,
  type AssetCode,
  EMPTY_BOOK,
  issueKey,
  type Observation,
  type UtcMillis,
} from "../../../core/mod.ts";
import { runs } from "../../support/suite_size.ts";

const HOUR = 3_600_000;
const USD = "USD_RLS" as AssetCode;
const CODES = [USD, "BTC_USD", "PEPE_USD", "EUR_RLS"] as AssetCode[];
const RECORD = { code: "USD_RLS", value: 1_905_000, businessTime: "2026-08-21T16:30:00Z" };

function storeOf(batch: readonly Observation[]): MemoryStore["observations"] {
  const { observations } = createMemoryStore();
  observations.append(batch);
  return observations;
}

/** All kinds of data that a store may hold: irregular times, several providers, remarks in any script. */
const anyObservation = fc.record({
  code: fc.constantFrom(...CODES.slice(0, 3)),
  value: fc.oneof(
    fc.double({ min: 1e-12, max: 1e15, noNaN: true }),
    fc.integer({ min: 1, max: 5 }),
    fc.constant(Number.MIN_VALUE),
  ),
  businessTime: fc
    .oneof(
      fc.integer({ min: -2e12, max: 2e12 }),
      fc.integer({ min: 0, max: 50 }).map((at) => at * HOUR),
    )
    .map((time) => time as UtcMillis),
  sourceTime: fc.option(fc.integer({ min: 0, max: 2e12 }).map((time) => time as UtcMillis)),
  insertTime: fc.integer({ min: 0, max: 2e12 }).map((time) => time as UtcMillis),
  provider: fc.option(fc.constantFrom("a", "میز ما", "\ud83d\udcb0", "__proto__")),
  qualityStatus: fc.constantFrom("ACCEPTED", "ACCEPTED", "PENDING", "REJECTED"),
  qualityMessage: fc.constantFrom("", "", "«نرخ»\n", '"\\\u2028\ud800'),
});

suite("snapshot", () => {
  test("gives exactly the answers of the store, whatever the store holds", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyObservation, { maxLength: 60 }), async (batch) => {
        const store = storeOf(batch as Observation[]);
        const text = await makeSnapshot(store.records());
        assert.doesNotMatch(text, /"qualityStatus":"(?!ACCEPTED")/);
        if (text === "") return;
        const snapshot = openSnapshot(text);
        assert.deepEqual((await snapshot.latest(CODES)).value, (await store.latest(CODES)).value);
        assert.deepEqual((await snapshot.coverage(CODES)).value, (await store.coverage(CODES)).value);
        for (const code of CODES) {
          const edges = [
            -1e15,
            ...new Set(batch.map(({ businessTime }) => businessTime).sort((a, b) => a - b)),
            1e15,
          ] as UtcMillis[];
          assert.deepEqual((await snapshot.lastOfEach(code, edges)).value, (await store.lastOfEach(code, edges)).value);
          const window = { from: (-600_000 * HOUR) as UtcMillis, to: (600_000 * HOUR) as UtcMillis };
          const [found, wanted] = [
            (await snapshot.candles(code, window, HOUR)).value,
            (await store.candles(code, window, HOUR)).value,
          ];
          assert.deepEqual({ ...found, candles: [...found.candles] }, { ...wanted, candles: [...wanted.candles] });
        }
      }),
      { numRuns: runs(30) },
    );
  });

  test("gives the same answers and version from text, bytes and a buffer, even within a larger buffer", async () => {
    const text = JSON.stringify({ ...RECORD, provider: "میز ما" });
    const bytes = new TextEncoder().encode(text);
    const larger = new Uint8Array(bytes.length + 20);
    larger.set(bytes, 10);
    for (const source of [
      text,
      bytes,
      bytes.buffer as ArrayBuffer,
      larger.subarray(10, 10 + bytes.length),
      Buffer.from(text),
    ]) {
      const { version, value } = await openSnapshot(source).latest([USD]);
      assert.deepEqual([version, value[0]?.provider], [openSnapshot(text).version(), "میز ما"]);
    }
    assert.notEqual(openSnapshot(text.replace("1905000", "1905001")).version(), openSnapshot(text).version());
  });

  test("uses the business time as the insert time of lines that have none, and serves only accepted records", async () => {
    const lines = [RECORD, { ...RECORD, value: 2, businessTime: "2026-08-22T16:30:00Z", qualityStatus: "PENDING" }].map(
      (record) => JSON.stringify(record),
    );
    const [latest] = (await openSnapshot(lines.join("\n")).latest([USD])).value;
    const served = [latest?.value, latest?.insertTime, latest?.sourceTime];
    assert.deepEqual(served, [1_905_000, Date.parse(RECORD.businessTime), null]);
  });

  test("a line that is not a record is refused when the file is opened, with the line number", () => {
    for (const line of [
      JSON.stringify(RECORD).slice(0, -5),
      "USD_RLS,1905000,2026-08-21T16:30:00Z",
      JSON.stringify({ ...RECORD, code: undefined }),
      JSON.stringify({ ...RECORD, value: 0 }),
      JSON.stringify({ ...RECORD, value: "1905000" }),
      JSON.stringify({ ...RECORD, businessTime: "2026-08-21" }),
      JSON.stringify({ ...RECORD, insertTime: 0 }),
      JSON.stringify({ ...RECORD, qualityStatus: "GOOD" }),
    ])
      assert.throws(
        () => openSnapshot(`${JSON.stringify(RECORD)}\n${line}\n`),
        /^TypeError: Cannot open a snapshot because line 2 is not a record: its /,
        line,
      );
  });

  test("a file without a record, and bytes that are not UTF-8, are refused", () => {
    assert.throws(() => openSnapshot("\n"), /^TypeError: Cannot open a snapshot because it has no records$/);
    assert.throws(() => openSnapshot(Uint8Array.of(0x7b, 0xff)), TypeError);
  });
});

suite("fixed accounts", () => {
  test("finds the keys in an `AccountBook`, and in the store's file of accounts", async () => {
    const accountId = "me" as AccountId;
    const { entry } = await issueKey({ randomBytes, sha256 }, { accountId, createdAt: 0 as UtcMillis });
    const book = applyChange(EMPTY_BOOK, { op: "key.create", entry });
    for (const document of [book, { kind: "accounts", schema: 1, storeId: "x", rev: 3, book }]) {
      const accounts = fixedAccounts(JSON.parse(JSON.stringify(document)));
      assert.deepEqual(await accounts.find(entry.id), { key: entry, account: book.accounts[0], plan: book.plans[0] });
    }
  });

  test("another document is refused", () => {
    for (const document of [null, [], {}, { book: null }, { plans: [], accounts: [], keys: [{}] }])
      assert.throws(() => fixedAccounts(document), /^TypeError: Cannot read/, JSON.stringify(document));
  });
});
