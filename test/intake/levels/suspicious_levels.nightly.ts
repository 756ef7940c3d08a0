// The rule for levels on archives of sixteen years: as recorded, and with injected faults.
import assert from "node:assert/strict";
import { test } from "node:test";
import { referencesOf } from "../../../adapters/intake/levels/expected_prices.ts";
import {
  findSuspiciousLevels,
  type PricesToJudge,
  type SuspiciousLevel,
} from "../../../adapters/intake/levels/suspicious_levels.ts";
import type { AssetCode } from "../../../core/branded_types.ts";
import { type Archive, FOLDER, NOTHING, type Prices, readArchive } from "./archives.ts";

const DAY = 86_400_000;
const SEEDS = 50;

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

/** A random draw: an archive, and the part of it that is imported. */
interface Draw {
  readonly archive: Archive;
  readonly batch: Archive;
  readonly random: () => number;
}

const one = <T>(all: Iterable<T>, random: () => number): T => [...all][Math.floor(random() * [...all].length)]!;
const timesOf = (archive: Archive): number[] =>
  [...new Set([...archive.values()].flatMap(({ times }) => times))].sort((a, b) => a - b);

/** The batch after replacing the values of `code` by the values of `other` on the same days. */
function written(code: AssetCode, other: AssetCode, { batch, archive }: Draw): Archive {
  const theirs = new Map(archive.get(other)!.times.map((time, row) => [time, archive.get(other)!.values[row]!]));
  return withValues(batch, (own, time, value) => (own === code ? (theirs.get(time) ?? value) : value));
}

const FAULTS: Readonly<Record<string, (draw: Draw) => Archive>> = {
  nothing: ({ batch }) => batch,
  "toman for the whole file": ({ batch }) => withValues(batch, (_, _time, value) => value / 10),
  "toman from a date on": ({ batch, random }) => {
    const since = one(timesOf(batch), random);
    return withValues(batch, (_, time, value) => (time >= since ? value / 10 : value));
  },
  "toman for a day": ({ batch, random }) => {
    const day = one(timesOf(batch), random);
    return withValues(batch, (_, time, value) => (time === day ? value / 10 : value));
  },
  "one value ten times off": ({ batch, random }) => {
    const code = one(batch.keys(), random);
    const [day, factor] = [one(batch.get(code)!.times, random), random() < 0.5 ? 10 : 0.1];
    return withValues(batch, (own, time, value) => (own === code && time === day ? value * factor : value));
  },
  // A number with two points is never read as a fraction.
  "points as decimal marks": ({ batch }) =>
    withValues(batch, (_, _time, value) => (value >= 1_000 && value < 1_000_000 ? value / 1_000 : value)),
  "wrong asset": (draw) => {
    const code = one(draw.batch.keys(), draw.random);
    return written(
      code,
      one(
        [...draw.archive.keys()].filter((other) => other !== code),
        draw.random,
      ),
      draw,
    );
  },
  "two columns swapped": (draw) => {
    const code = one(draw.batch.keys(), draw.random);
    const other = one(
      [...draw.batch.keys()].filter((each) => draw.batch.size === 1 || each !== code),
      draw.random,
    );
    return written(other, code, { ...draw, batch: written(code, other, draw) });
  },
};
/** In how many of 50 draws all wrong rows must become pending: in a first import, the next import, a day's push. */
const BARS: readonly (readonly [fault: string, first: number, next: number, push: number, level?: number])[] = [
  ["nothing", 50, 50, 50],
  ["toman for the whole file", 49, 49, 49, -1],
  ["toman from a date on", 49, 49, 49, -1],
  ["toman for a day", 49, 49, 49, -1],
  ["one value ten times off", 49, 49, 49],
  ["points as decimal marks", 47, 47, 47, -3],
  ["wrong asset", 36, 39, 45],
  ["two columns swapped", 34, 38, 40],
];

/** Random numbers from 0 to 1 that depend only on the seed. */
function chances(seed: number): () => number {
  let state = seed * 7_919 + 1;
  for (let i = 0; i < 9; i++) state = (state * 48_271) % 2_147_483_647;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** Random assets and days of an archive, with records a day to a year apart, and stored values before them. */
function drawFrom(archive: Archive, mode: string, random: () => number): Draw & { readonly stored: Archive } {
  const count = 1 + Math.floor(random() * archive.size);
  const codes = new Set(
    [...archive.keys()]
      .map((code) => [random(), code] as const)
      .sort(([a], [b]) => a - b)
      .slice(0, count)
      .map(([, code]) => code),
  );
  const [first, last] = [timesOf(archive)[0]!, timesOf(archive).at(-1)!];
  const length = 31 * DAY * ((last - first) / (31 * DAY)) ** random();
  const from = first + random() * (last - first - length);
  const step = one([1, 7, 30, 91, 365], random);
  const inTime = thinned(
    only(archive, (_, time) => time >= from && time < from + length),
    step,
  );
  const own = only(inTime, (code) => codes.has(code));
  const later = mode === "next" ? from + length / 2 : timesOf(own).at(-1)!;
  const cut = mode === "first" ? from : later;
  const before =
    mode === "first"
      ? new Map()
      : thinned(
          only(archive, (_, time) => time >= from - 400 * DAY && time < cut),
          step,
        );
  return { archive, random, batch: only(own, (_, time) => time >= cut), stored: before };
}

if (FOLDER === undefined) {
  test("levels: archives of real prices pass, and injected faults are found", (t) => {
    t.skip("MAZANEH_TEST_DATA is not set: it names the folder that holds the recorded market data");
  });
} else {
  const names = ["rial-daily-bonbast", "rial-daily-tgju", "ounce-daily-tgju", "crypto-daily-tgju"];
  const recorded = names.map(readArchive);
  // Faults of the sources: each value differs from both neighbours, which agree, by a factor of 1.28 to 1.66.
  const spikes = `MYR_RLS 2024-02-05, AFN_RLS 2023-12-11, CNY_RLS 2018-04-12, CNY_RLS 2018-04-15, DKK_RLS 2018-04-10,
    HKD_RLS 2017-11-15, INR_RLS 2018-01-19, NOK_RLS 2016-04-22, PKR_RLS 2023-09-26, PKR_RLS 2023-09-27, PKR_RLS 2023-09-28,
    SEK_RLS 2018-04-11, SEK_RLS 2018-04-12, SEK_RLS 2018-04-14, SEK_RLS 2018-04-15, JPY_RLS 2023-09-26`.split(/,\s+/);
  const keyOf = (code: string, time: number): string => `${code} ${new Date(time).toISOString().slice(0, 10)}`;
  // The other faults of the source are powers of ten: SOURCES.md beside the archives lists them.
  const isTrue = (code: AssetCode, time: number, value: number): boolean => {
    const date = new Date(time).toISOString().slice(0, 10);
    if (spikes.includes(`${code} ${date}`)) return false;
    if (code === "NIM_SEKKEH_RLS") return !(date >= "2015-06-06" && date <= "2015-06-09" && value < 1_000_000);
    return !(code === "IQD_RLS" && date < "2018-05" && value > 1_000);
  };
  const archives = recorded.map((archive) => only(archive, isTrue));

  test("levels: of 293,987 recorded values, only those become pending that the sources show as a tenth, a thousandfold or a spike", () => {
    assert.equal(
      recorded.flatMap((archive) => [...archive.values()]).reduce((sum, { times }) => sum + times.length, 0),
      293_987,
    );
    const found = recorded.flatMap((archive) => judge(archive));
    const jumps = found.filter(({ why }) => why === "jump");
    assert.deepEqual(
      jumps.flatMap(({ code, times }) => times.map((time) => keyOf(code, time))).sort(),
      spikes.toSorted(),
    );
    assert.deepEqual(summaryOf(found.filter((one) => !jumps.includes(one))), [
      ["NIM_SEKKEH_RLS", "level", -1, 4],
      ["IQD_RLS", "level", 3, 78],
    ]);
  });

  for (const code of ["USD_RLS", "EUR_RLS", "SEKKEH_RLS", "GOLD_18_RLS"] as AssetCode[])
    test(`levels: each of 50 spikes by a factor of 1.5 in the archive of ${code} is found`, () => {
      const { times, values } = archives[1]!.get(code)!;
      // A few rows have no neighbours that are close in time and agree.
      const mayBe = [...times.keys()].slice(1, -1).filter((row) => {
        const ratio = values[row + 1]! / values[row - 1]!;
        return times[row + 1]! - times[row - 1]! <= 8 * DAY && Math.max(ratio, 1 / ratio) <= 1.1;
      });
      assert.ok(mayBe.length > 0.96 * times.length, `${mayBe.length} of ${times.length}`);
      for (let seed = 1; seed <= SEEDS; seed++) {
        const random = chances(seed);
        const [row, factor] = [one(mayBe, random), random() < 0.5 ? 1.5 : 1 / 1.5];
        const spiked = { times, values: values.with(row, values[row]! * factor) };
        assert.deepEqual(summaryOf(judge(new Map([[code, spiked]]))), [[code, "jump", 0, 1]], keyOf(code, times[row]!));
      }
    });

  test("levels: importing a whole archive makes no true value pending, even with one record a week, month, quarter or year; nor does a second archive, except for its faults", () => {
    for (const [i, archive] of archives.entries()) {
      for (const days of [1, 7, 30, 91, 365]) {
        for (const part of [0, 1, 2])
          assert.deepEqual(
            summaryOf(judge(thinned(archive, days, Math.floor((part * days) / 3)))),
            [],
            `${names[i]}: ${days} days apart`,
          );
      }
    }
    const [bonbast, tgju] = [archives[0]!, archives[1]!];
    assert.deepEqual(summaryOf(judge(bonbast, tgju)), []);
    // tgju has faults that last for weeks, and another dollar rate; both show up beside values of bonbast.
    assert.equal(
      judge(tgju, bonbast)
        .map(({ code, why, times }) => `${code} ${why} ${times.length}`)
        .join(),
      "USD_RLS jump 2,AMD_RLS jump 22,AZN_RLS jump 5,HKD_RLS jump 1,INR_RLS jump 1,KWD_RLS jump 21,SAR_RLS jump 1,IQD_RLS jump 1",
    );
  });

  test("levels: when all archives are pushed day by day, at most one true value becomes pending", () => {
    const flagged: unknown[] = [];
    for (const archive of archives) {
      const next = new Map<AssetCode, number>();
      const stored = new Map<AssetCode, Prices>();
      for (const day of timesOf(archive)) {
        const batch = new Map<AssetCode, Prices>();
        for (const [code, { times, values }] of archive) {
          const row = next.get(code) ?? 0;
          if (times[row] !== day) continue;
          next.set(code, row + 1);
          batch.set(code, { times: [day], values: [values[row]!] });
        }
        flagged.push(...summaryOf(judge(batch, stored)));
        for (const [code, { times, values }] of batch) {
          const known = stored.get(code) ?? NOTHING;
          stored.set(code, {
            times: [...known.times, ...times].slice(-6),
            values: [...known.values, ...values].slice(-6),
          });
        }
      }
    }
    assert.ok(flagged.length <= 1, JSON.stringify(flagged));
  });

  test("levels: coins converted from dollars to rial pass; in toman all become pending: alone, imported with the dollar, or with stored dollar prices", () => {
    const [rial, coins] = [archives[0]!, archives[3]!];
    const dollar = rial.get("USD_RLS" as AssetCode)!;
    const dollars = new Map(dollar.times.map((time, row) => [Math.floor(time / DAY), dollar.values[row]!]));
    const tenth = (archive: Archive): Archive => withValues(archive, (_, _time, value) => value / 10);
    for (const [inDollars, { times, values }] of coins) {
      if (inDollars === "USDT_USD") continue; // Its values would be copies of the dollar's.
      const code = inDollars.replace("_USD", "_RLS") as AssetCode;
      const rows = [...times.keys()].filter((row) => dollars.has(Math.floor(times[row]! / DAY)));
      const prices = {
        times: rows.map((row) => times[row]!),
        values: rows.map((row) => values[row]! * dollars.get(Math.floor(times[row]! / DAY))!),
      };
      const batch = (from: number, to: number): Archive =>
        new Map([[code, { times: prices.times.slice(from, to), values: prices.values.slice(from, to) }]]);
      const all = batch(0, rows.length);
      const stored: Archive = new Map([
        ["USD_RLS" as AssetCode, dollar],
        [inDollars, { times, values }],
      ]);
      for (const days of [1, 7, 30, 91]) {
        const part = thinned(all, days);
        assert.deepEqual(
          [summaryOf(judge(part)), summaryOf(judge(part, stored))],
          [[], []],
          `${code}: ${days} days apart`,
        );
        const wanted = [[code, "level", -1, part.get(code)!.times.length]];
        assert.deepEqual(
          [summaryOf(judge(tenth(part))), summaryOf(judge(tenth(part), stored))],
          [wanted, wanted],
          `${code}: ${days} days apart`,
        );
      }
      for (let from = 0; from < rows.length; from += 60) {
        const few = batch(from, from + 60);
        assert.deepEqual(summaryOf(judge(few)), [], `${code}, from row ${from}`);
        const own = few.get(code)!.times;
        const beside = new Map([
          ...few,
          ["USD_RLS" as AssetCode, { times: own, values: own.map((time) => dollars.get(Math.floor(time / DAY))!) }],
        ]);
        assert.equal(
          judge(tenth(beside)).filter(({ level, times, of }) => level === -1 && times.length === of).length,
          2,
          `${code} and the dollar, from row ${from}`,
        );
      }
    }
  });

  for (const [fault, ...bars] of BARS) {
    const level = bars[3];
    for (const [i, mode] of ["first", "next", "push"].entries()) {
      const place = mode === "push" ? "a push of one day" : `the ${mode} import`;
      test(`levels: ${fault}, in ${place}: all wrong values become pending in ${bars[i]} of ${SEEDS} draws, with the right level`, () => {
        const of = fault.startsWith("toman") ? archives.slice(0, 2) : archives;
        const [missed, misnamed]: [string[], string[]] = [[], []];
        let [trueRows, trueFlagged] = [0, 0];
        for (let seed = 1, runs = 0; runs < SEEDS; seed++) {
          const draw = drawFrom(one(of, chances(seed)), mode, chances(seed * 10 + i));
          if (draw.batch.size < (fault === "two columns swapped" ? 2 : 1)) continue;
          const written = FAULTS[fault]!(draw);
          const rows = [...written].flatMap(([code, { times, values }]) => {
            return times.map((time, row) => ({
              key: `${code} ${time}`,
              isWrong: values[row] !== draw.batch.get(code)!.values[row],
            }));
          });
          if (fault !== "nothing" && !rows.some(({ isWrong }) => isWrong)) continue;
          runs++;
          const suspicious = judge(written, draw.stored);
          const flagged = new Set(suspicious.flatMap(({ code, times }) => times.map((time) => `${code} ${time}`)));
          const about = `seed ${seed}: ${JSON.stringify(summaryOf(suspicious).slice(0, 5))}`;
          if (rows.some(({ key, isWrong }) => isWrong && !flagged.has(key))) missed.push(about);
          if (level !== undefined && suspicious.some((one) => one.times.length > 0 && one.level !== level))
            misnamed.push(about);
          trueRows += rows.filter(({ isWrong }) => !isWrong).length;
          trueFlagged += rows.filter(({ key, isWrong }) => !isWrong && flagged.has(key)).length;
        }
        assert.ok(SEEDS - missed.length >= bars[i]!, `${missed.length} are missed: ${missed.join("\n")}`);
        assert.ok(misnamed.length <= 2, misnamed.join("\n"));
        // If two assets have the same values, both become pending.
        assert.ok(
          trueFlagged <= trueRows / (fault === "wrong asset" ? 12 : 100),
          `${trueFlagged} of ${trueRows} true values are pending`,
        );
      });
    }
  }
}
