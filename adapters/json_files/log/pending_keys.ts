import type { AssetCode, ObservationKey, UtcMillis } from "../../../core/mod.ts";

/** The observations about which a line waits to be written. */
export interface PendingKeys {
  has(key: ObservationKey): boolean;
  /** Calls `write`; the keys are pending until its promise is settled. */
  during<T>(keys: readonly ObservationKey[], write: () => Promise<T>): Promise<T>;
}

/** Makes an empty set of pending keys. */
export function createPendingKeys(): PendingKeys {
  /** How many writes wait, by code and business time. Two maps, as texts of both would have to be made for each record. */
  const counts = new Map<AssetCode, Map<UtcMillis, number>>();

  function count(keys: readonly ObservationKey[], step: 1 | -1): void {
    for (const { code, businessTime } of keys) {
      let times = counts.get(code);
      if (!times) counts.set(code, (times = new Map()));
      const left = (times.get(businessTime) ?? 0) + step;
      if (left > 0) times.set(businessTime, left);
      else times.delete(businessTime);
    }
  }

  return {
    has: ({ code, businessTime }) => counts.get(code)?.has(businessTime) === true,
    async during(keys, write) {
      count(keys, 1);
      try {
        return await write();
      } finally {
        count(keys, -1);
      }
    },
  };
}
