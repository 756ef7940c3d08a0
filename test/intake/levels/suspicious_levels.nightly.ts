// Applies the rule for price levels to archives of sixteen years: as recorded, and with planted faults.
import assert from "node:assert/strict";
import { test } from "node:test";
import { referencesOf } from "../../../adapters/intake/levels/expected_prices.ts";
import type { PricesToJudge, SuspiciousLevel } from "../../../adapters/intake/levels/price_chain.ts";
import { findSuspiciousLevels } from "../../../adapters/intake/levels/suspicious_levels.ts";
import type { AssetCode } from "../../../core/branded_types.ts";
import { DAY } from "../../support/generators.ts";
import { type Archive, FOLDER, NOTHING, type Prices, readArchive } from "./archives.ts";

const skip = FOLDER === undefined && "MAZANEH_TEST_DATA is not a folder with archives";
const NAMES = ["rial-daily-bonbast", "rial-daily-tgju", "ounce-daily-tgju", "crypto-daily-tgju"];
const recorded = skip ? [] : NAMES.map(readArchive);
/** Distances between the records of a file, in days. */
const DISTANCES = [1, 7, 30, 91, 365];

/** Faults of the sources: each value differs from both neighbours, which agree, by a factor of 1.28 to 1.66. */
const SPIKES = `MYR_RLS 2024-02-05, AFN_RLS 2023-12-11, CNY_RLS 2018-04-12, CNY_RLS 2018-04-15, DKK_RLS 2018-04-10,
  HKD_RLS 2017-11-15, INR_RLS 2018-01-19, NOK_RLS 2016-04-22, PKR_RLS 2023-09-26, PKR_RLS 2023-09-27,
  PKR_RLS 2023-09-28, SEK_RLS 2018-04-11, SEK_RLS 2018-04-12, SEK_RLS 2018-04-14, SEK_RLS 2018-04-15,
  JPY_RLS 2023-09-26`.split(/,\s+/);

const archives = recorded.map((archive) => only(archive, isTrue));
const [currencies, coins] = [archives.slice(0, 2), archives.slice(3)];
const inRial = [
  ...currencies,
  ...coins.map((archive) => convertedBy(currencies[0]!.get("USD_RLS" as AssetCode)!, archive)),
];

/** Whether a value is not among the faults that SOURCES.md, next to the archives, lists. */
function isTrue(code: AssetCode, time: number, value: number): boolean {
  const date = new Date(time).toISOString().slice(0, 10);
  if (SPIKES.includes(`${code} ${date}`)) return false;
  if (code === "NIM_SEKKEH_RLS") return !(date >= "2015-06-06" && date <= "2015-06-09" && value < 1_000_000);
  return !(code === "IQD_RLS" && date < "2018-05" && value > 1_000);
}

/** The rows of each asset for which `isKept` is true; assets without any such row are left out. */
function only(archive: Archive, isKept: (code: AssetCode, time: number, value: number) => boolean): Archive {
  const kept = [...archive].map(([code, { times, values }]) => {
    const rows = [...times.keys()].filter((row) => isKept(code, times[row]!, values[row]!));
    return [code, { times: rows.map((row) => times[row]!), values: rows.map((row) => values[row]!) }] as const;
  });
  return new Map(kept.filter(([, { times }]) => times.length > 0));
}

function withValues(archive: Archive, valueOf: (code: AssetCode, time: number, value: number) => number): Archive {
  return new Map(
    [...archive].map(([code, { times, values }]) => [
      code,
      { times, values: values.map((value, row) => valueOf(code, times[row]!, value)) },
    ]),
  );
}

/** At most one row of each asset in `days` days. */
function thinned(archive: Archive, days: number, first = 0): Archive {
  const next = new Map<AssetCode, number>();
  return only(archive, (code, time) => {
    const due = next.get(code) ?? archive.get(code)!.times[Math.min(first, archive.get(code)!.times.length - 1)]!;
    if (time < due) return false;
    next.set(code, time + days * DAY - DAY / 8);
    return true;
  });
}

/** Judges a batch together with the stored values of its assets and of the assets that they are compared with. */
function judge(batch: Archive, stored: Archive = new Map()): SuspiciousLevel[] {
  const codes = new Set([...batch.keys(), ...[...batch.keys()].flatMap((code) => referencesOf(code))]);
  const prices = [...codes].map((code): [AssetCode, PricesToJudge] => [
    code,
    { batch: batch.get(code) ?? NOTHING, stored: stored.get(code) ?? NOTHING },
  ]);
  return findSuspiciousLevels(new Map(prices));
}

const summaryOf = (suspicious: readonly SuspiciousLevel[]): unknown[] =>
  suspicious.map(({ code, why, level, times }) => [code, why, level, times.length]);

/** The prices of coins in rial, on days with a value of the dollar. */
function convertedBy(dollar: Prices, coins: Archive): Archive {
  const rates = new Map(dollar.times.map((time, row) => [Math.floor(time / DAY), dollar.values[row]!]));
  const rateAt = (time: number): number | undefined => rates.get(Math.floor(time / DAY));
  // Leaves out the tether: it is worth a dollar, so its values would be copies of the dollar's.
  const priced = only(coins, (code, time) => code !== "USDT_USD" && rateAt(time) !== undefined);
  const converted = withValues(priced, (_, time, value) => value * rateAt(time)!);
  return new Map([...converted].map(([code, prices]) => [code.replace("_USD", "_RLS") as AssetCode, prices]));
}

const timesOf = (archive: Archive): number[] =>
  [...new Set([...archive.values()].flatMap(({ times }) => times))].sort((a, b) => a - b);

const keysOf = (found: readonly { readonly code: string; readonly times: readonly number[] }[]): string[] =>
  found
    .flatMap(({ code, times }) => times.map((time) => `${code} ${new Date(time).toISOString().slice(0, 10)}`))
    .sort();

test("levels: of 293,987 recorded values, only faults of the sources become pending: values a tenth or a thousand times as high, and spikes", {
  skip,
}, () => {
  const values = recorded.flatMap((archive) => [...archive.values()].flatMap(({ values }) => values));
  assert.equal(values.length, 293_987);
  const found = recorded.flatMap((archive) => judge(archive));
  assert.deepEqual(keysOf(found.filter(({ why }) => why === "jump")), SPIKES.toSorted());
  assert.deepEqual(summaryOf(found.filter(({ why }) => why !== "jump")), [
    ["NIM_SEKKEH_RLS", "level", -1, 4],
    ["IQD_RLS", "level", 3, 78],
  ]);
});

test("levels: importing a whole archive makes no true value pending, even with one record a week, month, quarter or year; importing a second archive makes only its faults pending", {
  skip,
}, () => {
  for (const [i, archive] of [...archives, ...inRial.slice(2)].entries()) {
    for (const days of DISTANCES) {
      for (const part of [0, 1, 2])
        assert.deepEqual(
          summaryOf(judge(thinned(archive, days, Math.floor((part * days) / 3)))),
          [],
          `${NAMES[i] ?? "coins in rial"}: ${days} days apart`,
        );
    }
  }
  const [bonbast, tgju] = [archives[0]!, archives[1]!];
  assert.deepEqual(summaryOf(judge(bonbast, tgju)), []);
  // tgju has faults that last for weeks, and a different dollar rate: a comparison with bonbast finds both.
  assert.equal(
    judge(tgju, bonbast)
      .map(({ code, why, times }) => `${code} ${why} ${times.length}`)
      .join(),
    "USD_RLS jump 2,AMD_RLS jump 22,AZN_RLS jump 5,HKD_RLS jump 1,INR_RLS jump 1,KWD_RLS jump 21,SAR_RLS jump 1,IQD_RLS jump 1",
  );
});

/** `after` is the time of a value, counted from the middle of its file. */
type Change = (value: number, after: number) => number;
/** Changes of values, with the level of the wrong values, and the files that each change is tried on. */
const FAULTS: readonly (readonly [fault: string, level: number, Change, files: readonly Archive[]])[] = [
  ["toman for the whole file", -1, (value) => value / 10, inRial],
  ["toman from a date on", -1, (value, after) => (after >= 0 ? value / 10 : value), currencies],
  ["toman for a day", -1, (value, after) => (after === 0 ? value / 10 : value), inRial],
  ["a day ten times too high", 1, (value, after) => (after === 0 ? value * 10 : value), inRial],
  // A number with two points is never read as a fraction.
  ["points as decimal marks", -3, (value) => (value >= 1_000 && value < 1_000_000 ? value / 1_000 : value), currencies],
];
for (const [fault, level, change, files] of FAULTS)
  test(`levels: ${fault}: exactly the wrong values become pending, however far apart the records are`, { skip }, () => {
    for (const archive of files) {
      for (const days of DISTANCES) {
        const file = thinned(archive, days);
        const times = timesOf(file);
        const middle = times[Math.floor(times.length / 2)]!;
        const wrong = only(file, (_, time, value) => change(value, time - middle) !== value);
        const found = judge(withValues(file, (_, time, value) => change(value, time - middle)));
        assert.deepEqual(keysOf(found), keysOf([...wrong].map(([code, { times }]) => ({ code, times }))));
        assert.deepEqual([...new Set(found.map((one) => one.level))], [level]);
      }
    }
  });
