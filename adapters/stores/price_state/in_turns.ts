import { setImmediate as nextTurn } from "node:timers/promises";

export { nextTurn };

/** This many records are read within a few milliseconds. */
export const TURN_RECORDS = 5_000;

/** This many records are changed within a few milliseconds. */
export const TURN_CHANGES = 250;

/** The selected records in parts, one for each turn of the event loop. Requests are answered between turns. */
export async function* inTurns<Item>(
  records: Iterable<Item>,
  isWanted: (record: Item) => boolean = () => true,
): AsyncGenerator<readonly Item[]> {
  let visited = 0;
  let wanted: Item[] = [];
  for (const record of records) {
    if (isWanted(record)) wanted.push(record);
    if (++visited % TURN_RECORDS > 0) continue;
    yield wanted;
    wanted = [];
    await nextTurn();
  }
  yield wanted;
}
