import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { openJsonFiles } from "../../adapters/json_files/mod.ts";
import type { JsonFileStore } from "../../adapters/json_files/mod.ts";
import { ASSETS } from "../../core/assets.ts";
import type { UtcMillis } from "../../core/brand.ts";
import type { Observation } from "../../core/observation.ts";

// Measures the JSON-file store:  npx tsx test/bench/storage.ts  [observations, default 1000000]
// Times are of one thread; a start is compared with the plainest reader of the same bytes, in turns.

const COUNT = Number(process.argv[2] ?? 1_000_000);
const BATCH = 1_000;
const CALLERS = 256;
const ROUNDS = 5;
const START = Date.parse("2024-01-01T00:00:00Z");
const NOW = Date.parse("2026-11-21T10:00:00Z") as UtcMillis;
const clock = (): UtcMillis => NOW;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;
const directory = await mkdtemp(join(tmpdir(), "mazaneh-bench-"));
try {
  const rows = [...(await measureAppends()), ...(await measureStarts())];
  const width = Math.max(...rows.map(([what]) => what.length));
  for (const [what, figure, wanted] of rows) console.log(`${what.padEnd(width)}  ${figure.padStart(16)}  ${wanted}`);
} finally {
  await rm(directory, { recursive: true, force: true });
}

type Row = readonly [what: string, figure: string, wanted: string];

/** The n-th of many observations: all assets in turn, one after the other. */
function observation(n: number): Observation {
  const { code } = ASSETS[n % ASSETS.length]!;
  const businessTime = (START + Math.floor(n / ASSETS.length) * 60_000) as UtcMillis;
  const plain = { sourceTime: null, provider: "manual", qualityStatus: "ACCEPTED", qualityMessage: "" } as const;
  return { code, value: 1_000_000 + (n % 9_973) * 50, businessTime, insertTime: (businessTime + 1_500) as UtcMillis, ...plain };
}

async function measureAppends(): Promise<readonly Row[]> {
  const store = await openJsonFiles(join(directory, "data"), { clock });
  const batches = Array.from({ length: Math.ceil(COUNT / BATCH) }, (_, i) =>
    Array.from({ length: Math.min(BATCH, COUNT - i * BATCH) }, (_, j) => observation(i * BATCH + j)),
  );
  const inBatches = await secondsOf(async () => {
    let next = 0;
    const feeder = async (): Promise<void> => {
      while (next < batches.length) await store.observations.append(batches[next++]!);
    };
    // While one group is written, the next gathers.
    await Promise.all(Array.from({ length: 8 }, feeder));
  });
  await store.close();

  const other = await openJsonFiles(join(directory, "single"), { clock });
  const singles = Array.from({ length: Math.min(COUNT, 200_000) }, (_, n) => observation(n));
  const oneByOne = await secondsOf(async () => {
    let next = 0;
    const caller = async (): Promise<void> => {
      while (next < singles.length) await other.observations.append([singles[next++]!]);
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
  });
  await other.close();
  return [
    [`acknowledged appends in batches of ${BATCH.toLocaleString("en-US")}`, `${whole(COUNT / inBatches)} /s`, ">= 100,000 /s"],
    [`acknowledged appends by ${CALLERS} single callers`, `${whole(singles.length / oneByOne)} /s`, ""],
  ];
}

async function measureStarts(): Promise<readonly Row[]> {
  const ours: number[] = [];
  const ourCpu: number[] = [];
  const plain: number[] = [];
  const bytesEach: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    plain.push(await secondsOf(readPlainly));
    const before = await settledMemory();
    const cpu = process.cpuUsage();
    let store: JsonFileStore | undefined;
    ours.push(await secondsOf(async () => (store = await openJsonFiles(join(directory, "data"), { clock }))));
    const { user, system } = process.cpuUsage(cpu);
    ourCpu.push((user + system) / 1e6);
    bytesEach.push(((await settledMemory()) - before) / COUNT);
    await store?.close();
  }
  const [start, reader] = [median(ours), median(plain)];
  return [
    [`start with ${COUNT.toLocaleString("en-US")} observations, median of ${ROUNDS}`, `${start.toFixed(2)} s`, "<= 3 s"],
    ["  processor time of it, collecting garbage in other threads included", `${median(ourCpu).toFixed(2)} s`, ""],
    ['  the same bytes by split("\\n") and JSON.parse, kept in an array', `${reader.toFixed(2)} s`, ""],
    ["  ratio", (start / reader).toFixed(2), ""],
    ["memory after the start, an observation", `${median(bytesEach).toFixed(1)} bytes`, "<= 40 bytes"],
  ];
}

/** Reads the log as plainly as can be: no checksum, no order, no columns. */
async function readPlainly(): Promise<void> {
  const records: unknown[] = [];
  const folder = join(directory, "data", "obs");
  for (const name of await readdir(folder)) {
    const text = await readFile(join(folder, name), "utf8");
    for (const line of text.split("\n")) if (line !== "") records.push(JSON.parse(line));
  }
  if (records.length < COUNT) throw new Error(`Only ${records.length} records were read`);
}

async function secondsOf(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  return (performance.now() - start) / 1_000;
}

/** Bytes that are in use when all garbage is collected. */
async function settledMemory(): Promise<number> {
  await new Promise(setImmediate);
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}

function whole(number: number): string {
  return Math.round(number).toLocaleString("en-US");
}
