import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { createMemoryStore } from "../../../adapters/memory_store.ts";
import type { MemoryStore } from "../../../adapters/memory_store.ts";
import { fixedAccounts, makeSnapshot, openSnapshot } from "../../../adapters/edge_snapshot/mod.ts";
import { crc32Hex } from "../../../core/bytes/crc32.ts";
import { EMPTY_BOOK, applyChange, issueKey } from "../../../core/mod.ts";
import type { AccountId, AssetCode, Observation, UtcMillis } from "../../../core/mod.ts";
import { randomBytes, sha256 } from "../../../adapters/system.ts";

const HOUR = 3_600_000;
const ALL_TIME = [-1e15 as UtcMillis, 1e15 as UtcMillis];

function observation(code: string, hour: number, more: Partial<Observation> = {}): Observation {
  return {
    code: code as AssetCode,
    value: 100 + hour,
    businessTime: (hour * HOUR) as UtcMillis,
    sourceTime: null,
    insertTime: 1_000_000_000_000 as UtcMillis,
    provider: null,
    qualityStatus: "ACCEPTED",
    qualityMessage: "",
    ...more,
  };
}

function storeOf(...batch: readonly Observation[]): MemoryStore["observations"] {
  const { observations } = createMemoryStore();
  observations.append(batch);
  return observations;
}

const snapshotOf = (store: MemoryStore["observations"]): Promise<string> => makeSnapshot(store.records(), store.version);

/** Anything a store may hold: irregular times, several providers, remarks in any script. */
const anyObservation = fc.record({
  code: fc.constantFrom("USD_RLS", "BTC_USD", "PEPE_USD").map((code) => code as AssetCode),
  value: fc.oneof(fc.double({ min: 1e-12, max: 1e15, noNaN: true }), fc.integer({ min: 1, max: 5 }), fc.constant(Number.MIN_VALUE)),
  businessTime: fc.oneof(fc.integer({ min: -2e12, max: 2e12 }), fc.integer({ min: 0, max: 50 }).map((at) => at * HOUR)).map((time) => time as UtcMillis),
  sourceTime: fc.option(fc.integer({ min: 0, max: 2e12 }).map((time) => time as UtcMillis)),
  insertTime: fc.integer({ min: 0, max: 2e12 }).map((time) => time as UtcMillis),
  provider: fc.option(fc.constantFrom("a", "میز ما", "\ud83d\udcb0", "__proto__")),
  qualityStatus: fc.constantFrom("ACCEPTED", "ACCEPTED", "PENDING", "REJECTED"),
  qualityMessage: fc.constantFrom("", "", "«نرخ»\n", '"\\\u2028\ud800'),
});

suite("snapshot", () => {
  test("answers all that the store answers, exactly, whatever the store holds", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyObservation, { maxLength: 60 }), async (batch) => {
        const store = storeOf(...(batch as Observation[]));
        const snapshot = openSnapshot(await snapshotOf(store));
        const codes = ["USD_RLS", "BTC_USD", "PEPE_USD", "EUR_RLS"] as AssetCode[];
        assert.deepEqual(await snapshot.latest(codes), await store.latest(codes));
        const coverage = (await snapshot.coverage(codes)).map((known) => known && { latest: known.latest, availableFrom: known.availableFrom, providers: known.providers });
        assert.deepEqual(coverage, await store.coverage(codes));
        assert.equal(await snapshot.version(), await store.version());
        for (const code of codes) {
          const times = batch.filter((one) => one.code === code).map(({ businessTime }) => businessTime).sort((a, b) => a - b);
          const edges = [ALL_TIME[0]!, ...new Set(times), ALL_TIME[1]!];
          assert.deepEqual(await snapshot.lastOfEach(code, edges), await store.lastOfEach(code, edges));
          const window = { from: (-600_000 * HOUR) as UtcMillis, to: (600_000 * HOUR) as UtcMillis };
          assert.deepEqual(await snapshot.candles(code, window, HOUR), await store.candles(code, window, HOUR));
          if (times.length > 0 && (await store.latest([code]))[0]) assert.equal(await snapshot.version(code), await store.version(code));
        }
      }),
      { numRuns: 150 },
    );
  });

  test("the same from a text, from bytes and from a buffer, also in the middle of a larger one", async () => {
    const text = await snapshotOf(storeOf(observation("USD_RLS", 1, { provider: "میز ما" })));
    assert.match(text, /^[\x00-\x7f]+$/);
    const bytes = new TextEncoder().encode(text);
    const larger = new Uint8Array(bytes.length + 20);
    larger.set(bytes, 10);
    for (const source of [text, bytes, bytes.buffer as ArrayBuffer, larger.subarray(10, 10 + bytes.length), Buffer.from(text)]) {
      assert.equal((await openSnapshot(source).latest(["USD_RLS" as AssetCode]))[0]?.provider, "میز ما");
    }
  });

  test("the same data make the same text", async () => {
    const store = storeOf(observation("USD_RLS", 1), observation("BTC_USD", 2));
    assert.equal(await snapshotOf(store), await snapshotOf(store));
  });

  test("a record every hour takes no room for its times: under 10 bytes a record", async () => {
    const text = await snapshotOf(storeOf(...Array.from({ length: 10_000 }, (_, hour) => observation("USD_RLS", hour, { value: 1_900_000 + hour }))));
    assert.ok(text.length < 100_000, `${text.length} bytes`);
  });

  test("records may come one after the other, and versions later", async () => {
    async function* slowly(): AsyncGenerator<Observation> {
      yield observation("USD_RLS", 1);
      yield observation("USD_RLS", 2);
    }
    const snapshot = openSnapshot(await makeSnapshot(slowly(), async (code) => `v.${code ?? "all"}`));
    assert.deepEqual([await snapshot.version(), await snapshot.version("USD_RLS" as AssetCode)], ["v.all", "v.USD_RLS"]);
    assert.equal((await snapshot.latest(["USD_RLS" as AssetCode]))[0]?.value, 102);
  });

  test("a store without records makes a snapshot without assets", async () => {
    const store = storeOf();
    const snapshot = openSnapshot(await snapshotOf(store));
    const code = "USD_RLS" as AssetCode;
    assert.deepEqual([await snapshot.latest([code]), await snapshot.lastOfEach(code, ALL_TIME), await snapshot.version(code)], [[undefined], [], await store.version()]);
  });

  test("every changed, missing or added letter is found", async () => {
    const text = await snapshotOf(storeOf(observation("USD_RLS", 1), observation("BTC_USD", 2, { qualityMessage: "x" })));
    for (let at = 0; at < text.length; at++) {
      assert.throws(() => openSnapshot(`${text.slice(0, at)}~${text.slice(at + 1)}`), /Cannot/, `changed at ${at}`);
      assert.throws(() => openSnapshot(text.slice(0, at)), /Cannot/, `cut at ${at}`);
      assert.throws(() => openSnapshot(text.slice(0, at) + text.slice(at + 1)), /Cannot/, `missing at ${at}`);
    }
    assert.throws(() => openSnapshot(`${text}\n`), /^Error: Cannot open a snapshot as it is damaged: its checksum is "[0-9a-f]{8}" and must be "[0-9a-f]{8}"$/);
  });

  const head = (members: string): string => `{${members},"crc32":"${crc32Hex(`{${members}\n`)}"}\n`;
  for (const [what, text, message] of [
    ["an empty file", "", /^TypeError: Cannot open a snapshot as its first line must be JSON: received ""$/],
    ["a file of another kind", head('"kind":"accounts","schema":1'), /^TypeError: .* kind must be "mazaneh-snapshot": received "accounts"$/],
    ["a file of a later version", head('"kind":"mazaneh-snapshot","schema":2'), /^RangeError: .* schema must be 1: received "2"$/],
    ["a list", "[]\n", /^TypeError: Cannot read snapshot as it must be an object$/],
    ["CSV", "code,value,businessTime\n", /^TypeError: .* must be JSON/],
  ] as const) {
    test(`${what} is refused`, () => {
      assert.throws(() => openSnapshot(text), message);
    });
  }
});

suite("fixed accounts", () => {
  test("a key of a book, or of the store's file that holds the book, is found", async () => {
    const accountId = "me" as AccountId;
    const { entry } = await issueKey({ randomBytes, sha256 }, { accountId, createdAt: 0 as UtcMillis });
    const book = applyChange(EMPTY_BOOK, { op: "key.create", entry });
    for (const document of [book, { kind: "accounts", schema: 1, storeId: "x", rev: 3, book }]) {
      const accounts = fixedAccounts(JSON.parse(JSON.stringify(document)));
      assert.deepEqual(await accounts.find(entry.id), { key: entry, account: book.accounts[0], plan: book.plans[0] });
    }
  });

  for (const document of [null, [], "book", {}, { book: null }, { plans: [], accounts: [], keys: [{}] }]) {
    test(`${JSON.stringify(document)} is refused`, () => {
      assert.throws(() => fixedAccounts(document), /^TypeError: Cannot read/);
    });
  }
});
