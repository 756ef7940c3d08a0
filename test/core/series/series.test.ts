import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Observation } from "../../../core/market/observation.ts";
import { createSeries } from "../../../core/series/series.ts";
import type { Series } from "../../../core/series/series.ts";
import { CODE, DAY, MINUTE, at, observation } from "../../support/generators.ts";
import { someTicks } from "../../support/slow_candles.ts";

/** What a series must hold: the latest version of each observation, and the names of all providers ever seen. */
interface Model {
  readonly byTime: Map<number, Observation>;
  readonly seen: Set<string>;
}

type SeriesCommand = fc.Command<Model, Series>;

/** One observation later or earlier than all others. */
class AddAtEnd implements SeriesCommand {
  readonly item: Observation;
  constructor(item: Observation) {
    this.item = item;
  }
  check({ byTime }: Readonly<Model>): boolean {
    return [...byTime.keys()].every((time) => time < this.item.businessTime) || [...byTime.keys()].every((time) => time > this.item.businessTime);
  }
  run(model: Model, series: Series): void {
    if ([...model.byTime.keys()].every((time) => time < this.item.businessTime)) series.append(this.item);
    else series.prepend(this.item);
    model.byTime.set(this.item.businessTime, this.item);
    if (this.item.provider !== null) model.seen.add(this.item.provider);
    compare(model, series);
  }
  toString(): string {
    return `add(${JSON.stringify(this.item)})`;
  }
}

/** Some observations, of each business time one. */
class Put implements SeriesCommand {
  readonly items: readonly Observation[];
  constructor(items: readonly Observation[]) {
    this.items = [...items].sort((a, b) => a.businessTime - b.businessTime);
  }
  check(): boolean {
    return true;
  }
  run(model: Model, series: Series): void {
    const replaced = this.items.filter(({ businessTime }) => model.byTime.has(businessTime)).length;
    assert.equal(series.putAll(this.items), replaced);
    for (const item of this.items) {
      model.byTime.set(item.businessTime, item);
      if (item.provider !== null) model.seen.add(item.provider);
    }
    compare(model, series);
  }
  toString(): string {
    return `put(${JSON.stringify(this.items)})`;
  }
}

/** The observations of some business times, there or not. */
class Remove implements SeriesCommand {
  readonly times: readonly number[];
  constructor(times: readonly number[]) {
    this.times = [...times].sort((a, b) => a - b);
  }
  check(): boolean {
    return true;
  }
  run(model: Model, series: Series): void {
    const removed = this.times.filter((time) => model.byTime.delete(time)).length;
    assert.equal(series.removeAll(this.times.map(at)), removed);
    compare(model, series);
  }
  toString(): string {
    return `remove(${this.times.join()})`;
  }
}

class Find implements SeriesCommand {
  readonly time: number;
  readonly length: number;
  constructor(time: number, length: number) {
    this.time = time;
    this.length = length;
  }
  check(): boolean {
    return true;
  }
  run({ byTime }: Model, series: Series): void {
    const sorted = [...byTime.values()].sort((a, b) => a.businessTime - b.businessTime);
    const [from, to] = [this.time, this.time + this.length];
    const wanted = sorted.filter(({ businessTime }) => businessTime >= from && businessTime < to);
    const [first, end] = [series.rowAt(at(from)), series.rowAt(at(to))];
    assert.deepEqual([...series.times(first, end)], wanted.map(({ businessTime }) => businessTime));
    assert.deepEqual([...series.values(first, end)], wanted.map(({ value }) => value));
  }
  toString(): string {
    return `find(${this.time}, ${this.length})`;
  }
}

function compare({ byTime, seen }: Model, series: Series): void {
  const sorted = [...byTime.values()].sort((a, b) => a.businessTime - b.businessTime);
  assert.equal(series.length, sorted.length);
  assert.deepEqual(sorted.map((_, row) => series.at(row)), sorted);
  for (let time = -8; time <= 8; time++) assert.deepEqual(series.find(at(time)), byTime.get(time));
  assert.deepEqual(series.providers(), [...seen].filter((name) => sorted.some(({ provider }) => provider === name)).sort());
}

test("series: after any puts and removals it holds the latest version of each observation, whole and in order of time", () => {
  const time = fc.oneof(fc.integer({ min: -8, max: 8 }), fc.integer({ min: -DAY, max: DAY }));
  const item = fc.record({
    businessTime: time.map(at),
    value: fc.oneof(fc.constantFrom(1, 2), fc.double({ min: 1e-9, max: 1e9, noNaN: true })),
    sourceTime: fc.constantFrom(null, at(0), at(5)),
    insertTime: fc.constantFrom(at(7), at(7), at(9)),
    provider: fc.constantFrom(null, "A", "A", "B", "C"),
    qualityMessage: fc.constantFrom("", "", "thin market"),
  });
  const commands = fc.commands([
    item.map((parts) => new AddAtEnd(observation(parts))),
    item.map((parts) => new Put([observation(parts)])),
    fc.uniqueArray(item, { selector: ({ businessTime }) => businessTime, minLength: 1, maxLength: 12 }).map((list) => new Put(list.map(observation))),
    fc.uniqueArray(time, { minLength: 1, maxLength: 6 }).map((times) => new Remove(times)),
    fc.tuple(time, fc.nat(2 * DAY)).map(([moment, length]) => new Find(moment, length)),
  ], { maxCommands: 80 });
  fc.assert(
    fc.property(commands, (list) => {
      fc.modelRun(() => ({ model: { byTime: new Map<number, Observation>(), seen: new Set<string>() }, real: createSeries(CODE, "ACCEPTED") }), list);
    }),
    { numRuns: 200 },
  );
});

test("series: the order in which observations are put does not matter", () => {
  fc.assert(
    fc.property(someTicks, (ticks) => {
      const sorted = [...ticks].sort((a, b) => a.time - b.time);
      const orders = [ticks, sorted, [...sorted].reverse()].map((list) => {
        const series = createSeries(CODE, "ACCEPTED");
        for (const { time, value } of list) series.putAll([observation({ businessTime: at(time), value })]);
        return [[...series.times(0, series.length)], [...series.values(0, series.length)]];
      });
      const wanted = [sorted.map(({ time }) => time), sorted.map(({ value }) => value)];
      assert.deepEqual(orders, [wanted, wanted, wanted]);
    }),
    { numRuns: 100 },
  );
});

/* Memory: the bytes of a row in a series by the minute */

const sources: readonly (readonly [what: string, parts: (time: number, n: number) => Partial<Observation>, bytes: number])[] = [
  ["of a steady feed", (time) => ({ insertTime: at(time + 1_500), sourceTime: at(time + 200), provider: "A" }), 16],
  ["of one import", () => ({ insertTime: at(1e12), provider: "A" }), 16],
  ["of one import in batches", (_, n) => ({ insertTime: at(1e12 + Math.floor(n / 2_000) * 900), provider: "A" }), 20],
  ["of a feed with delays and two providers", (time, n) => ({ insertTime: at(time + ((n * 7_919) % 3_000)), provider: (n * 7_919) % 5 > 2 ? "A" : "B" }), 21.01],
];
for (const [what, parts, bytes] of sources) {
  test(`series: rows ${what} take at most ${bytes} bytes each`, () => {
    const series = createSeries(CODE, "ACCEPTED");
    const rows = 50_000;
    for (let n = 0; n < rows; n++) series.append(observation({ businessTime: at(n * MINUTE), value: n + 1, ...parts(n * MINUTE, n) }));
    const { times, values, insertTimes, sourceTimes, providers } = series.pack();
    const side = [insertTimes, sourceTimes, providers].map(({ cells }) => cells?.byteLength ?? 0);
    const total = times.byteLength + values.byteLength + side.reduce((sum, one) => sum + one, 0);
    assert.ok(total / rows <= bytes, `${total / rows} bytes`);
  });
}

test("series: what is removed leaves nothing behind in what the series packs", () => {
  const series = createSeries(CODE, "ACCEPTED");
  series.putAll([observation({ businessTime: at(1), qualityMessage: "checked" })]);
  series.putAll([observation({ businessTime: at(2), qualityMessage: "late" })]);
  series.removeAll([at(1)]);
  assert.deepEqual(series.pack().qualityMessages, [[2, "late"]]);
});

test("series: an empty provider name is not the same as none", () => {
  const series = createSeries(CODE, "ACCEPTED");
  [null, "", "A"].forEach((provider, i) => series.putAll([observation({ businessTime: at(i), provider })]));
  assert.deepEqual([0, 1, 2].map((row) => series.at(row).provider), [null, "", "A"]);
});
