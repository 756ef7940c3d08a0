import type { CliEngine } from "../../adapters/cli/engines/engine.ts";
import { systemClock } from "../../adapters/http/web_system.ts";
import { findPending } from "../../adapters/stores/json_files/imports/current_records.ts";
import { createMemoryStore, type MemoryStore } from "../../adapters/stores/memory_store.ts";
import { type Import, type ImportAccess, NOTHING_DONE, type Selection } from "../../adapters/stores/shared/imports.ts";
import { gauge } from "../../adapters/stores/shared/metric_types.ts";
import type { Store, StoredObservations } from "../../adapters/stores/shared/store.ts";
import type { StoreError } from "../../adapters/stores/shared/store_error.ts";
import type { Trouble } from "../../adapters/stores/shared/store_troubles.ts";
import type { AccountId, CalendarDate, Observation, QuotaLedger } from "../../core/mod.ts";

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

/** Makes an engine with an empty store, which all that open or reach it share. */
export function createMemoryEngine(): MemoryEngine {
  const memory = createMemoryStore();
  const used = new Map<CalendarDate, Set<AccountId>>();
  let settle: (error: StoreError) => void = () => undefined;
  const failed = new Promise<StoreError>((resolve) => (settle = resolve));
  let openStores = 0;

  /** The same calls, which answer in a later turn of the event loop, unless the engine is frozen. */
  function later<Calls extends object>(calls: Calls): Calls {
    const wrapped = Object.entries(calls).map(([name, call]: [string, (...args: unknown[]) => unknown]) => {
      const act = async (...args: unknown[]): Promise<unknown> => {
        await new Promise<void>((resolve) => void (engine.isFrozen || setImmediate(resolve)));
        return call(...args);
      };
      return [name, act];
    });
    return Object.fromEntries(wrapped) as Calls;
  }

  const observations: StoredObservations = {
    ...(later(memory.observations) as StoredObservations),
    async *records() {
      yield* recordsOf(memory);
    },
  };
  const accounts = later(memory.accounts) as unknown as Store["accounts"];
  const imports = later(memoryImports(memory));
  const take: QuotaLedger["take"] = (account, day, limit) => {
    used.set(day, (used.get(day) ?? new Set()).add(account));
    return memory.quota.take(account, day, limit);
  };
  const quota: Store["quota"] = {
    ...later({ ...memory.quota, take }),
    async *usage() {
      for (const day of [...used.keys()].sort().reverse()) {
        const counted = [...used.get(day)!].map(async (account) => ({
          account,
          units: await memory.quota.used(account, day),
          keys: [],
        }));
        yield { day, accounts: await Promise.all(counted) };
      }
    },
  };

  async function open(): Promise<Store & { close(): Promise<void> }> {
    let isOpen = true;
    openStores++;
    return {
      ...{ observations, accounts, quota, imports, failed, warnings: ["It forgets all."] },
      info: async () => ({
        storeId: "memory",
        version: await observations.version(),
        records: [...recordsOf(memory)].length,
        pending: pendingIn(memory).length,
        damages: 0,
      }),
      watcher: { troubles: () => engine.troubles },
      metrics: async () => [gauge("store_in_memory", "Always 1.", 1)],
      async close() {
        if (isOpen) openStores--;
        isOpen = false;
      },
    };
  }

  const engine: MemoryEngine = {
    ...{ name: "memory://shared", open, reach: open, connect: open },
    troubles: [],
    isFrozen: false,
    fail: settle,
    get openStores() {
      return openStores;
    },
    async read() {
      const { close } = await open();
      const market = async () => ({
        ...{ storeId: "memory", observations, damages: [], torn: [] },
        bytes: () => ({ observations: 1_000 }),
      });
      return { book: accounts.book, usage: quota.usage, market, close };
    },
    verify: async () => ({
      ...{ state: 0, report: { state: 0, tables: 1 }, places: [], verdict: "All is well." },
      heading: ["table", "rows"],
      rows: [["observations", 2]],
    }),
    demand: async () => undefined,
  };
  return engine;
}

function recordsOf({ observations }: MemoryStore): Iterable<Observation> {
  return observations.records() as Iterable<Observation>;
}

function pendingIn(memory: MemoryStore): readonly Observation[] {
  return [...recordsOf(memory)].filter(({ qualityStatus }) => qualityStatus === "PENDING");
}

/** Imports that store and decide; what they replace is forgotten, so that none is undone. */
function memoryImports(memory: MemoryStore): ImportAccess {
  const imports: Import[] = [];
  const { append, around } = memory.observations;
  const isMatching = (one: Observation, { code, from, to, pending }: Selection): boolean =>
    one.code === code &&
    one.businessTime >= from &&
    one.businessTime < to &&
    (pending ? one.qualityStatus === "PENDING" : one.qualityStatus !== "REJECTED");

  return {
    async begin(plan) {
      const imported: Import = { id: imports.length + 1, ...plan, time: systemClock(), summary: null, undone: null };
      imports.push(imported);
      return imported;
    },
    append: async (_id, batch) => ({ ...NOTHING_DONE, ...(await append(batch)) }),
    finish: async (id, summary) => (imports[id - 1] = { ...imports[id - 1]!, summary }),
    list: async () =>
      imports.toReversed().map((imported) => ({ id: imported.id, imported, damage: null, stored: null })),
    undo: async (id) => ({
      pending: false,
      imported: imports[id - 1]!,
      restored: 0,
      removed: 0,
      replacedSince: 0,
      unknown: 0,
    }),
    async matching(selection) {
      const times = [...recordsOf(memory)]
        .filter((one) => isMatching(one, selection))
        .map(({ businessTime }) => businessTime);
      return { records: times.length, first: times[0] ?? null, last: times.at(-1) ?? null };
    },
    async decide(_id, selection, decision) {
      const found = [...recordsOf(memory)].filter((one) => isMatching(one, selection));
      const outcome = await append(found.map((one) => ({ ...one, ...decision })));
      return { outcome: { ...NOTHING_DONE, ...outcome }, more: false };
    },
    pending: async (code, atMost) => findPending(pendingIn(memory), code, atMost),
    around: async (keys) => keys.map(({ code, businessTime }) => around(code, businessTime)),
    count: async (codes) => [...recordsOf(memory)].filter(({ code }) => codes.includes(code)).length,
  };
}
