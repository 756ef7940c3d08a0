import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { makeStore } from "../../../adapters/stores/json_files/maintenance/make_store_from_content.ts";
import { readContent } from "../../../adapters/stores/json_files/maintenance/read_content.ts";
import {
  backupStore,
  type JsonFileStore,
  readJsonFiles,
  repairStore,
  restoreStore,
  verifyStore,
} from "../../../adapters/stores/json_files/mod.ts";
import { contentEntries } from "../../../adapters/stores/price_state/content_entries.ts";
import type { Entry } from "../../../adapters/stores/price_state/entries.ts";
import type { PriceState } from "../../../adapters/stores/price_state/price_state.ts";
import { findReplacedBefore } from "../../../adapters/stores/price_state/replaced_records.ts";
import type { StoredRecord } from "../../../adapters/stores/shared/imports.ts";
import type { AssetCode, CalendarDate } from "../../../core/branded_types.ts";
import type { UtcClock } from "../../../core/mod.ts";
import { type Act, ask, carryOut, nextAct } from "../../faults/price_acts.ts";
import { copyOf, NOW, newDirectory, openAt } from "../../support/json_files_fixtures.ts";
import { createMemoryPrices, type MemoryPrices } from "../../support/memory_prices.ts";
import { createPriceModel, type PriceChanges } from "../../support/price_model.ts";
import { createRandom } from "../../support/seeded_random.ts";
import { observed } from "../../support/store_suite.ts";
import { runs } from "../../support/suite_size.ts";

const CODES = ["USD_RLS", "EUR_RLS"] as AssetCode[];
/** Those that acts change. */
const MINUTES = 10;

const clock: UtcClock = () => NOW;

/** A store's answer, or its error. */
function answer(store: PriceChanges, act: Act): Promise<unknown> {
  return ask(store, act).catch(String);
}

const FIELDS = Object.keys({
  ...{ code: 0, value: 0, businessTime: 0, sourceTime: 0, insertTime: 0, provider: 0 },
  ...{ qualityStatus: 0, qualityMessage: 0, source: 0, import: 0 },
} satisfies Record<keyof StoredRecord, 0>) as (keyof StoredRecord)[];

/** The records as texts, in order. */
function sorted(records: Iterable<StoredRecord>): readonly string[] {
  return Array.from(records, (record) => FIELDS.map((field) => record[field]).join("|")).sort();
}

/** Returns the prices as a compaction leaves them. */
async function compacted({ state, entries }: MemoryPrices, clock: UtcClock): Promise<MemoryPrices> {
  const before = await findReplacedBefore(state, async (take) => entries.forEach(take));
  const content = { imports: [...state.imports()], records: () => state.records(), before };
  const left: Entry[] = [];
  for await (const entry of contentEntries(content)) left.push(entry);
  return createMemoryPrices(clock, left);
}

test("random changes: after each change, the answers and the contents follow the rules, with and without compaction", async () => {
  for (let seed = 1; seed <= runs(4, 50); seed++) {
    const random = createRandom(seed);
    const model = createPriceModel(clock);
    const memory = createMemoryPrices(clock);
    let other = createMemoryPrices(clock);
    for (let step = 0; step < 60; step++) {
      const act = nextAct(model, random, { codes: CODES, isAlone: true });
      const what = `seed ${seed}, step ${step}: ${act.type}`;
      const expected = await ask(model, act);
      const records = sorted(model.records());
      for (const prices of [memory, other]) {
        assert.deepEqual(await ask(prices, act), expected, what);
        assert.deepEqual(sorted(prices.state.records()), records, what);
        assert.deepEqual([...prices.state.imports()], model.list(), what);
      }
      if (random.chance(0.1)) other = await compacted(other, clock);
    }
  }
});

type FileStore = Pick<JsonFileStore, "observations" | "imports">;

/** Everything that a store returns, by asset. */
async function shownBy({ observations, imports }: FileStore | MemoryPrices) {
  const keys = CODES.flatMap((code) => Array.from({ length: MINUTES }, (_, minute) => observed(minute, 1, { code })));
  const { assets, values } = await imports.pending(null, 1_000);
  const byCode = <T extends { readonly code: string }>(items: Iterable<T>): T[] =>
    [...items].sort((a, b) => Number(a.code > b.code) - Number(a.code < b.code));
  return {
    records: byCode(observations.records()),
    imports: await imports.list(),
    pending: [byCode(assets), byCode(values)],
    around: await imports.around(keys),
  };
}

async function stateIn(directory: string): Promise<PriceState> {
  return (await readJsonFiles(directory)).state;
}

/** Closes a store; returns its directory and copies of it, made in different ways. Each must be complete. */
async function copiesOf(directory: string, store: JsonFileStore): Promise<readonly (readonly [string, string])[]> {
  const parent = await newDirectory();
  const place = (name: string): string => join(parent, name);
  await backupStore(directory, place("backup"), { now: NOW });
  const restoring = { now: NOW, today: "2026-11-21" as CalendarDate, quota: "spent" } as const;
  await restoreStore(place("backup"), place("restored"), restoring);
  await makeStore(place("copied"), await readContent(directory), { now: NOW, progress() {} });
  const crashed = await copyOf(directory);
  await store.compact();
  await store.close();
  return [
    ["crashed", crashed],
    ["restored", place("restored")],
    ["copied", place("copied")],
    ["compacted", directory],
  ];
}

for (let seed = 1; seed <= runs(1, 6); seed++) {
  test(`random changes: files, their copies and later undos match a state in memory, even if the store is compacted or reopened at any moment (seed ${seed})`, async () => {
    const random = createRandom(seed);
    const directory = await newDirectory();
    const options = { segmentBytes: random.pick([1_000, 1 << 26]) };
    let store = await openAt(directory, options);
    const model = createPriceModel(clock);
    const memory = createMemoryPrices(clock);

    for (let step = 0; step < 40; step++) {
      if (random.chance(0.1)) {
        const compacted = store.compact();
        if (random.chance(0.5)) await compacted;
      }
      if (random.chance(0.05)) {
        await store.close();
        store = await openAt(directory, options);
      }
      const isAlone = random.chance(0.8);
      const acts = Array.from({ length: isAlone ? 1 : 5 }, () => nextAct(model, random, { codes: CODES, isAlone }));
      const what = `step ${step}: ${acts.map(({ type }) => type).join()}`;
      const expected: unknown[] = [];
      for (const act of acts) {
        carryOut(model, act);
        expected.push(await answer(memory, act));
      }
      assert.deepEqual(await Promise.all(acts.map((act) => answer(store, act))), expected, what);
      assert.deepEqual(await shownBy(store), await shownBy(memory), what);
      if (random.chance(0.2))
        assert.deepEqual(sorted((await stateIn(directory)).records()), sorted(memory.state.records()), what);
    }

    const imports = model.list().map(({ id }) => id);
    const undos = Array.from(
      { length: 3 * imports.length },
      () => ({ type: "undo", id: random.pick(imports) }) as const,
    );
    const copied = createMemoryPrices(clock, memory.entries);
    const held = [sorted(copied.state.records()), await shownBy(copied)];
    const expected: unknown[] = [];
    for (const act of undos) expected.push(await ask(copied, act), sorted(copied.state.records()));
    for (const [name, copy] of await copiesOf(directory, store)) {
      assert.deepEqual(await repairStore(copy, { now: NOW }), [], name);
      const opened = await openAt(copy, options);
      assert.deepEqual([sorted((await stateIn(copy)).records()), await shownBy(opened)], held, name);
      const undone: unknown[] = [];
      for (const act of undos) undone.push(await ask(opened, act), sorted((await stateIn(copy)).records()));
      assert.deepEqual(undone, expected, name);
      assert.deepEqual(await shownBy(opened), await shownBy(copied), name);
      await opened.close();
      assert.equal((await verifyStore(copy)).state, 0, name);
    }
  });
}
