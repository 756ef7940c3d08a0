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
import {
  addOutcomes,
  type Decision,
  type ImportOutcome,
  NOTHING_DONE,
  type StoredRecord,
  type UndoOutcome,
} from "../../../adapters/stores/shared/imports.ts";
import type { AssetCode, CalendarDate, UtcMillis } from "../../../core/branded_types.ts";
import { keyOf } from "../../../core/internal.ts";
import { QUALITY_STATUSES, type UtcClock } from "../../../core/mod.ts";
import { PLAN } from "../../support/imports_suite.ts";
import { copyOf, NOW, newDirectory, openAt } from "../../support/json_files_fixtures.ts";
import { createMemoryPrices, type MemoryPrices } from "../../support/memory_prices.ts";
import { createPriceModel, type PriceChanges } from "../../support/price_model.ts";
import { chances } from "../../support/seeded_random.ts";
import { observed } from "../../support/store_suite.ts";
import { runs } from "../../support/suite_size.ts";

const CODES = ["USD_RLS", "EUR_RLS"] as AssetCode[];
const SOURCES = ["embedder", "import", "key:a"];
const MINUTES = 6;

/** A change of a store, by its name. All stores must answer the same, also where they refuse. */
interface Change {
  readonly name: string;
  act(store: PriceChanges): unknown;
}

/** Random changes of few times: of imports that overlap, also of those that are finished, undone, or not there. */
function createRandomChanges(seed: number) {
  const next = chances(seed * 7_919);
  const upTo = (count: number): number => Math.floor(next() * count);
  const of = <T>(items: readonly T[]): T => items[upTo(items.length)]!;
  const isIn = (part: number): boolean => next() < part;
  const outcomes: ImportOutcome[] = [];
  const anImport = (): number => 1 + upTo(outcomes.length + Number(isIn(0.05)));
  let now = NOW;

  /** Sums up what an import has done, as its summary says it: what the first store answers. */
  function summingUp<T>(id: number, act: (store: PriceChanges) => Promise<T>, outcomeOf: (answer: T) => ImportOutcome) {
    let isNoted = false;
    return async (store: PriceChanges): Promise<T> => {
      const done = await act(store);
      if (!isNoted) outcomes[id - 1] = addOutcomes(outcomes[id - 1]!, outcomeOf(done));
      isNoted = true;
      return done;
    };
  }

  /** One that may be under way together with others. */
  function write(): Change {
    const batch = Array.from({ length: 1 + upTo(4) }, () =>
      observed(upTo(MINUTES), 1 + upTo(3), {
        code: of(CODES),
        qualityStatus: of(["ACCEPTED", ...QUALITY_STATUSES]),
        provider: of([null, null, "p"]),
        insertTime: now,
      }),
    ).filter((one, i, all) => all.findIndex((other) => keyOf(other) === keyOf(one)) === i);
    const shown = batch.map(
      (one) => `${one.code[0]}${(one.businessTime / 60_000) % 60}=${one.value}${one.qualityStatus[0]}`,
    );
    const [source, id, keepExisting] = [of(SOURCES), anImport(), isIn(0.2)];
    if (outcomes.length === 0 || isIn(0.4))
      return { name: `${source}: ${shown}`, act: ({ observations }) => observations.append(batch, source) };
    return {
      name: `${id}${keepExisting ? " keeps" : ""}: ${shown}`,
      act: summingUp(
        id,
        ({ imports }) => imports.append(id, batch, keepExisting),
        (outcome) => outcome,
      ),
    };
  }

  function change(): Change {
    if (isIn(0.2)) now = (now + upTo(4_000) - 2_000) as UtcMillis;
    const [id, from, source] = [anImport(), upTo(MINUTES), of(SOURCES)];
    const selection = {
      code: of(CODES),
      from: observed(from, 1).businessTime,
      to: observed(from + 3, 1).businessTime,
      provider: of([null, "p"]),
      pending: isIn(0.5),
    };
    const decision: Decision = { qualityStatus: of(["ACCEPTED", "REJECTED"]), qualityMessage: of(["", "m"]) };
    if (outcomes.length === 0 || isIn(0.12)) {
      const number = outcomes.push(NOTHING_DONE);
      return { name: `begin ${number} of ${source}`, act: ({ imports }) => imports.begin({ ...PLAN, source }) };
    }
    if (isIn(0.08)) {
      const summary = { ...(outcomes[id - 1] ?? NOTHING_DONE), refused: 0, providers: [], complete: true };
      return { name: `finish ${id}`, act: ({ imports }) => imports.finish(id, summary) };
    }
    if (isIn(0.2)) return { name: `undo ${id}`, act: ({ imports }) => undo(id, imports) };
    if (!isIn(0.3)) return write();
    return {
      name: `decide ${id} ${JSON.stringify(selection)} ${decision.qualityStatus}`,
      act: summingUp(
        id,
        ({ imports }) => imports.decide(id, selection, decision),
        ({ outcome }) => outcome,
      ),
    };
  }

  return { upTo, of, isIn, change, write, clock: () => now, imports: () => outcomes.map((_, i) => i + 1) };
}

/** Undoes an import to its end. */
async function undo(id: number, imports: PriceChanges["imports"]): Promise<UndoOutcome> {
  for (;;) {
    const undoing = await imports.undo(id);
    if (!undoing.pending) return undoing;
  }
}

async function answer({ act }: Change, store: PriceChanges): Promise<unknown> {
  try {
    return await act(store);
  } catch (error) {
    return String(error);
  }
}

function sorted(records: Iterable<StoredRecord>): readonly string[] {
  return [...records].map((record) => JSON.stringify(record, Object.keys(record).sort())).sort();
}

/** The same prices as a compaction leaves them. */
async function compacted({ state, entries }: MemoryPrices, clock: UtcClock): Promise<MemoryPrices> {
  const before = await findReplacedBefore(state, async (take) => entries.forEach(take));
  const content = { imports: [...state.imports()], records: () => state.records(), before };
  const left: Entry[] = [];
  for await (const entry of contentEntries(content)) left.push(entry);
  return createMemoryPrices(clock, left);
}

test("random changes: what a state answers and holds after each is what the rules say, also of one that is compacted now and then", async () => {
  for (let seed = 1; seed <= runs(200); seed++) {
    const random = createRandomChanges(seed);
    const model = createPriceModel(random.clock);
    const memory = createMemoryPrices(random.clock);
    let other = createMemoryPrices(random.clock);
    const names: string[] = [];
    for (let step = 0; step < 60; step++) {
      const change = random.change();
      const what = `seed ${seed}: ${names.slice(0, names.push(change.name)).join("\n")}`;
      const expected = await answer(change, model);
      for (const prices of [memory, other]) {
        assert.deepEqual(await answer(change, prices), expected, what);
        assert.deepEqual(sorted(prices.state.records()), sorted(model.records()), what);
        assert.deepEqual([...prices.state.imports()], model.list(), what);
      }
      if (random.isIn(0.1)) {
        names.push("compact");
        other = await compacted(other, random.clock);
      }
    }
  }
});

type FileStore = Pick<JsonFileStore, "observations" | "imports">;

/** All that a store shows, by asset. */
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

/** Copies of a store that must have all that it has, by how they were made. The last one is the store itself. */
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

for (let seed = 1; seed <= runs(12); seed++) {
  test(`random changes: files answer and hold the same as a state in memory, compacted and opened again at any moment; so do all copies, and every later undo: seed ${seed}`, async () => {
    const random = createRandomChanges(seed);
    const { isIn, of, upTo, clock } = random;
    const directory = await newDirectory();
    const options = { clock, segmentBytes: of([1_000, 1 << 26]) };
    let store = await openAt(directory, options);
    const memory = createMemoryPrices(clock);
    const names: string[] = [];
    const what = (): string => `seed ${seed}: ${names.join("\n")}`;

    for (let step = 0; step < 40; step++) {
      if (isIn(0.1)) {
        names.push("compact");
        const compacted = store.compact();
        if (isIn(0.5)) await compacted;
      }
      if (isIn(0.05)) {
        names.push("reopen");
        await store.close();
        store = await openAt(directory, options);
      }
      const changes = isIn(0.2) ? Array.from({ length: 5 }, random.write) : [random.change()];
      names.push(changes.map(({ name }) => name).join(" & "));
      const expected: unknown[] = [];
      for (const change of changes) expected.push(await answer(change, memory));
      const found = await Promise.all(changes.map((change) => answer(change, store)));
      assert.deepEqual(found, expected, what());
      assert.deepEqual(await shownBy(store), await shownBy(memory), what());
      if (isIn(0.2))
        assert.deepEqual(sorted((await stateIn(directory)).records()), sorted(memory.state.records()), what());
    }

    const imports = random.imports();
    const undos = Array.from({ length: 3 * imports.length }, () => 1 + upTo(imports.length));
    const copied = createMemoryPrices(clock, memory.entries);
    const held = [sorted(copied.state.records()), await shownBy(copied)];
    const expected: unknown[] = [];
    for (const id of undos) expected.push(await undo(id, copied.imports), sorted(copied.state.records()));
    for (const [name, copy] of await copiesOf(directory, store)) {
      const message = `${name}: ${what()}`;
      assert.deepEqual(await repairStore(copy, { now: NOW }), [], message);
      const opened = await openAt(copy, options);
      assert.deepEqual([sorted((await stateIn(copy)).records()), await shownBy(opened)], held, message);
      const undone: unknown[] = [];
      for (const id of undos) undone.push(await undo(id, opened.imports), sorted((await stateIn(copy)).records()));
      assert.deepEqual(undone, expected, `${message}; undo ${undos.join()}`);
      assert.deepEqual(await shownBy(opened), await shownBy(copied), message);
      await opened.close();
      assert.equal((await verifyStore(copy)).state, 0, message);
    }
  });
}
