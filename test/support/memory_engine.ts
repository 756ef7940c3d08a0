import { systemClock } from "../../adapters/http/web_system.ts";
import { recordsInOrder } from "../../adapters/stores/json_files/lock/market_access.ts";
import { createMemoryStore } from "../../adapters/stores/memory_store.ts";
import type { AssetOrder, Engine, StoreAccess } from "../../adapters/stores/shared/engine.ts";
import { gauge } from "../../adapters/stores/shared/metric_types.ts";
import type { Store, StoredQuota } from "../../adapters/stores/shared/store.ts";
import type { StoreError } from "../../adapters/stores/shared/store_error.ts";
import type { Trouble } from "../../adapters/stores/shared/store_troubles.ts";
import type { AccountId, CalendarDate, QuotaLedger } from "../../core/mod.ts";
import { createMemoryPrices } from "./memory_prices.ts";

/** An engine in the memory of this process, which answers later, as a database does, and has nothing that only files have. */
export interface MemoryEngine extends Engine {
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
  const prices = createMemoryPrices(systemClock);
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

  const observations: Store["observations"] = {
    ...(later(prices.observations) as unknown as Store["observations"]),
    async *records() {
      yield* prices.observations.records();
    },
  };
  const accounts = later(memory.accounts) as unknown as Store["accounts"];
  const imports = later(prices.imports);
  const take: QuotaLedger["take"] = (account, day, limit) => {
    used.set(day, (used.get(day) ?? new Set()).add(account));
    return memory.quota.take(account, day, limit);
  };
  const quota: StoredQuota = {
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
        records: prices.state.size,
        pending: prices.state.pending,
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

  async function reach(): Promise<StoreAccess> {
    const { close } = await open();
    const { append } = observations;
    const { book, update } = accounts;
    return { append, book, update, imports, close } as StoreAccess; // They answer later.
  }

  const engine: MemoryEngine = {
    ...{ name: "memory://shared", open, reach },
    troubles: [],
    isFrozen: false,
    fail: settle,
    get openStores() {
      return openStores;
    },
    async read() {
      const { close } = await open();
      const market = async () => ({
        ...{ storeId: "memory", damages: [], torn: [] },
        observations: { ...observations, records: (order?: AssetOrder) => recordsInOrder(prices.state, order) },
        bytes: () => ({ observations: 1_000 }),
      });
      return { book: accounts.book, usage: quota.usage, market, close };
    },
    verify: async () => ({
      ...{ state: 0, report: { state: 0, tables: 1 }, places: [], verdict: "All is well." },
      heading: ["table", "rows"],
      rows: [["observations", 2]],
    }),
  };
  return engine;
}
