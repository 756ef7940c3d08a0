import { createMemoryStore } from "../../../adapters/memory_store.ts";
import { nodeSha256 } from "../../../adapters/node/digest.ts";
import { requestIds } from "../../../adapters/system.ts";
import { ASSETS, createApi } from "../../../core/mod.ts";
import type { Observation, UtcMillis } from "../../../core/mod.ts";
import { nanosecondsEach } from "../core/measure.ts";
import type { Answering } from "../core/measure.ts";
import { createKeyedStore, requestMaker, textOf } from "../support/in_process.ts";
import type { RequestMaker } from "../support/in_process.ts";
import { announce, readOptions, wholeNumber } from "../support/options.ts";
import { runRounds } from "../support/rounds.ts";
import { printTable } from "../support/table.ts";
import type { Cell } from "../support/table.ts";
import { collectGarbage } from "../support/timing.ts";

const DAY = 86_400_000;
const SPAN_DAYS = 71;
const HISTORY_DAYS = 31;
/** More distinct requests than the response cache holds. */
const REQUESTS = 5_000;
const BATCH = 5_000;
const NOW = Date.UTC(2026, 10, 21, 10) as UtcMillis;
const START = NOW - SPAN_DAYS * DAY;

const { rounds, format, own } = readOptions("scale", { sizes: "10000,1000000,10000000", ms: "100" });
const sizes = own["sizes"]!.split(",").map((size) => wholeNumber("sizes", size));
const milliseconds = wholeNumber("ms", own["ms"]!);
announce("Scale", rounds, [`${ASSETS.length} assets over ${SPAN_DAYS} days; ${REQUESTS} random requests of each kind`]);

const keyed = await createKeyedStore(NOW);
const memory: Cell[][] = [];
const apis = new Map<string, Answering>();
for (const size of sizes) apis.set(size.toLocaleString("en-US"), await filledApi(size));
const [smallest] = [...apis.keys()];
const kinds: readonly (readonly [kind: string, makers: readonly RequestMaker[]])[] = [
  ["latest", makersOf((asset) => asset)],
  ["one day", makersOf((asset, random) => `${asset}/${date(1 + random(SPAN_DAYS - 2))}`)],
  ["31-day history", makersOf((asset, random) => historyOf(asset, 1 + random(SPAN_DAYS - HISTORY_DAYS - 2)))],
];
console.error(`Answers checked: ${await check()}`);

const rows: Cell[][] = [];
for (const [kind, makers] of kinds) {
  const standings = await runRounds(
    [...apis].map(([name, answering]) => ({ name, run: () => nanosecondsEach(answering, makers, milliseconds) })),
    { rounds },
  );
  for (const { name, median, lowest, highest } of standings.all) {
    const times = standings.timesAsFast(smallest!, name).toFixed(2);
    rows.push([kind, name, median, `${Math.round(lowest)}-${Math.round(highest)}`, times]);
  }
}
const columns = ["request", "observations", "ns an answer", "spread", `time relative to ${smallest}`];
printTable({ title: "Scale", columns, rows }, format);
printTable({ title: "Memory of the store", columns: ["observations", "bytes each", "s to append"], rows: memory }, format);
process.exit(0);

/** An API on a store of its own, filled by appending. */
async function filledApi(size: number): Promise<Answering> {
  collectGarbage();
  const before = process.memoryUsage();
  const began = performance.now();
  const { observations } = createMemoryStore();
  let batch: Observation[] = [];
  for (let n = 0; n < size; n++) {
    batch.push(observation(n, size));
    if (batch.length < BATCH && n < size - 1) continue;
    await observations.append(batch);
    batch = [];
  }
  const seconds = (performance.now() - began) / 1_000;
  collectGarbage();
  const after = process.memoryUsage();
  const bytes = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
  memory.push([size.toLocaleString("en-US"), bytes / size, seconds]);
  const { accounts, quota } = keyed.store;
  return createApi({ clock: () => NOW, requestIds, sha256: nodeSha256, observations, accounts, quota });
}

/** The n-th of `size` observations: all assets in turn, spread evenly over the span. */
function observation(n: number, size: number): Observation {
  const { code } = ASSETS[n % ASSETS.length]!;
  const steps = Math.ceil(size / ASSETS.length);
  const businessTime = (START + Math.floor(((Math.floor(n / ASSETS.length) + 1) * SPAN_DAYS * DAY) / steps)) as UtcMillis;
  const insertTime = (businessTime + 1_500) as UtcMillis;
  const value = 1_000_000 + ((n * 7_919) % 9_973) * 50;
  const plain = { sourceTime: null, provider: "manual", qualityStatus: "ACCEPTED", qualityMessage: "" } as const;
  return { code, value, businessTime, insertTime, ...plain };
}

/** Requests for random assets, the same in every run. */
function makersOf(path: (asset: string, random: (below: number) => number) => string): readonly RequestMaker[] {
  let state = 12_345;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const target = (): string => `/api/v1/assets/${path(ASSETS[random(ASSETS.length)]!.code, random)}`;
  return Array.from({ length: REQUESTS }, () => requestMaker(target(), keyed.key));
}

function historyOf(asset: string, first: number): string {
  return `${asset}/history?from=${date(first)}&to=${date(first + HISTORY_DAYS)}`;
}

/** The date of a day of the span. */
function date(day: number): string {
  return new Date(START + day * DAY).toISOString().slice(0, 10);
}

/** Checks that every size answers every request with the same number of records. */
async function check(): Promise<string> {
  for (const [kind, makers] of kinds) {
    for (const maker of makers) {
      const answers = await Promise.all([...apis.values()].map((answering) => answering(maker.make())));
      const counts = answers.map((answer) => textOf(answer).split('"code":').length - 1);
      const wanted = kind === "31-day history" ? HISTORY_DAYS + 1 : 1;
      if (counts.some((count) => count !== wanted)) throw new Error(`${maker.make().target}: ${counts.join(", ")} records, not ${wanted}`);
    }
  }
  return `${kinds.length * REQUESTS} requests, each with as many records in stores of every size`;
}
