import type { Observation } from "../../core/mod.ts";

/** Records as a store hands them out: at once, or as they come from elsewhere. */
export type Records = Iterable<Observation> | AsyncIterable<Observation>;

/** Calls `take` with each record. Where the records are there at once, none of them is waited for: that would take longer than the work. */
export async function eachRecord(records: Records, take: (record: Observation) => void): Promise<void> {
  if (Symbol.iterator in records) for (const record of records) take(record);
  else for await (const record of records) take(record);
}

/** The wanted records in lists, each of which ends where `isWhole` says so of it and the next record. */
export async function* inLists(
  records: Records,
  isWanted: (record: Observation) => boolean,
  isWhole: (list: readonly Observation[], next: Observation) => boolean,
): AsyncGenerator<Observation[]> {
  let list: Observation[] = [];
  /** Adds a record; returns the list that is whole by it. */
  function add(record: Observation): Observation[] | undefined {
    if (!isWanted(record)) return undefined;
    const whole = list.length > 0 && isWhole(list, record) ? list : undefined;
    if (whole) list = [];
    list.push(record);
    return whole;
  }
  if (Symbol.iterator in records) {
    for (const record of records) {
      const whole = add(record);
      if (whole) yield whole;
    }
  } else {
    for await (const record of records) {
      const whole = add(record);
      if (whole) yield whole;
    }
  }
  if (list.length > 0) yield list;
}
