import assert from "node:assert/strict";
import { MAX_PENDING } from "../../../adapters/stores/shared/imports.ts";
import type { AssetCode, UtcMillis } from "../../../core/branded_types.ts";
import type { Observation } from "../../../core/market/observation.ts";
import type { AppendOutcome } from "../../../core/ports.ts";
import { FIRST_MILLIS, LAST_MILLIS } from "../generators.ts";
import { allOf, findIn, pendingOf, type SuiteObservations, valuesOf } from "./expected_observations.ts";
import { at, EUR, observed, USD } from "./records.ts";
import type { Case } from "./suite.ts";

const FULL = observed(5, 0.00000098, { sourceTime: at(4), provider: "بازار", qualityMessage: "checked" });
const ODD = observed(5, 0.00000098, {
  sourceTime: at(4),
  provider: 'بازار "آزاد"',
  qualityMessage: "checked\nby hand 😀",
});
const PENDING = { qualityStatus: "PENDING", qualityMessage: "toman?" } as const;
/** Values that need every digit of a double. */
const DOUBLES = [1 / 3, 123456789012345680, 1e21, 5e-324, 1.7976931348623157e308, 0.1 + 0.2];

/** Changes that each make a different record. */
const CHANGES: readonly Partial<Observation>[] = [
  { value: 0.00000099 },
  { sourceTime: at(3) },
  { sourceTime: null },
  { provider: "بازار آزاد" },
  { qualityStatus: "REJECTED" },
  { qualityMessage: "" },
];

function times(from: number, to: number): Partial<Observation> {
  return { businessTime: from as UtcMillis, insertTime: from as UtcMillis, sourceTime: to as UtcMillis };
}

/** The rules for writes. */
export const WRITES: readonly Case<SuiteObservations>[] = [
  {
    rule: "a record is returned as it was stored, with every member",
    async write(observations) {
      assert.deepEqual(await observations.append([ODD, observed(5, 1_050_000.25, { code: EUR })]), {
        accepted: 2,
        replaced: 0,
        unchanged: 0,
      });
    },
    async check(observations) {
      const [usd, gbp, eur] = (await observations.latest([USD, "GBP_RLS" as AssetCode, EUR])).value;
      assert.deepEqual(usd, ODD);
      assert.equal(gbp, undefined);
      assert.deepEqual(eur, observed(5, 1_050_000.25, { code: EUR }));
    },
  },
  {
    rule: "values keep every digit of a double",
    async write(observations) {
      await observations.append(DOUBLES.map((value, minute) => observed(minute, value)));
    },
    async check(observations) {
      const doubles = (await valuesOf(observations)).map(([, value]) => value);
      assert.deepEqual(doubles, DOUBLES);
    },
  },
  {
    rule: "a record with an earlier business time is inserted in order, and does not become the latest",
    async write(observations) {
      await observations.append([observed(1, 10), observed(9, 90)]);
      await observations.append([observed(5, 50), observed(3, 30)]);
      await observations.append([observed(0, 5)]);
    },
    async check(observations) {
      assert.deepEqual(await valuesOf(observations), [
        [0, 5],
        [1, 10],
        [3, 30],
        [5, 50],
        [9, 90],
      ]);
      assert.equal((await observations.latest([USD])).value[0]?.value, 90);
      assert.equal((await observations.coverage([USD])).value[0]?.availableFrom, at(0));
    },
  },
  {
    rule: "a record for the same code and time replaces the earlier one",
    async write(observations) {
      await observations.append([observed(1, 10), observed(2, 20)]);
      assert.deepEqual(await observations.append([observed(1, 11), observed(3, 30)]), {
        accepted: 1,
        replaced: 1,
        unchanged: 0,
      });
      assert.deepEqual(await observations.append([observed(3, 31), observed(3, 32)]), {
        accepted: 0,
        replaced: 2,
        unchanged: 0,
      });
    },
    async check(observations) {
      assert.deepEqual(await valuesOf(observations), [
        [1, 11],
        [2, 20],
        [3, 32],
      ]);
    },
  },
  {
    rule: "a record that differs from the stored one only in its insert time is not stored again",
    async write(observations) {
      await observations.append([FULL, observed(1, 10)]);
      const again = [observed(1, 10, { insertTime: at(20_000) }), { ...FULL, insertTime: at(20_000) }];
      const outcome = await observations.append([...again, observed(3, 30)]);
      assert.deepEqual(outcome, { accepted: 1, replaced: 0, unchanged: 2 });
    },
    async check(observations) {
      assert.deepEqual(await allOf(observations), [observed(1, 10), observed(3, 30), FULL]);
    },
  },
  {
    rule: "a record that differs in any other member replaces the stored one, and keeps its own insert time",
    async write(observations) {
      for (const change of CHANGES) {
        await observations.append([FULL]);
        const version = await observations.version([USD]);
        const changed = { ...FULL, ...change, insertTime: at(20_000) };
        assert.deepEqual(
          await observations.append([changed]),
          { accepted: 0, replaced: 1, unchanged: 0 },
          JSON.stringify(change),
        );
        assert.notEqual(await observations.version([USD]), version);
        assert.deepEqual(await findIn(observations, USD, at(5)), changed);
      }
    },
    check: async (observations) =>
      assert.deepEqual(await findIn(observations, USD, at(5)), { ...FULL, ...CHANGES.at(-1), insertTime: at(20_000) }),
  },
  {
    rule: "several records for the same code and time in one batch: the last decides whether anything changes; an empty batch changes nothing",
    async write(observations) {
      await observations.append([observed(1, 10), observed(2, 20)]);
      const version = await observations.version();
      assert.deepEqual(await observations.append([]), { accepted: 0, replaced: 0, unchanged: 0 });
      assert.deepEqual(await observations.append([observed(1, 11), observed(2, 20), observed(1, 10)]), {
        accepted: 0,
        replaced: 0,
        unchanged: 3,
      });
      assert.equal(await observations.version(), version);
      assert.deepEqual(await observations.append([observed(1, 10), observed(1, 11)]), {
        accepted: 0,
        replaced: 2,
        unchanged: 0,
      });
      assert.deepEqual(await observations.append([observed(5, 50), observed(5, 51)]), {
        accepted: 1,
        replaced: 1,
        unchanged: 0,
      });
    },
    check: async (observations) =>
      assert.deepEqual(await valuesOf(observations), [
        [1, 11],
        [2, 20],
        [5, 51],
      ]),
  },
  {
    rule: "pending records, one per source, are kept beside the decided record for their time and change no version; a source's next decided record removes its pending record",
    ordered: true,
    async write(observations) {
      await observations.append([observed(1, 10), observed(2, 20, PENDING), observed(3, 30), observed(4, 40, PENDING)]);
      await observations.append([observed(2, 25, PENDING), observed(4, 45, PENDING)], "another");
      const version = await observations.version();
      const outcomes: AppendOutcome[] = [];
      const batches = [
        [observed(1, 11, PENDING), observed(3, 30, PENDING)],
        [observed(1, 12, PENDING), observed(2, 20, PENDING)],
        [observed(1, 10, PENDING), observed(9, 91, PENDING), observed(9, 92, PENDING)],
      ];
      for (const batch of batches) outcomes.push(await observations.append(batch));
      assert.deepEqual(
        outcomes,
        [
          { accepted: 1, replaced: 0, unchanged: 1 },
          { accepted: 0, replaced: 1, unchanged: 1 },
          { accepted: 1, replaced: 1, unchanged: 1 },
        ],
        "a pending value that equals the accepted one counts as unchanged, and does not replace another pending value of its source",
      );
      assert.equal(await observations.version(), version);
      const batch = [
        observed(3, 31, { qualityStatus: "REJECTED" }),
        ...[observed(4, 41), observed(5, 51, PENDING), observed(5, 50)],
        ...[observed(6, 60), observed(6, 61, PENDING)],
      ];
      assert.deepEqual(await observations.append(batch), { accepted: 5, replaced: 1, unchanged: 0 });
      await observations.append([observed(1, 13, PENDING)], "another");
      const again = { accepted: 0, replaced: 0, unchanged: 1 };
      assert.deepEqual(await observations.append([observed(1, 10)], "another"), again);
      const both = [observations.append([observed(7, 70, PENDING)]), observations.append([observed(7, 71)])];
      assert.deepEqual(await Promise.all(both), [
        { accepted: 1, replaced: 0, unchanged: 0 },
        { accepted: 1, replaced: 0, unchanged: 0 },
      ]);
    },
    async check(observations) {
      assert.deepEqual(await valuesOf(observations), [
        [1, 10],
        [4, 41],
        [5, 50],
        [6, 60],
        [7, 71],
      ]);
      assert.deepEqual(await pendingOf(observations), [
        [1, 12],
        [2, 25],
        [2, 20],
        [4, 45],
        [6, 61],
        [9, 92],
      ]);
      assert.equal(await findIn(observations, USD, at(2)), undefined);
      assert.deepEqual(await findIn(observations, USD, at(3)), observed(3, 31, { qualityStatus: "REJECTED" }));
    },
  },
  {
    rule: "one source may have 30,000 pending records: more are refused until a person decides one",
    large: true,
    async write(observations) {
      for (let from = 0; from < MAX_PENDING; from += 2_000)
        await observations.append(Array.from({ length: 2_000 }, (_, i) => observed(from + i, 1, PENDING)));
      const full = { accepted: 0, replaced: 1, unchanged: 1, kept: 2 };
      const more = [observed(MAX_PENDING, 1, PENDING), observed(MAX_PENDING + 1, 1, PENDING)];
      assert.deepEqual(await observations.append([...more, observed(0, 1, PENDING), observed(1, 2, PENDING)]), full);
      assert.deepEqual(await observations.append(more, "another"), { accepted: 2, replaced: 0, unchanged: 0 });
      await observations.append([observed(2, 1, { qualityStatus: "REJECTED" })]);
      assert.deepEqual(await observations.append(more), { accepted: 1, replaced: 0, unchanged: 0, kept: 1 });
    },
    check: async (observations) => assert.equal((await pendingOf(observations)).length, MAX_PENDING + 2),
  },
  {
    rule: "a record that is sent again while another record for its time is being stored replaces the other record",
    ordered: true,
    async write(observations) {
      await observations.append([observed(1, 10), observed(2, 20), observed(3, 30)]);
      await Promise.all([observations.append([observed(1, 11)]), observations.append([observed(1, 10)])]);
      const rejected = { qualityStatus: "REJECTED" } as const;
      await Promise.all([observations.append([observed(2, 20, rejected)]), observations.append([observed(2, 20)])]);
      await Promise.all([observations.append([observed(4, 40)]), observations.append([observed(4, 40, rejected)])]);
    },
    check: async (observations) =>
      assert.deepEqual(await valuesOf(observations), [
        [1, 10],
        [2, 20],
        [3, 30],
      ]),
  },
  {
    rule: "the first and the last possible millisecond of a timestamp are stored",
    async write(observations) {
      await observations.append([
        observed(0, 1, times(FIRST_MILLIS, LAST_MILLIS)),
        observed(0, 2, times(LAST_MILLIS, FIRST_MILLIS)),
      ]);
    },
    async check(observations) {
      const [coverage] = (await observations.coverage([USD])).value;
      assert.deepEqual(
        [coverage?.availableFrom, coverage?.latest],
        [FIRST_MILLIS, observed(0, 2, times(LAST_MILLIS, FIRST_MILLIS))],
      );
    },
  },
  {
    rule: "changes that a caller makes to a record after the call do not change the stored one",
    async write(observations) {
      const one: { -readonly [Member in keyof Observation]: Observation[Member] } = observed(1, 10);
      const batch = [one];
      const stored = [observations.append(batch)];
      Object.assign(one, { value: 20, businessTime: at(2) });
      stored.push(observations.append(batch));
      batch.length = 0;
      assert.deepEqual(await Promise.all(stored), [
        { accepted: 1, replaced: 0, unchanged: 0 },
        { accepted: 1, replaced: 0, unchanged: 0 },
      ]);
    },
    check: async (observations) =>
      assert.deepEqual(await valuesOf(observations), [
        [1, 10],
        [2, 20],
      ]),
  },
  {
    rule: "concurrent batches are all kept",
    concurrent: true,
    async write(observations) {
      const outcomes = await Promise.all(
        Array.from({ length: 100 }, (_, minute) => observations.append([observed(minute, minute + 1)])),
      );
      assert.equal(outcomes.filter(({ accepted }) => accepted === 1).length, 100);
    },
    async check(observations) {
      assert.deepEqual(
        await valuesOf(observations),
        Array.from({ length: 100 }, (_, minute) => [minute, minute + 1]),
      );
    },
  },
];
