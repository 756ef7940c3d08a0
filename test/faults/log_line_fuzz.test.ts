// Everything that the program writes to the price log is read back unchanged.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decodeEntry, encodeEntry } from "../../adapters/stores/json_files/log/entry_line.ts";
import { encodeGroup } from "../../adapters/stores/json_files/log/group.ts";
import { logSeed, seal, unseal } from "../../adapters/stores/json_files/log/sealed_line.ts";
import type { Entry, RecordsEntry } from "../../adapters/stores/price_state/entries.ts";
import type { Import } from "../../adapters/stores/shared/imports.ts";
import type { AssetCode, UtcMillis } from "../../core/branded_types.ts";
import { type Observation, QUALITY_STATUSES } from "../../core/market/observation.ts";
import { properText } from "../support/generators.ts";
import { SEED } from "../support/seeded_random.ts";
import { runs } from "../support/suite_size.ts";
import { printCounts } from "./random_trial.ts";

const seed = logSeed("store", "obs");

const [FIRST, LAST] = [-62_167_219_200_000, 253_402_300_799_999];
const time = fc.oneof(
  fc.integer({ min: 1e12, max: 1e13 }),
  fc.integer({ min: FIRST, max: LAST }),
  fc.constantFrom(0, -1, FIRST, LAST),
) as fc.Arbitrary<UtcMillis>;
const text = fc.oneof(
  fc.constantFrom("USD_RLS", "بازار", 'a "b" \\', "\u007f\u0080", "\n\t\0", "\ud800", "\udfff", "😀"),
  properText.filter((one) => one !== ""),
);
const value = fc.oneof(
  fc.double({ min: 5e-324, max: Number.MAX_VALUE, noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(5e-324, Number.MAX_VALUE, 2 ** 53, 0.1 + 0.2, 1e21, 1e-7),
  fc.integer({ min: 1, max: 2 ** 53 - 1 }),
);
const code = text as fc.Arbitrary<AssetCode>;
const id = fc.option(fc.integer({ min: 1, max: 2 ** 53 - 1 }));

/** A column of arbitrary values: either one value for all rows, or a value for each row. */
function listsOf<T>(one: fc.Arbitrary<T>, length: number): fc.Arbitrary<T[]> {
  return fc.oneof(
    one.map((same) => Array<T>(length).fill(same)),
    fc.array(one, { minLength: length, maxLength: length }),
  );
}

const records = fc
  .tuple(
    fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constantFrom(49, 50)),
    fc.constantFrom<RecordsEntry["type"]>("observations", "pending", "decision", "restored", "replaced"),
  )
  .chain(([length, type]) => {
    const statuses = QUALITY_STATUSES.filter(
      (one) => type === "restored" || (one === "PENDING") === (type === "pending"),
    );
    return fc
      .record({
        ...{
          code,
          source: text,
          import: id,
          undo: type === "restored" ? fc.option(fc.nat(), { nil: undefined }) : fc.constant(undefined),
        },
        ...{ businessTime: listsOf(time, length), value: listsOf(value, length), insertTime: listsOf(time, length) },
        ...{ sourceTime: listsOf(fc.option(time), length), provider: listsOf(fc.option(text), length) },
        qualityStatus: listsOf(fc.constantFrom(...statuses), length),
        qualityMessage: listsOf(fc.oneof(fc.constant(""), text), length),
        ...{ by: text, at: fc.array(time, { minLength: length, maxLength: length }) },
      })
      .map(({ code, source, import: id, undo, by, at: times, ...columns }): Entry => {
        const at = (row: number): object =>
          Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column[row]]));
        const own = columns.value.map((_, row) => ({ code, ...at(row) }) as Observation);
        const entry = { type, source, import: id, code, records: own };
        return type === "replaced" ? { ...entry, by, at: times } : { ...entry, undo };
      });
  });
const removed = { code, source: fc.option(text), import: id, times: fc.array(time, { minLength: 1, maxLength: 500 }) };
const removal = fc.record(removed).map((one): Entry => ({ type: "removal", ...one }));
const counts = { accepted: fc.nat(), replaced: fc.nat(), unchanged: fc.nat(), kept: fc.nat(), repeated: fc.nat() };
const change = fc.record({ code, businessTime: time, from: value, to: value });
const beginning = fc.record({
  ...{ id: fc.integer({ min: 1, max: 2 ** 53 - 1 }), type: fc.constantFrom("import" as const, "withdrawal" as const) },
  ...{ time, subjects: fc.array(text), source: text, by: fc.record({ pid: fc.nat(), host: text }) },
  summary: fc.option(
    fc.record({
      ...counts,
      largest: fc.option(change),
      refused: fc.nat(),
      providers: fc.array(text),
      complete: fc.boolean(),
    }),
  ),
  undone: fc.option(fc.record({ time, restored: fc.nat(), removed: fc.nat() })),
}) as fc.Arbitrary<Import>;
const entry: fc.Arbitrary<Entry> = fc.oneof(
  { weight: 6, arbitrary: records },
  { weight: 1, arbitrary: removal },
  {
    weight: 1,
    arbitrary: beginning.map((imported): Entry => JSON.parse(JSON.stringify({ type: "import", imported })) as Entry),
  },
);

/** Reads a line as the log does; returns a description of the error if the line is refused. */
function read(line: Buffer): Entry | string {
  const found = unseal(line, seed);
  return typeof found === "string" ? found : (decodeEntry(found) ?? "not an entry");
}

test("lines: every entry is written in the documented format and reads back unchanged", (t) => {
  let entries = 0;
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 4 }), fc.nat(), fc.nat(9_999), (all, first, generation) => {
      const bodies = all.map(encodeEntry);
      const { bytes } = encodeGroup(bodies, { first, generation, seed });
      const last = bodies.length - 1;
      const plain = bodies.map((body, i) => `{"s":${first + i},"g":${generation},${body}${i === last ? ',"e":1' : ""}`);
      assert.equal(bytes.toString("utf8"), plain.map((open) => `${seal(open, seed)}\n`).join(""));
      const lines = bytes.toString("latin1").split("\n").slice(0, -1);
      const found = lines.map((line) => read(Buffer.from(line, "latin1")));
      assert.deepEqual(found, all);
      entries += all.length;
    }),
    { numRuns: runs(1_250), seed: SEED },
  );
  printCounts(t, { entries });
});

test("lines: records and removals that no append accepts are refused, so that no reader stops at them", () => {
  const plain = {
    type: "observations",
    source: "a",
    code: "USD_RLS",
    businessTime: [1, 2],
    value: [3, 4],
    insertTime: 5,
  };
  assert.ok(decodeEntry(plain), "the line can be read");
  const changes = [{ businessTime: [1, 8.7e15] }, { insertTime: 8.7e15 }, { sourceTime: 8.7e15 }, { value: [3, 0] }];
  for (const change of [...changes, { type: "removal", businessTime: [8.7e15] }, { value: [3] }])
    assert.equal(decodeEntry({ ...plain, ...change }), undefined, JSON.stringify(change));
});

test("lines: a header is not an entry", () => {
  assert.equal(
    decodeEntry({ kind: "obs", schema: 3, storeId: "store", segment: 1, first: 1, prev: "00000000" }),
    undefined,
  );
});
