import type { CliEngine } from "../../adapters/cli/engine.ts";
import { createMemoryStore } from "../../adapters/memory_store.ts";
import type { MemoryStore } from "../../adapters/memory_store.ts";
import { NOTHING_DONE } from "../../adapters/store/imports.ts";
import type { Import, ImportAccess } from "../../adapters/store/imports.ts";
import { gauge } from "../../adapters/store/metrics.ts";
import type { Store, StoredObservations } from "../../adapters/store/store.ts";
import type { StoreError } from "../../adapters/store/store_error.ts";
import type { Trouble } from "../../adapters/store/watcher.ts";
import { systemClock } from "../../adapters/system.ts";
import type { AccountId, CalendarDate, MaybePromise, Observation, QuotaLedger } from "../../core/mod.ts";

/** An engine in the memory of this process, which answers later, as a database does, and has nothing that only files have. */
export interface MemoryEngine extends CliEngine {
  /** What keeps its stores from their work just now. */
  troubles: readonly Trouble[];
  /** Makes `failed` of its stores settle. */
  fail(error: StoreError): void;
  /** Whether nothing of it answers any more, as a frozen database. */
  isFrozen: boolean;
  /** How many of its stores are open. */
  readonly openStores: number;
}

/** A function that answers in a later turn of the event loop, unless its engine is frozen. */
type Later = <Arguments extends readonly unknown[], Value>(act: (...args: Arguments) => MaybePromise<Value>) => (...args: Arguments) => Promise<Value>;

/** Makes an engine with an empty store, which all that open or reach it share. */
export function createMemoryEngine(): MemoryEngine {
  const memory = createMemoryStore();
  const used = new Map<CalendarDate, Set<AccountId>>();
  let settle: (error: StoreError) => void = () => undefined;
  const failed = new Promise<StoreError>((resolve) => (settle = resolve));
  let openStores = 0;

  const later: Later = (act) => async (...args) => {
    await new Promise<void>((resolve) => void (engine.isFrozen || setImmediate(resolve)));
    return await act(...args);
  };
  const observations = laterObservations(memory, later);
  const accounts = { find: later(memory.accounts.find), book: later(memory.accounts.book), update: later(memory.accounts.update) };
  const imports = memoryImports(memory, later);
  const quota: Store["quota"] = {
    ...laterLedger(memory.quota, later, (account, day) => used.set(day, (used.get(day) ?? new Set()).add(account))),
    async *usage() {
      for (const day of [...used.keys()].sort().reverse()) {
        const counted = [...used.get(day)!].map(async (account) => ({ account, units: await memory.quota.used(account, day), keys: [] }));
        yield { day, accounts: await Promise.all(counted) };
      }
    },
  };

  async function open(): Promise<Store & { close(): Promise<void> }> {
    let isOpen = true;
    openStores++;
    return {
      ...{ observations, accounts, quota, imports, failed, warnings: ["It forgets all."] },
      info: later(async () => ({ storeId: "memory", version: await memory.observations.version(), records: [...recordsOf(memory)].length, damages: 0 })),
      watcher: { troubles: () => engine.troubles },
      metrics: later(() => [gauge("store_in_memory", "Always 1.", 1)]),
      async close() {
        if (isOpen) openStores--;
        isOpen = false;
      },
    };
  }

  const engine: MemoryEngine = {
    ...{ name: "memory://house", open, reach: open, reachAccounts: open, connect: open },
    troubles: [],
    isFrozen: false,
    fail: settle,
    get openStores() {
      return openStores;
    },
    async read() {
      const { close } = await open();
      const market = async () => ({ ...{ storeId: "memory", observations, damages: [], torn: [] }, bytes: () => ({ observations: 1_000 }) });
      return { book: accounts.book, usage: quota.usage, market, close };
    },
    verify: async () => ({ ...{ state: 0, report: { state: 0, tables: 1 }, places: [], verdict: "All is well." }, heading: ["table", "rows"], rows: [["observations", 2]] }),
    demand: async () => undefined,
  };
  return engine;
}

function recordsOf({ observations }: MemoryStore): Iterable<Observation> {
  return observations.records() as Iterable<Observation>;
}

function laterObservations(memory: MemoryStore, later: Later): StoredObservations {
  const { latest, coverage, lastOfEach, candles, version, append, remove } = memory.observations;
  return {
    ...{ latest: later(latest), coverage: later(coverage), lastOfEach: later(lastOfEach), candles: later(candles), version: later(version) },
    ...{ append: later(append), remove: later(remove) },
    async *records() {
      yield* recordsOf(memory);
    },
  };
}

function laterLedger({ take, giveBack, used }: QuotaLedger, later: Later, note: (account: AccountId, day: CalendarDate) => void): QuotaLedger {
  return {
    take: later((account, day, limit) => {
      note(account, day);
      return take(account, day, limit);
    }),
    giveBack: later(giveBack),
    used: later(used),
  };
}

/** Imports that store and withdraw; what they replace is forgotten, so that none is undone. */
function memoryImports(memory: MemoryStore, later: Later): ImportAccess {
  const imports: Import[] = [];
  const { append, around } = memory.observations;
  const isMatching = (one: Observation, { code, from, to }: Parameters<ImportAccess["matching"]>[0]): boolean =>
    one.code === code && one.businessTime >= from && one.businessTime < to && one.qualityStatus !== "REJECTED";

  return {
    begin: later((plan) => {
      const imported: Import = { id: imports.length + 1, ...plan, time: systemClock(), summary: null, undone: null };
      imports.push(imported);
      return imported;
    }),
    append: later(async (_id, batch) => ({ ...NOTHING_DONE, ...(await append(batch)) })),
    finish: later((id, summary) => (imports[id - 1] = { ...imports[id - 1]!, summary })),
    list: later(() => imports.toReversed().map((imported) => ({ id: imported.id, imported, damage: null, stored: null }))),
    undo: later((id) => ({ pending: false, imported: imports[id - 1]!, restored: 0, removed: 0, replacedSince: 0, unknown: 0 })),
    matching: later((selection) => {
      const times = [...recordsOf(memory)].filter((one) => isMatching(one, selection)).map(({ businessTime }) => businessTime);
      return { records: times.length, first: times[0] ?? null, last: times.at(-1) ?? null };
    }),
    withdraw: later(async (_id, selection, reason) => {
      const found = [...recordsOf(memory)].filter((one) => isMatching(one, selection));
      const outcome = await append(found.map((one) => ({ ...one, qualityStatus: "REJECTED" as const, qualityMessage: reason })));
      return { outcome: { ...NOTHING_DONE, ...outcome }, more: false };
    }),
    around: later((keys) => keys.map(({ code, businessTime }) => around(code, businessTime))),
  };
}
