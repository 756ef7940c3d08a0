import type { UtcMillis } from "../../core/mod.ts";

/** An older answer serves until this age while a newer one is on its way, or cannot be had: a store that hangs holds up only who asked first. */
const OLDEST_MS = 300_000;

/** What bounds the answers that are kept. */
export interface CacheBounds<Value> {
  /** How long an answer is not made anew. */
  readonly freshMs: number;
  /** The oldest beyond so many are dropped. */
  readonly most: number;
  /** Whether an answer is small enough. Default: all are. */
  isCached?(value: Value): boolean;
}

/** Makes what gives the answer of a name, which is made at most once in `freshMs`, for all who ask at once together. Failures are not kept. */
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
    const age = known === undefined || now < known.at ? Infinity : now - known.at; // the clock can run backwards
    if (age < freshMs) return known!.value;
    const under = making.get(name);
    if (age >= OLDEST_MS) return under ?? start(name, now, make);
    return under === undefined ? start(name, now, make).catch(() => known!.value) : known!.value;
  };
}
