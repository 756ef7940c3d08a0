import type { Observation } from "../../core/mod.ts";

/** Records as a store hands them out: at once, or as they come from elsewhere. */
export type Records = Iterable<Observation> | AsyncIterable<Observation>;

/** Calls `take` with each record. Where the records are there at once, none of them is waited for: that would take longer than the work. */
export async function eachRecord(records: Records, take: (record: Observation) => void): Promise<void> {
  if (Symbol.iterator in records) for (const record of records) take(record);
  else for await (const record of records) take(record);
}

/** The records that are wanted, as they come. */
export function recordsWhere(records: Records, isWanted: (record: Observation) => boolean): Records {
  function* now(present: Iterable<Observation>): Generator<Observation> {
    for (const record of present) if (isWanted(record)) yield record;
  }
  async function* later(coming: AsyncIterable<Observation>): AsyncGenerator<Observation> {
    for await (const record of coming) if (isWanted(record)) yield record;
  }
  return Symbol.iterator in records ? now(records) : later(records);
}
