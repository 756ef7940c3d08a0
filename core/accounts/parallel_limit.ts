import type { KeyId } from "../branded_types.ts";

/**
 * Makes a function that runs a job for a key, and returns `refused` if too many jobs for that key are running. `max` is
 * the number of jobs for one key that may run at the same time.
 */
export function createParallelLimit(max: number) {
  const running = new Map<KeyId, number>();
  return async <T>(key: KeyId, job: () => Promise<T>, refused: T): Promise<T> => {
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
