import assert from "node:assert/strict";
import test from "node:test";
import { createImports } from "../../../adapters/stores/price_state/imports.ts";
import { TURN_RECORDS } from "../../../adapters/stores/price_state/in_turns.ts";
import { createPriceState } from "../../../adapters/stores/price_state/price_state.ts";
import { createReferences } from "../../../adapters/stores/price_state/references.ts";
import { writeAtOnce } from "../../../adapters/stores/price_state/writer.ts";
import { createSeriesStore } from "../../../core/internal.ts";
import type { AssetCode, Observation, UtcMillis } from "../../../core/mod.ts";
import { PLAN } from "../../support/imports_suite.ts";

const RECORDS = 3 * TURN_RECORDS;
const DONE = { refused: 0, providers: [], complete: true };
const USD = "USD_RLS" as AssetCode;

test("turns: the records of an open import are counted without visiting them", async () => {
  const { imports, visits } = await filled();
  const [entry] = await imports.list();
  assert.deepEqual([entry?.stored, visits.all], [RECORDS + 1, 0]);
});

test("turns: to undo an import that has replaced no records, only the records at its times are visited, and no log is read", async () => {
  const { imports, visits } = await filled();
  const { id } = await imports.begin(PLAN);
  await imports.finish(id, { ...DONE, ...(await imports.append(id, [record(USD, RECORDS)], false)) });
  const outcome = await imports.undo(id);
  assert.deepEqual([outcome.pending || outcome.removed, visits.all, visits.logs], [1, 1, 0]);
});

test("turns: withdrawing a day visits only the records of that day", async () => {
  const { imports, visits } = await filled();
  const day = { code: USD, from: timeOf(100), to: timeOf(110), provider: null, pending: false };
  const { records } = await imports.matching(day);
  const { id } = await imports.begin({ ...PLAN, type: "withdrawal" });
  const { outcome } = await imports.decide(id, day, { qualityStatus: "REJECTED", qualityMessage: "wrong" });
  assert.deepEqual([records, outcome.replaced, visits.all], [10, 10, 20]);
});

test("turns: a decision about a large selection visits few records in a turn, even if no record needs a decision", async () => {
  for (const [provider, replaced] of [
    ["nobody", 0],
    [null, RECORDS],
  ] as const) {
    const { imports, visits } = await filled();
    const selection = { code: USD, from: timeOf(0), to: timeOf(RECORDS), provider, pending: false };
    const { id } = await imports.begin({ ...PLAN, type: "withdrawal" });
    const decision = { qualityStatus: "REJECTED", qualityMessage: "wrong" } as const;
    const { outcome, more } = await visits.byTurn(() => imports.decide(id, selection, decision));
    assert.deepEqual([outcome.replaced, more], [replaced, false]);
    assert.ok(visits.most <= TURN_RECORDS + 1, `${visits.most} records were visited in a turn`);
  }
});

test("turns: undoing a large import, or counting a large selection, visits few records in a turn of the event loop", async () => {
  const { imports, visits } = await filled();
  const all = { code: USD, from: timeOf(0), to: timeOf(RECORDS), provider: null, pending: false };
  assert.equal((await visits.byTurn(() => imports.matching(all))).records, RECORDS);
  await visits.byTurn(() => imports.undo(1));
  assert.equal(visits.all, 2 * RECORDS + 1);
  assert.ok(visits.most <= TURN_RECORDS, `${visits.most} records were visited in a turn`);
});

test("turns: reference prices of many days read each stored and each replaced record only a few times", () => {
  const [market, since, source] = [createSeriesStore(), timeOf(2 * RECORDS), "mirror"];
  const old = Array.from({ length: RECORDS }, (_, n) => ({ ...record(USD, n), source, import: null }));
  const today = old.map((one) => ({ ...one, insertTime: since }));
  market.putAll(today, 1);
  let reads = 0;
  const originOf = () => ({ source, import: reads++ });
  const { keep, references } = createReferences({ market, originOf, isByPerson: () => false });
  for (let first = 0; first < RECORDS; first += 50) {
    // The times of a batch are far apart. Half of the replaced records cannot be references, because they are of today.
    const places = Array.from({ length: 50 }, (_, n) => ((first + n) * 301) % RECORDS);
    const batch = places.map((n) => {
      const get = () => [timeOf(n), reads++][0];
      const replaced = Object.defineProperty({ ...(n < RECORDS / 2 ? today : old)[n]! }, "businessTime", { get });
      return { record: replaced, at: since, by: source };
    });
    keep(USD, batch);
  }
  const days = old
    .toReversed()
    .map(({ code, businessTime: from }) => ({ code, from, to: (from + 60_000) as UtcMillis }));
  for (const one of [null, source]) references(days, since, one);
  assert.ok(reads < 200 * RECORDS, `${reads} reads of ${RECORDS} records`);
});

/** Imports: one is unfinished, with many records of one asset and a single record of another. Counts visits. */
async function filled() {
  const state = createPriceState();
  const visits = {
    all: 0,
    most: 0,
    logs: 0,
    /** Counts the visits in each turn. */
    async byTurn<Value>(act: () => Promise<Value>): Promise<Value> {
      let before = visits.all;
      const count = (): void => {
        visits.most = Math.max(visits.most, visits.all - before);
        before = visits.all;
      };
      let timer = setImmediate(function look() {
        count();
        timer = setImmediate(look);
      });
      return act().finally(() => {
        clearImmediate(timer);
        count(); // The visits of the last turn, which may be the only one.
      });
    },
  };
  const { imports } = createImports({
    state: {
      ...state,
      get lastImport() {
        return state.lastImport;
      },
      *records(...selection) {
        for (const one of state.records(...selection)) {
          visits.all++;
          yield one;
        }
      },
    },
    write: writeAtOnce(state),
    readEntries: async () => void visits.logs++,
    clock: () => timeOf(2 * RECORDS),
    isDamaged: false,
  });
  const { id } = await imports.begin(PLAN);
  const rows = Array.from({ length: RECORDS }, (_, n) => record(USD, n));
  await imports.append(id, [...rows, record("EUR_RLS" as AssetCode, 0)], false);
  return { imports, visits };
}

function record(code: AssetCode, n: number): Observation {
  const plain = { sourceTime: null, provider: null, qualityStatus: "ACCEPTED", qualityMessage: "" } as const;
  return { code, value: 1_000 + n, businessTime: timeOf(n), insertTime: timeOf(n), ...plain };
}

function timeOf(n: number): UtcMillis {
  return (Date.UTC(2026, 0, 1) + n * 60_000) as UtcMillis;
}
