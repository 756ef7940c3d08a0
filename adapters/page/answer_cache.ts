import type { UtcMillis } from "../../core/mod.ts";

/** An older answer is served up to this age while a newer one is being made or fails: a hanging store delays only the first request. */
const OLDEST_MS = 300_000;

/** Limits for the answers that are kept. */
export interface CacheBounds<Value> {
  /** How long an answer counts as fresh. */
  readonly freshMs: number;
  /** More answers than this: the oldest are dropped. */
  readonly most: number;
  /** Whether an answer is small enough to keep. Default: all are. */
  isCached?(value: Value): boolean;
}

/** Returns a function that gives the answer for a name. Each is made at most once in `freshMs`; simultaneous callers share it. Failures are not kept. */
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
    const age = known === undefined || now < known.at ? Infinity : now - known.at; // the clock can be set back
    if (age < freshMs) return known!.value;
    const under = making.get(name);
    if (age >= OLDEST_MS) return under ?? start(name, now, make);
    return under === undefined ? start(name, now, make).catch(() => known!.value) : known!.value;
  };
}
