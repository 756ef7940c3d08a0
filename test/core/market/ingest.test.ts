import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryStore } from "../../../adapters/stores/memory_store.ts";
import type { AssetCode, UtcMillis } from "../../../core/branded_types.ts";
import {
  createIngestUnknown,
  IngestInterrupted,
  type IngestOptions,
  type RawRecord,
  RecordsRefused,
} from "../../../core/market/ingest.ts";
import type { Observation } from "../../../core/market/observation.ts";
import { Unavailable } from "../../../core/ports.ts";

const CODE = "USD_RLS" as AssetCode;
const NOW = Date.parse("2026-01-05T10:00:00Z") as UtcMillis;
const GOOD: RawRecord = { code: CODE, value: 1_000_000, businessTime: "2026-01-05T09:00:00Z" };

/** Ingests records at 2026-01-05T10:00:00Z, and collects the batches that reach the store. */
function createInlet() {
  const { observations } = createMemoryStore();
  const batches: (readonly Observation[])[] = [];
  const append = (batch: readonly Observation[]) => {
    batches.push(batch);
    return observations.append(batch);
  };
  return { take: createIngestUnknown({ clock: () => NOW, observations: { ...observations, append } }), batches };
}

/** The stored form of one record. Fails if the record is refused. */
async function accept(record: RawRecord): Promise<Observation> {
  const { take, batches } = createInlet();
  assert.deepEqual(await take([record]), { accepted: 1, replaced: 0, unchanged: 0, refused: [] });
  return batches[0]![0]!;
}

/** The reason why one record is refused. Fails if the record is stored, or if the reason repeats a long input. */
async function refuse(record: RawRecord): Promise<string> {
  const { take, batches } = createInlet();
  const { accepted, replaced, refused } = await take([record]);
  assert.deepEqual([accepted, replaced, batches, refused.length, refused[0]!.index], [0, 0, [], 1, 0]);
  assert.ok(refused[0]!.reason.length < 200, refused[0]!.reason);
  return refused[0]!.reason;
}

/** Nested so deeply that printing it overflows the stack. */
function deepObject(): object {
  let object: object = {};
  for (let i = 0; i < 100_000; i++) object = { object };
  return object;
}

test("ingest: optional fields that are missing or blank are stored as null or empty; the record is accepted", async () => {
  const bare = {
    code: CODE,
    value: 1_000_000,
    businessTime: Date.parse("2026-01-05T09:00:00Z"),
    sourceTime: null,
    insertTime: NOW,
    provider: null,
    qualityStatus: "ACCEPTED",
    qualityMessage: "",
  };
  assert.deepEqual(await accept(GOOD), bare);
  const empty = { sourceTime: "", provider: "", qualityStatus: "", qualityMessage: "" };
  assert.deepEqual(await accept({ ...GOOD, ...empty }), bare);
  const blank = { sourceTime: " ", provider: " ", qualityStatus: "\t", qualityMessage: " \r\n" };
  assert.deepEqual(await accept({ ...GOOD, ...blank, businessTime: new Date("2026-01-05T09:00:00Z") }), bare);
});

test("ingest: blanks around texts are removed; a value may be a text of digits", async () => {
  const padded = await accept({
    code: " USD_RLS ",
    value: "\t0001000000.50 ",
    businessTime: " 2026-01-05T09:00Z\r",
    sourceTime: " 2026-01-05T12:30:01.123999999+03:30 ",
    provider: " EXAMPLE ",
    qualityStatus: " REJECTED ",
    qualityMessage: " confirm: thin market ",
  });
  assert.deepEqual(padded, {
    code: CODE,
    value: 1_000_000.5,
    businessTime: Date.parse("2026-01-05T09:00:00Z"),
    sourceTime: Date.parse("2026-01-05T09:00:01.123Z"),
    insertTime: NOW,
    provider: "EXAMPLE",
    qualityStatus: "REJECTED",
    qualityMessage: "confirm: thin market",
  });
});

const NUMBER = /^value must be a number above zero: received "/;
const QUALITY = /^qualityStatus is one of ACCEPTED, PENDING, REJECTED: received "/;
const refusals: readonly (readonly [rule: string, wrong: RawRecord, reason: RegExp])[] = [
  ["no code", { code: undefined }, /^code is missing$/],
  ["a blank code", { code: "  " }, /^code is missing$/],
  ["an unknown code", { code: "NONE_RLS" }, /^code "NONE_RLS" is not in the catalog$/],
  ["a code in lower case", { code: "usd_rls" }, /^code "usd_rls" is not in the catalog$/],
  ["a very long code", { code: "X".repeat(100_000) }, /is not in the catalog$/],
  ["no value", { value: undefined }, NUMBER],
  ["commas between thousands", { value: "1,000" }, NUMBER],
  ["a unit after the value", { value: "1000 RLS" }, NUMBER],
  ["Persian digits", { value: "۱۰۰۰" }, NUMBER],
  ["hexadecimal digits", { value: "0x10" }, NUMBER],
  ["NaN", { value: NaN }, NUMBER],
  ["a value too large for a double", { value: "1e400" }, NUMBER],
  ["zero", { value: 0 }, NUMBER],
  ["a negative value", { value: -1 }, NUMBER],
  ["100,000 digits", { value: "1".repeat(100_000) }, NUMBER],
  ["an array with a valid value", { value: [1_000] }, NUMBER],
  ["a time in the future", { businessTime: "2026-01-05T10:05:00.001Z" }, /^businessTime is in the future: received "/],
  ["an array as a status", { qualityStatus: ["ACCEPTED"] }, QUALITY],
  ["a deep object as a status", { qualityStatus: deepObject() }, QUALITY],
  ["null for a record", null as unknown as RawRecord, /object/],
];
for (const [rule, wrong, reason] of refusals) {
  test(`ingest: ${rule} is refused, and a long input is not repeated`, async () => {
    assert.match(await refuse(wrong && { ...GOOD, ...wrong }), reason);
  });
}

test("ingest: a business time may be 5 minutes ahead; business times before 1900 are refused with a hint at Jalali years, but source times before 1900 are accepted", async () => {
  assert.equal((await accept({ ...GOOD, businessTime: "2026-01-05T10:05:00Z" })).value, 1_000_000);
  for (const time of ["1899-12-31T23:59:59.999Z", "1405-05-30T16:30:00+03:30", "0000-01-01T00:00:00Z"]) {
    assert.match(await refuse({ ...GOOD, businessTime: time }), /^businessTime is before 1900; .*Jalali/);
  }
  const { sourceTime } = await accept({ ...GOOD, sourceTime: "0000-01-01T00:00:00Z" });
  assert.equal(sourceTime, Date.parse("0000-01-01T00:00:00Z"));
});

const wrongTimes = [
  ["without a zone", "2026-01-05T09:00:00"],
  ["with a blank instead of the T", "2026-01-05 09:00:00Z"],
  ["on 29 February of a non-leap year", "2025-02-29T09:00:00Z"],
  ["that is a very long text", "2026-01-05T09:00:00Z".repeat(10_000)],
  ["that is a number of milliseconds", Date.parse("2026-01-05T09:00:00Z")],
  ["that is a deep object", deepObject()],
  ["that is an invalid Date", new Date(NaN)],
  ["that is a Date after the year 9999", new Date(8.64e15)],
  ["that is a Date before the year 0", new Date(-8.64e15)],
] as const;
for (const [rule, time] of wrongTimes) {
  test(`ingest: a business time or a source time ${rule} is refused`, async () => {
    assert.match(await refuse({ ...GOOD, businessTime: time }), /^businessTime must be ISO 8601 .*: received "/);
    assert.match(await refuse({ ...GOOD, sourceTime: time }), /^sourceTime must be ISO 8601 .*: received "/);
  });
}

for (const [name, most] of [
  ["provider", 64],
  ["qualityMessage", 500],
] as const) {
  test(`ingest: ${name} with ${most} characters is stored, with ${most + 1} refused`, async () => {
    assert.equal((await accept({ ...GOOD, [name]: "ف".repeat(most) }))[name], "ف".repeat(most));
    assert.equal((await accept({ ...GOOD, [name]: ` ${"x".repeat(most)} ` }))[name], "x".repeat(most));
    for (const length of [most + 1, 1_000_000])
      assert.match(await refuse({ ...GOOD, [name]: "x".repeat(length) }), new RegExp(`^${name} has at most ${most} `));
  });
}

test("ingest: invalid records do not block valid ones; each is reported with its index and reason", async () => {
  const { take, batches } = createInlet();
  const { accepted, replaced, refused } = await take([
    { ...GOOD, code: "" },
    GOOD,
    { ...GOOD, value: "abc" },
    { ...GOOD, code: "EUR_RLS" },
    { ...GOOD, sourceTime: "yesterday" },
    { ...GOOD, qualityStatus: "FINE" },
    { ...GOOD, code: "AED_RLS" },
  ]);
  assert.deepEqual([accepted, replaced], [3, 0]);
  const codes = batches.map((batch) => batch.map(({ code }) => String(code)));
  assert.deepEqual(codes, [["USD_RLS", "EUR_RLS", "AED_RLS"]]);
  const reasons = refused.map(({ index, reason }) => `${index} ${reason.split(" ")[0]}`);
  assert.deepEqual(reasons, ["0 code", "2 value", "4 sourceTime", "5 qualityStatus"]);
});

/** Ten records: seven are valid, with the values 1 to 7, and three have no code. */
const TEN: readonly RawRecord[] = [0, 1, 2, 3, 4, 0, 5, 6, 7, 0].map((value) => (value > 0 ? { ...GOOD, value } : {}));

/** A store that accepts three observations at a time, and fails at the n-th append. */
function limitedStore(failing: number) {
  const batches: number[][] = [];
  const observations: IngestOptions["observations"] = {
    maxBatch: 3,
    async append(batch) {
      if (batches.length === failing) throw new Unavailable("disk full", 7);
      batches.push(batch.map(({ value }) => value));
      const replaced = batch.length > 1 ? 1 : 0;
      return { accepted: batch.length - 1 - replaced, replaced, unchanged: 1 };
    },
  };
  return { take: createIngestUnknown({ clock: () => NOW, observations }), batches };
}

test("ingest: batches above the store's limit are stored in chunks, in order, and the outcome is the sum over all chunks", async () => {
  const { take, batches } = limitedStore(Infinity);
  const refused = [0, 5, 9].map((index) => ({ index, reason: "code is missing" }));
  assert.deepEqual(await take(TEN), { accepted: 2, replaced: 2, unchanged: 3, refused });
  assert.deepEqual(batches, [[1, 2, 3], [4, 5, 6], [7]]);
  assert.deepEqual(await take([GOOD, GOOD, GOOD]), { accepted: 1, replaced: 1, unchanged: 1, refused: [] });
  assert.equal(batches.length, 4, "a full chunk is not followed by an empty chunk");
});

test("ingest: if the store fails midway, the error has the outcome until then; if it fails at once, the store's own error is thrown", async () => {
  const error: unknown = await limitedStore(2)
    .take(TEN)
    .catch((thrown: unknown) => thrown);
  assert.ok(error instanceof IngestInterrupted, String(error));
  assert.match(error.message, /Cannot store all 10 records because the store failed after 8: disk full/);
  assert.ok(error.cause instanceof Unavailable && error.cause.retryAfterSeconds === 7, String(error.cause));
  const refused = [0, 5].map((index) => ({ index, reason: "code is missing" }));
  assert.deepEqual([error.done, error.outcome], [8, { accepted: 2, replaced: 2, unchanged: 2, refused }]);
  const own = (thrown: unknown): boolean => thrown instanceof Unavailable && thrown.retryAfterSeconds === 7;
  await assert.rejects(limitedStore(0).take([{}, ...Array(7).fill(GOOD)]), own);
});

test("ingest: a store whose maxBatch is not a whole number above zero is refused", () => {
  const { observations } = createMemoryStore();
  for (const maxBatch of [0, 1.5])
    assert.throws(
      () => createIngestUnknown({ clock: () => NOW, observations: { ...observations, maxBatch } }),
      RangeError,
    );
});

test("ingest: `refused: throw` throws an error for refused records, and stores the others", async () => {
  const { take, batches } = createInlet();
  await assert.rejects(take([GOOD, {}, { ...GOOD, value: 0 }], { refused: "throw" }), (error) => {
    assert.ok(error instanceof RecordsRefused, String(error));
    assert.equal(error.message, "Cannot store 2 of 3 records; the first is record 2: code is missing");
    const { accepted, refused } = error.outcome;
    assert.deepEqual([accepted, refused.map(({ index }) => index)], [1, [1, 2]]);
    return true;
  });
  assert.equal(batches.flat().length, 1);
  assert.deepEqual((await take([GOOD], { refused: "throw" })).refused, []);
});

test("ingest: a custom rule reviews valid records before they are stored", async () => {
  const { observations } = createMemoryStore();
  const ingest = createIngestUnknown({
    clock: () => NOW,
    observations,
    rule: async (batch) => batch.map((one) => (one.value < 100_000 ? { ...one, qualityStatus: "PENDING" } : one)),
  });
  const suspicious = { ...GOOD, value: 1_000, businessTime: "2026-01-05T09:30:00Z" };
  const outcome = await ingest([GOOD, suspicious, { ...GOOD, value: -1 }]);
  assert.deepEqual([outcome.accepted, outcome.refused.length], [2, 1]);
  const values = (await observations.latest([CODE])).value.map((one) => one?.value);
  assert.deepEqual(values, [1_000_000]);
});
