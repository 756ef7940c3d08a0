import type { UtcMillis } from "../../core/mod.ts";

/** While a new answer is being made, or if that fails, the previous answer is served up to this age. */
const OLDEST_MS = 300_000;

/** The limits of the cache. */
export interface CacheBounds<Value> {
  /** How long an answer counts as fresh. */
  readonly freshMs: number;
  /** How many answers are kept. Beyond this number, the oldest answer is dropped. */
  readonly most: number;
  /** Whether an answer is small enough to keep. Default: all are. */
  isCached?(value: Value): boolean;
}

/**
 * Returns a function that takes the answer for a name from the cache, or makes the answer, once for all callers that
 * wait for it. Failures are not cached.
 */
export function createAnswerCache<Value>({ freshMs, most, isCached = () => true }: CacheBounds<Value>) {
  const made = new Map<string, { readonly value: Value; readonly at: UtcMillis }>();
  const making = new Map<string, Promise<Value>>();

  function start(name: string, now: UtcMillis, make: () => Promise<Value>): Promise<Value> {
    const coming = make()
      .then((value) => {
        made.delete(name);
        if (isCached(value)) made.set(name, { value, at: now });
        if (made.size > most) made.delete(made.keys().next().value!);
        return value;
      })
      .finally(() => making.delete(name));
    making.set(name, coming);
    return coming;
  }

  return async (name: string, now: UtcMillis, make: () => Promise<Value>): Promise<Value> => {
    const known = made.get(name);
    const age = known === undefined || now < known.at ? Infinity : now - known.at; // the clock may have been set back
    if (age < freshMs) return known!.value;
    const under = making.get(name);
    if (age >= OLDEST_MS) return under ?? start(name, now, make);
    return under === undefined ? start(name, now, make).catch(() => known!.value) : known!.value;
  };
}
