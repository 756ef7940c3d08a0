import { applyChange, base62, type Neighbours } from "../../core/internal.ts";
import {
  type AccountBook,
  type AccountChange,
  type AccountId,
  type AccountKeeper,
  type Accounts,
  type AssetCode,
  type CalendarDate,
  EMPTY_BOOK,
  indexKeys,
  type Observation,
  type Observations,
  type ObservationWriter,
  type QuotaLedger,
  type ReferenceAccess,
  type UtcMillis,
} from "../../core/mod.ts";
import { randomBytes } from "../http/web_system.ts";
import { observationsOf } from "./price_state/observations.ts";
import { createPriceState } from "./price_state/price_state.ts";
import { createAppend, writeAtOnce } from "./price_state/writer.ts";

export { applyChange, createSeriesStore, type SeriesStore } from "../../core/internal.ts";

const MAX_DAYS = 35;

/** A store in memory: for tests, for edge hosts, and for an app that supplies the prices. */
export interface MemoryStore {
  readonly observations: Observations &
    ObservationWriter &
    ReferenceAccess & {
      find(code: AssetCode, businessTime: UtcMillis): Observation | undefined;
      around(code: AssetCode, businessTime: UtcMillis): Neighbours;
    };
  readonly accounts: Accounts &
    AccountKeeper & {
      book(): AccountBook;
      update(changes: readonly AccountChange[]): AccountBook;
    };
  readonly quota: QuotaLedger;
}

/** Makes an empty store. The data is lost when the process ends. Different stores never use the same version. */
export function createMemoryStore(): MemoryStore {
  return { observations: memoryObservations(), accounts: memoryAccounts(), quota: memoryQuota() };
}

function memoryObservations(): MemoryStore["observations"] {
  const state = createPriceState(-Infinity);
  let storeId: string | undefined;

  function nameOf(sequence: number): string {
    // Made on first use, because some hosts give no random bytes while a module loads.
    storeId ??= base62(randomBytes(6), 9);
    return `${storeId}.${sequence}`;
  }

  return { ...observationsOf(state, nameOf), append: createAppend(writeAtOnce(state)) };
}

function memoryAccounts(): MemoryStore["accounts"] {
  let book = EMPTY_BOOK;
  let holders = indexKeys(book);
  return {
    find: (id) => holders.get(id),
    book: () => book,
    update(changes) {
      book = changes.reduce(applyChange, book);
      holders = indexKeys(book);
      return book;
    },
  };
}

function memoryQuota(): QuotaLedger {
  const days = new Map<CalendarDate, Map<AccountId, number>>();

  function countsOf(day: CalendarDate): Map<AccountId, number> {
    let counts = days.get(day);
    if (!counts) {
      counts = new Map();
      days.set(day, counts);
      // Old days are kept for a while, in case a clock is set back.
      const oldest = [...days.keys()].sort().slice(0, -MAX_DAYS);
      for (const old of oldest) days.delete(old);
    }
    return counts;
  }

  return {
    take(account, day, limit) {
      const counts = countsOf(day);
      const used = counts.get(account) ?? 0;
      if (used >= limit) return { granted: false, used };
      counts.set(account, used + 1);
      return { granted: true, used: used + 1 };
    },
    giveBack(account, day) {
      const counts = countsOf(day);
      const used = Math.max(0, (counts.get(account) ?? 0) - 1);
      counts.set(account, used);
      return used;
    },
    used: (account, day) => days.get(day)?.get(account) ?? 0,
  };
}
