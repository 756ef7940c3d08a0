import type { KeyId } from "../branded_types.ts";

/** Runs a job for a key. Returns `refused` if too many jobs for that key are running. */
export type ParallelLimit = <T>(key: KeyId, job: () => Promise<T>, refused: T) => Promise<T>;

/** Makes the limit. `max` is the number of jobs for one key that may run at the same time. */
export function createParallelLimit(max: number): ParallelLimit {
  const running = new Map<KeyId, number>();
  return async (key, job, refused) => {
    const others = running.get(key) ?? 0;
    if (others >= max) return refused;
    running.set(key, others + 1);
    try {
      return await job();
    } finally {
      const left = running.get(key)! - 1;
      if (left === 0) running.delete(key);
      else running.set(key, left);
    }
  };
}
