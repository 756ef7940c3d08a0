import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Observation } from "../../../core/market/observation.ts";
import type { Contestant } from "../support/rounds.ts";
import { appendBatches, observation, openStore } from "./work.ts";

/** Orders in which a file may hold its rows. */
export const ORDERS = ["oldest first", "newest first", "shuffled"] as const;
export type Order = (typeof ORDERS)[number];

const BATCH = 2_000;

/** Rows of one asset, a minute apart, in batches as an import makes them. */
function* batchesOf(count: number, order: Order): Generator<readonly Observation[]> {
  const { code } = observation(0);
  for (let from = 0; from < count; from += BATCH) {
    yield Array.from({ length: Math.min(BATCH, count - from) }, (_, i) => ({ ...observation(placeOf(from + i, count, order) * 140), code }));
  }
}

function placeOf(n: number, count: number, order: Order): number {
  if (order === "oldest first") return n;
  // 7,919 is a prime that divides no count of rows asked for here, so that each row comes once.
  return order === "newest first" ? count - 1 - n : (n * 7_919) % count;
}

/** Imports so many rows, one batch after the other; the cost is in seconds. */
export function importing(folder: string, count: number, order: Order): Contestant {
  return {
    name: order,
    async run() {
      const directory = join(folder, `order-${order.replace(" ", "-")}`);
      rmSync(directory, { recursive: true, force: true });
      const store = await openStore(directory);
      const began = performance.now();
      await appendBatches(store, batchesOf(count, order), 1);
      const took = performance.now() - began;
      await store.close();
      return took / 1_000;
    },
  };
}

/** Starts a store that was filled by `importing`; the cost is in seconds. */
export function starting(folder: string, order: Order): Contestant {
  return { name: order, run: () => secondsToStart(join(folder, `order-${order.replace(" ", "-")}`)) };
}

/** Makes a store of so many rows, of which every second one is damaged or none is, and tells how long it takes to start, the first time aside. */
export async function startingWithBadLines(folder: string, count: number, isDamaged: boolean): Promise<Contestant> {
  const name = isDamaged ? "half of the lines bad, from the second start on" : "no line bad";
  const directory = join(folder, isDamaged ? "bad" : "good");
  const store = await openStore(directory);
  await appendBatches(store, batchesOf(count, "oldest first"));
  await store.close();
  const files = join(directory, "obs");
  for (const file of isDamaged ? readdirSync(files) : []) {
    let line = 0;
    const text = readFileSync(join(files, file), "latin1");
    writeFileSync(join(files, file), text.replaceAll('"v":"1', (found) => (line++ % 2 === 0 ? found : '"v":"2')), "latin1");
  }
  await secondsToStart(directory);
  return { name, run: () => secondsToStart(directory) };
}

async function secondsToStart(directory: string): Promise<number> {
  const began = performance.now();
  const store = await openStore(directory);
  const took = performance.now() - began;
  await store.close();
  return took / 1_000;
}
