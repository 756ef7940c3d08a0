import assert from "node:assert/strict";
import { allOf, type SuiteObservations } from "./expected_observations.ts";
import { at, EUR, GBP, MINUTE, observed, START, USD } from "./records.ts";
import type { Case } from "./suite.ts";

/** The rules for reads. */
export const READS: readonly Case<SuiteObservations>[] = [
  {
    rule: "an empty store has no records, coverage or candles",
    write: async () => {},
    async check(observations) {
      assert.deepEqual((await observations.latest([USD, EUR])).value, [undefined, undefined]);
      assert.deepEqual((await observations.coverage([USD])).value, [undefined]);
      assert.deepEqual((await observations.lastOfEach(USD, [at(0), at(10)])).value, []);
      const { candles, availableFrom } = (await observations.candles(USD, { from: at(0), to: at(15) }, 15 * MINUTE))
        .value;
      assert.deepEqual([candles.length, availableFrom], [0, undefined]);
    },
  },
  {
    rule: "records() sorts by the first appearance of the asset, by status and by business time, whatever the order of arrival",
    async write(observations) {
      await observations.append([
        observed(3, 30),
        observed(9, 9, { code: EUR, qualityStatus: "REJECTED" }),
        observed(8, 8, { code: EUR }),
      ]);
      await observations.append([
        observed(7, 7, { code: GBP }),
        observed(2, 20, { qualityStatus: "REJECTED" }),
        observed(6, 60, { qualityStatus: "PENDING" }),
      ]);
      await observations.append([
        observed(5, 5, { code: EUR }),
        observed(1, 10, { qualityStatus: "REJECTED" }),
        observed(4, 40),
        observed(0, 1, { qualityStatus: "PENDING" }),
      ]);
      await observations.append([observed(3, 31, { qualityStatus: "REJECTED" })]);
    },
    async check(observations) {
      const minutes = new Map<string, number[]>();
      for (const { code, qualityStatus, businessTime } of await allOf(observations)) {
        const group = `${code} ${qualityStatus}`;
        minutes.set(group, [...(minutes.get(group) ?? []), (businessTime - START) / MINUTE]);
      }
      assert.deepEqual(
        [...minutes],
        [
          ["USD_RLS ACCEPTED", [4]],
          ["USD_RLS PENDING", [0, 6]],
          ["USD_RLS REJECTED", [1, 2, 3]],
          ["EUR_RLS ACCEPTED", [5, 8]],
          ["EUR_RLS REJECTED", [9]],
          ["GBP_RLS ACCEPTED", [7]],
        ],
      );
    },
  },
  {
    rule: "lastOfEach returns the last record of each non-empty span, which includes its start and excludes its end",
    async write(observations) {
      await observations.append([0, 4, 5, 9, 20].map((minute) => observed(minute, minute + 1)));
    },
    async check(observations) {
      const found = (await observations.lastOfEach(USD, [at(0), at(5), at(10), at(20), at(21)])).value;
      const values = found.map(({ value }) => value);
      assert.deepEqual(values, [5, 10, 21]);
      assert.deepEqual((await observations.lastOfEach(USD, [at(0)])).value, []);
      assert.deepEqual((await observations.lastOfEach(EUR, [at(0), at(5)])).value, []);
    },
  },
  {
    rule: "candles contain only the records of the window",
    async write(observations) {
      await observations.append(
        [
          [0, 5],
          [3, 9],
          [14, 2],
          [15, 7],
          [30, 8],
        ].map(([minute, value]) => observed(minute!, value!)),
      );
    },
    async check(observations) {
      const { candles, availableFrom } = (await observations.candles(USD, { from: at(0), to: at(30) }, 15 * MINUTE))
        .value;
      assert.equal(availableFrom, at(0));
      assert.deepEqual(
        [...candles],
        [
          { start: at(0), end: at(15), open: 5, high: 9, low: 2, close: 2, observationCount: 3 },
          { start: at(15), end: at(30), open: 7, high: 7, low: 7, close: 7, observationCount: 1 },
        ],
      );
    },
  },
  {
    rule: "coverage has the latest record, the earliest time and the first 20 providers in use; OTHER stands for the other providers",
    async write(observations) {
      await observations.append([
        observed(3, 30, { provider: "B" }),
        observed(1, 10, { provider: "A" }),
        observed(2, 20, { provider: "B" }),
      ]);
      await observations.append([
        observed(1, 11, { provider: "C" }),
        observed(0, 1, { provider: "D", qualityStatus: "PENDING" }),
      ]);
      await observations.append(
        Array.from({ length: 30 }, (_, i) =>
          observed(i, 10, { code: EUR, provider: String.fromCharCode(122 - (i % 22)) }),
        ),
      );
    },
    async check(observations) {
      const [usd, eur] = (await observations.coverage([USD, EUR])).value;
      const latest = observed(3, 30, { provider: "B" });
      assert.deepEqual(usd, { latest, availableFrom: at(1), providers: ["B", "C"] });
      assert.deepEqual(eur?.providers, [..."efghijklmnopqrstuvwx", "OTHER"]);
    },
  },
];
