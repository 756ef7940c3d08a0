import type { Observation } from "../../core/mod.ts";

/** Records as a store hands them out: at once, or as they come from elsewhere. */
export type Records = Iterable<Observation> | AsyncIterable<Observation>;

/** Calls `take` with each record. Where the records are there at once, none of them is waited for: that would take longer than the work. */
export async function eachRecord(records: Records, take: (record: Observation) => void): Promise<void> {
  if (Symbol.iterator in records) for (const record of records) take(record);
  else for await (const record of records) take(record);
}
