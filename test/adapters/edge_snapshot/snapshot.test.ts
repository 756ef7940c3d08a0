import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { createMemoryStore } from "../../../adapters/memory_store.ts";
import type { MemoryStore } from "../../../adapters/memory_store.ts";
import { fixedAccounts, makeSnapshot, openSnapshot } from "../../../adapters/edge_snapshot/mod.ts";
import { crc32Hex } from "../../../core/bytes/crc32.ts";
import { applyChange } from "../../../core/accounts/changes.ts";
import { EMPTY_BOOK, issueKey } from "../../../core/mod.ts";
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

suite("snapshot", async () => {
  test("answers all that the store answers, exactly, whatever the store holds", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyObservation, { maxLength: 60 }), async (batch) => {
        const store = storeOf(...(batch as Observation[]));
        const snapshot = openSnapshot(await snapshotOf(store));
        const codes = ["USD_RLS", "BTC_USD", "PEPE_USD", "EUR_RLS"] as AssetCode[];
        assert.deepEqual((await snapshot.latest(codes)).value, (await store.latest(codes)).value);
        const coverage = (await snapshot.coverage(codes)).value.map((known) => known && { latest: known.latest, availableFrom: known.availableFrom, providers: known.providers });
        assert.deepEqual(coverage, (await store.coverage(codes)).value);
        assert.equal(await snapshot.version(), await store.version());
        for (const code of codes) {
          const times = batch.filter((one) => one.code === code).map(({ businessTime }) => businessTime).sort((a, b) => a - b);
          const edges = [ALL_TIME[0]!, ...new Set(times), ALL_TIME[1]!];
          assert.deepEqual((await snapshot.lastOfEach(code, edges)).value, (await store.lastOfEach(code, edges)).value);
          const window = { from: (-600_000 * HOUR) as UtcMillis, to: (600_000 * HOUR) as UtcMillis };
          assert.deepEqual((await snapshot.candles(code, window, HOUR)).value, (await store.candles(code, window, HOUR)).value);
          if (times.length > 0 && (await store.latest([code])).value[0]) assert.equal(await snapshot.version([code]), await store.version([code]));
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
      assert.equal((await openSnapshot(source).latest(["USD_RLS" as AssetCode])).value[0]?.provider, "میز ما");
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
    assert.deepEqual([await snapshot.version(), await snapshot.version(["USD_RLS" as AssetCode])], ["v.all", "v.USD_RLS"]);
    assert.equal((await snapshot.latest(["USD_RLS" as AssetCode])).value[0]?.value, 102);
  });

  test("a store without records makes a snapshot without assets", async () => {
    const store = storeOf();
    const snapshot = openSnapshot(await snapshotOf(store));
    const code = "USD_RLS" as AssetCode;
    assert.deepEqual([(await snapshot.latest([code])).value, (await snapshot.lastOfEach(code, ALL_TIME)).value, await snapshot.version([code])], [[undefined], [], await store.version()]);
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

  test("a character that has the low byte of another is found: the format is ASCII", async () => {
    const text = await snapshotOf(storeOf(observation("USD_RLS", 1, { provider: "a", qualityMessage: "a" })));
    for (let at = text.indexOf('"a"'); at !== -1; at = text.indexOf('"a"', at + 1)) {
      const other = String.fromCharCode(0x100 + text.charCodeAt(at + 1));
      assert.throws(() => openSnapshot(text.slice(0, at + 1) + other + text.slice(at + 2)), /must be ASCII/);
    }
    assert.throws(() => openSnapshot(`\ufeff${text}`), /must be ASCII/);
    assert.throws(() => openSnapshot(new TextEncoder().encode(`\ufeff${text}`)), /must be ASCII/);
    const bytes = new TextEncoder().encode(text);
    bytes[10] = 0xff;
    assert.throws(() => openSnapshot(bytes), /must be ASCII/);
  });

  /** The same line with another value at a path; `undefined` takes the member out. */
  function changed(line: string, path: readonly (string | number)[], value: unknown): string {
    const whole: unknown = JSON.parse(line);
    const parent = path.slice(0, -1).reduce((node, key) => Reflect.get(node as object, key), whole) as object;
    Reflect.set(parent, path.at(-1)!, value);
    return JSON.stringify(whole);
  }

  /** A snapshot of one asset with these lines and a right checksum, as another program might write it. */
  function sealed(first: string, second: string): string {
    const open = first.slice(0, first.lastIndexOf(',"crc32":'));
    return `${open},"crc32":"${crc32Hex(`${open}\n${second}\n`)}"}\n${second}\n`;
  }

  const three = storeOf(...[1, 2, 4].map((hour) => observation("USD_RLS", hour, { provider: hour === 2 ? null : "a", sourceTime: (hour * HOUR) as UtcMillis })));
  const [first = "", second = ""] = (await snapshotOf(three)).split("\n");
  const { assets: [asset] } = JSON.parse(first) as { assets: [{ latest: object }] };

  test("the lines that the next tests change are those of a snapshot", () => {
    assert.equal(openSnapshot(sealed(first, second)).version(["USD_RLS" as AssetCode]), three.version(["USD_RLS" as AssetCode]));
    assert.deepEqual(JSON.parse(second), {
      ...{ times: [HOUR, 2, 2 * HOUR, 1], values: [101, 102, 104], sources: [0, 3], inserts: [1e12, 1, 0, 2] },
      ...{ providers: [0, 1, null, 1, 0, 1], remarks: {} },
    });
  });

  for (const [what, path, value] of [
    ["no version", ["version"], undefined],
    ["assets that are no list", ["assets"], {}],
    ["an asset more than there are lines", ["assets", 1], { ...asset, latest: { ...asset.latest, code: "EUR_RLS" } }],
    ["an asset less than there are lines", ["assets"], []],
    ["an asset twice", ["assets", 1], asset],
    ["no records", ["assets", 0, "records"], 0],
    ["a price of null", ["assets", 0, "latest", "value"], null],
    ["a price below zero", ["assets", 0, "latest", "value"], -1],
    ["a time as text", ["assets", 0, "latest", "businessTime"], "2026"],
    ["a fraction of a millisecond", ["assets", 0, "latest", "insertTime"], 0.5],
    ["a record that is not accepted", ["assets", 0, "latest", "qualityStatus"], "PENDING"],
    ["a first record after the latest", ["assets", 0, "availableFrom"], 5 * HOUR],
    ["a provider that is no text", ["assets", 0, "providers"], [1]],
  ] as const) {
    test(`${what} is refused when the snapshot is opened`, () => {
      assert.throws(() => openSnapshot(sealed(changed(first, path, value), second)), /^TypeError: Cannot (?:read|open)/);
    });
  }

  for (const [what, member, value] of [
    ["a price less", "values", [101, 104]],
    ["a price more", "values", [7, 101, 102, 104]],
    ["a price as text", "values", ["101", 102, 104]],
    ["a price of nothing", "values", [101, 0, 104]],
    ["another price than the latest", "values", [101, 102, 7]],
    ["times that stand still", "times", [HOUR, 1, 0, 1, 3 * HOUR, 1]],
    ["times that go back", "times", [HOUR, 1, 4 * HOUR, 1, -HOUR, 1]],
    ["times that begin elsewhere", "times", [2 * HOUR, 1, HOUR, 2]],
    ["times that end elsewhere", "times", [HOUR, 3]],
    ["a run of no rows", "sources", [0, 3, 0, 0]],
    ["a run of half a row", "sources", [0, 2.5, 0, 0.5]],
    ["a run without its number", "inserts", [1e12, 1, 0]],
    ["runs of fewer rows than there are", "inserts", [1e12, 1, 0, 1]],
    ["a provider that is not in the list", "providers", [1, 1, null, 1, 0, 1]],
    ["a provider before the list", "providers", [-1, 1, null, 1, 0, 1]],
    ["a remark on no row", "remarks", { 3: "x" }],
    ["a remark that is no text", "remarks", { 0: {} }],
    ["no columns", "values", undefined],
  ] as const) {
    test(`${what}: the asset's records are refused whole, and its latest value is served`, async () => {
      const snapshot = openSnapshot(sealed(first, changed(second, [member], value)));
      const code = "USD_RLS" as AssetCode;
      for (let tries = 0; tries < 2; tries++) assert.throws(() => snapshot.lastOfEach(code, ALL_TIME), /^TypeError: Cannot read/);
      assert.throws(() => snapshot.candles(code, { from: 0 as UtcMillis, to: (5 * HOUR) as UtcMillis }, HOUR), /^TypeError: Cannot read/);
      assert.equal((await snapshot.latest([code])).value[0]?.value, 104);
    });
  }

  const head = (members: string): string => `{${members},"crc32":"${crc32Hex(`{${members}\n`)}"}\n`;
  for (const [what, text, message] of [
    ["an empty file", "", /^TypeError: Cannot open a snapshot as each of its lines must be JSON: received ""$/],
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
