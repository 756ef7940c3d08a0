import assert from "node:assert/strict";
import type { AssetCode, UtcMillis } from "../../../core/branded_types.ts";
import type { Observation } from "../../../core/market/observation.ts";
import { FIRST_MILLIS, LAST_MILLIS } from "../generators.ts";
import { findIn, type SuiteObservations, valuesOf } from "./expected_observations.ts";
import { at, EUR, keyAt, observed, USD } from "./records.ts";
import type { Case } from "./suite.ts";

const FULL = observed(5, 0.00000098, { sourceTime: at(4), provider: "بازار", qualityMessage: "checked" });
const ODD = observed(5, 0.00000098, {
  sourceTime: at(4),
  provider: 'بازار "آزاد"',
  qualityMessage: "checked\nby hand 😀",
});
const PENDING = { qualityStatus: "PENDING", qualityMessage: "toman?" } as const;
/** With each digit that a double has. */
const DOUBLES = [1 / 3, 123456789012345680, 1e21, 5e-324, 1.7976931348623157e308, 0.1 + 0.2];

/** Changes of which each makes another record. */
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

/** What an append and a removal do. */
export const WRITES: readonly Case<SuiteObservations>[] = [
  {
    rule: "a record is given back as it was stored, with every member",
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
    rule: "values keep every digit that a double has",
    async write(observations) {
      await observations.append(DOUBLES.map((value, minute) => observed(minute, value)));
    },
    async check(observations) {
      assert.deepEqual(
        (await valuesOf(observations)).map(([, value]) => value),
        DOUBLES,
      );
    },
  },
  {
    rule: "a late record finds its place, and the latest stays the latest",
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
    rule: "a record for the same code and time takes the earlier one's place",
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
    rule: "a record that is there already, equal in all but its insert time, is not stored again",
    async write(observations) {
      await observations.append([FULL, observed(1, 10)]);
      const version = await observations.version();
      assert.deepEqual(
        await observations.append([observed(1, 10, { insertTime: at(20_000) }), { ...FULL, insertTime: at(20_000) }]),
        { accepted: 0, replaced: 0, unchanged: 2 },
      );
      assert.equal(await observations.version(), version);
      assert.deepEqual(await observations.append([{ ...FULL, insertTime: at(30_000) }, observed(3, 30)]), {
        accepted: 1,
        replaced: 0,
        unchanged: 1,
      });
    },
    async check(observations) {
      const found = [
        await findIn(observations, USD, at(1)),
        await findIn(observations, USD, at(5)),
        await findIn(observations, USD, at(3)),
      ];
      assert.deepEqual(found, [observed(1, 10), FULL, observed(3, 30)]);
    },
  },
  {
    rule: "a record of which one member differs takes the earlier one's place, and gets its own insert time",
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
    rule: "of records for the same code and time in one batch, the last decides whether anything changes",
    async write(observations) {
      await observations.append([observed(1, 10), observed(2, 20)]);
      const version = await observations.version();
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
    rule: "a pending record never takes the place of an accepted one, also of the same batch; a rejected one does, and pending ones each other's",
    ordered: true,
    async write(observations) {
      await observations.append([observed(1, 10), observed(2, 20, PENDING), observed(3, 30), observed(4, 40, PENDING)]);
      const version = await observations.version();
      assert.deepEqual(await observations.append([observed(1, 10, PENDING)]), {
        accepted: 0,
        replaced: 0,
        unchanged: 0,
        kept: 1,
      });
      assert.equal(await observations.version(), version);
      const pending = [
        observed(1, 11, PENDING),
        observed(1, 12, PENDING),
        observed(2, 21, PENDING),
        observed(4, 42, PENDING),
        observed(5, 51, PENDING),
      ];
      const batch = [observed(3, 31, { qualityStatus: "REJECTED" }), observed(4, 41), observed(5, 50), ...pending];
      assert.deepEqual(await observations.append(batch), { accepted: 1, replaced: 3, unchanged: 0, kept: 4 });
      const both = await Promise.all([
        observations.append([observed(6, 60)]),
        observations.append([observed(6, 61, PENDING)]),
      ]);
      assert.deepEqual(both, [
        { accepted: 1, replaced: 0, unchanged: 0 },
        { accepted: 0, replaced: 0, unchanged: 0, kept: 1 },
      ]);
    },
    async check(observations) {
      assert.deepEqual(await valuesOf(observations), [
        [1, 10],
        [4, 41],
        [5, 50],
        [6, 60],
      ]);
      assert.deepEqual(await findIn(observations, USD, at(2)), observed(2, 21, PENDING));
      assert.deepEqual(await findIn(observations, USD, at(3)), observed(3, 31, { qualityStatus: "REJECTED" }));
    },
  },
  {
    rule: "a record that comes again while another one for its time is being stored is the last word",
    ordered: true,
    async write(observations) {
      await observations.append([observed(1, 10), observed(2, 20), observed(3, 30)]);
      await Promise.all([observations.append([observed(1, 11)]), observations.append([observed(1, 10)])]);
      await Promise.all([observations.remove([keyAt(2)]), observations.append([observed(2, 20)])]);
      await Promise.all([observations.append([observed(4, 40)]), observations.remove([keyAt(4)])]);
    },
    check: async (observations) =>
      assert.deepEqual(await valuesOf(observations), [
        [1, 10],
        [2, 20],
        [3, 30],
      ]),
  },
  {
    rule: "removed records are gone, whatever their status, and can come again",
    async write(observations) {
      await observations.append([
        observed(1, 10),
        observed(2, 20, { provider: "A" }),
        observed(3, 30),
        observed(4, 40, { qualityStatus: "PENDING" }),
      ]);
      await observations.append([observed(1, 1, { code: EUR })]);
      const [all, usd, eur] = [
        await observations.version(),
        await observations.version([USD]),
        await observations.version([EUR]),
      ];
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
    async check(observations) {
      assert.deepEqual(await valuesOf(observations), [
        [1, 10],
        [2, 21],
      ]);
      const [usd, eur] = (await observations.coverage([USD, EUR])).value;
      assert.deepEqual([usd?.latest.value, usd?.providers, eur], [21, [], undefined]);
      assert.deepEqual(
        [await findIn(observations, USD, at(4)), await findIn(observations, EUR, at(1))],
        [undefined, undefined],
      );
    },
  },
  {
    rule: "many records are removed at once",
    async write(observations) {
      await observations.append(Array.from({ length: 1_500 }, (_, minute) => observed(minute, minute + 1)));
      assert.equal(await observations.remove(Array.from({ length: 1_490 }, (_, i) => keyAt(1_499 - i))), 1_490);
    },
    check: async (observations) =>
      assert.deepEqual(
        (await valuesOf(observations)).map(([minute]) => minute),
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      ),
  },
  {
    rule: "an empty batch changes nothing",
    async write(observations) {
      const before = await observations.version();
      assert.deepEqual(await observations.append([]), { accepted: 0, replaced: 0, unchanged: 0 });
      assert.equal(await observations.version(), before);
    },
    check: async (observations) => assert.deepEqual(await valuesOf(observations), []),
  },
  {
    rule: "the first and the last millisecond that a timestamp can name are stored",
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
    rule: "what a caller changes after the call does not change what is stored",
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
    rule: "batches appended at the same time are all kept",
    concurrent: true,
    async write(observations) {
      const outcomes = await Promise.all(
        Array.from({ length: 100 }, (_, minute) => observations.append([observed(minute, minute + 1)])),
      );
      assert.equal(
        outcomes.every(({ accepted }) => accepted === 1),
        true,
      );
    },
    async check(observations) {
      assert.deepEqual(
        await valuesOf(observations),
        Array.from({ length: 100 }, (_, minute) => [minute, minute + 1]),
      );
    },
  },
];
