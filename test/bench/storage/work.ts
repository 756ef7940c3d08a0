import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { openJsonFiles } from "../../../adapters/json_files/mod.ts";
import type { JsonFileStore } from "../../../adapters/json_files/mod.ts";
import { ASSETS } from "../../../core/market/assets.ts";
import type { UtcMillis } from "../../../core/brand.ts";
import type { Observation } from "../../../core/market/observation.ts";
import { millisecondsOf } from "../support/timing.ts";

const START = Date.parse("2024-01-01T00:00:00Z");
const NOW = Date.parse("2026-11-21T10:00:00Z") as UtcMillis;
/** Enough that the next group fills while one is written. */
const FEEDERS = 8;

/** The n-th of many observations: all assets in turn, one minute after the other. */
export function observation(n: number): Observation {
  const { code } = ASSETS[n % ASSETS.length]!;
  const businessTime = (START + Math.floor(n / ASSETS.length) * 60_000) as UtcMillis;
  const plain = { sourceTime: null, provider: "manual", qualityStatus: "ACCEPTED", qualityMessage: "" } as const;
  return { code, value: 1_000_000 + (n % 9_973) * 50, businessTime, insertTime: (businessTime + 1_500) as UtcMillis, ...plain };
}

/** Opens a store as a server does. */
export function openStore(directory: string, fastStart = false): Promise<JsonFileStore> {
  return openJsonFiles(directory, { clock: () => NOW, fastStart });
}

/** Appends batches to a store; each waits until an earlier one is acknowledged. */
export async function appendBatches(store: JsonFileStore, batches: Iterable<readonly Observation[]>, callers = FEEDERS): Promise<void> {
  const next = batches[Symbol.iterator]();
  async function feed(): Promise<void> {
    for (let batch = next.next(); batch.done !== true; batch = next.next()) await store.observations.append(batch.value);
  }
  await Promise.all(Array.from({ length: callers }, feed));
}

/** Fills a new store with this many observations. */
export async function fillStore(directory: string, count: number, batchSize: number): Promise<void> {
  const store = await openStore(directory, true);
  function* batches(): Generator<readonly Observation[]> {
    for (let from = 0; from < count; from += batchSize) {
      yield Array.from({ length: Math.min(batchSize, count - from) }, (_, i) => observation(from + i));
    }
  }
  await appendBatches(store, batches());
  await store.close();
}

/**
 * The milliseconds for reading a log in the simplest way: no checksum, no order, no columns. The objects of a
 * file are dropped before the next one, because ten million of them do not fit into the heap.
 */
export async function readPlainly(directory: string, count: number): Promise<number> {
  const folder = join(directory, "obs");
  let found = 0;
  const took = await millisecondsOf(async () => {
    for (const name of await readdir(folder)) {
      if (!name.endsWith(".ndjson")) continue;
      const text = await readFile(join(folder, name), "utf8");
      const records: unknown[] = [];
      for (const line of text.split("\n")) if (line !== "") records.push(JSON.parse(line));
      found += records.length;
    }
  });
  if (found < count) throw new Error(`Only ${found} records were read`);
  return took;
}
