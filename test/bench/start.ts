// The time from the start of the process to the first answer, on an empty store, and the memory in use after some
// thousand answers from a store of a million records. The peer is node:http alone. It holds the same records in typed
// arrays of exactly the right size: asset, business time, value and insert time, 25 bytes a record. Ours has read
// them from its log with their checksums, or from the checkpoint of a clean stop (--fast-start), and also holds
// provider, source time, quality and remark. The figure is the resident memory of each process; garbage is collected
// only when the runtime does so itself.
//
//   npx tsx test/bench/start.ts [--rounds N] [--records 1000000]
import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { openJsonFiles } from "../../adapters/json_files/mod.ts";
import { systemClock } from "../../adapters/system.ts";
import { ASSETS } from "../../core/mod.ts";
import type { Observation, UtcMillis } from "../../core/mod.ts";
import { askMany, residentMegabytes, startAndAsk } from "./start/process.ts";
import type { Answered } from "./start/process.ts";
import { temporaryDirectory } from "./support/cleanup.ts";
import { announce, readOptions, wholeNumber } from "./support/options.ts";
import { buildPrograms } from "./support/program.ts";
import { runRounds } from "./support/rounds.ts";
import type { Standings } from "./support/rounds.ts";
import { printTable } from "./support/table.ts";

const MAIN = "adapters/cli/main.ts";
const BARE = "test/bench/start/bare.ts";
const BARE_NAME = "node:http alone";
const REQUESTS = 5_120;
const BATCH = 5_000;
const MEMORY_ROUNDS = 3;

interface Contender {
  readonly name: string;
  /** The arguments of a program that listens on a port. */
  readonly program: (port: number) => readonly string[];
}

const { rounds, format, own } = readOptions("start", { records: "1000000" }, 9);
const records = wholeNumber("records", own["records"]!);
const built = await buildPrograms(MAIN, BARE);
const home = temporaryDirectory();
announce("Start", rounds, [`memory: ${MEMORY_ROUNDS} rounds, after ${REQUESTS} answers; every first answer and every status checked`]);

const empty = join(home, "empty");
await (await startAndAsk((port) => serveArgs(port, empty, "--init"))).stop(); // Makes the directory.
const starters: readonly Contender[] = [
  { name: "mazaneh", program: (port) => serveArgs(port, empty) },
  { name: BARE_NAME, program: (port) => [built(BARE), String(port)] },
];
const starts = await compare(starters, rounds, async ({ milliseconds }) => milliseconds);
print("Start to first answer, empty store", "ms", starts);

const full = join(home, "full");
await fill(full);
run("plans", "set", "MANY", "--daily-units", "1000000000", "--attribution", "no", "--data", full);
const [key = ""] = /mz_live_\w+/.exec(run("keys", "create", "bench", "--plan", "MANY", "--data", full)) ?? [];
const paths = ASSETS.map(({ code }) => `/api/v1/assets/${code}`);
const saved = join(home, "saved");
cpSync(full, saved, { recursive: true });
await (await startAndAsk((port) => serveArgs(port, saved, "--fast-start"))).stop(); // Leaves the checkpoint.
const holders: readonly Contender[] = [
  { name: "mazaneh", program: (port) => serveArgs(port, full) },
  { name: "mazaneh --fast-start", program: (port) => serveArgs(port, saved, "--fast-start") },
  { name: BARE_NAME, program: (port) => [built(BARE), String(port), String(records)] },
];
const loads = await compare(holders, MEMORY_ROUNDS, async ({ milliseconds }) => milliseconds);
print(`Start to first answer, ${records.toLocaleString("en-US")} records`, "ms", loads);
const memory = await compare(holders, MEMORY_ROUNDS, async ({ port, pid }) => {
  await askMany(port, paths, key, REQUESTS);
  return residentMegabytes(pid);
});
print(`Memory with ${records.toLocaleString("en-US")} records, after ${REQUESTS.toLocaleString("en-US")} answers`, "MB resident", memory);
process.exit(0);

/** Starts all of them again in each round. */
function compare(contenders: readonly Contender[], times: number, cost: (server: Answered) => Promise<number>): Promise<Standings> {
  const contestants = contenders.map(({ name, program }) => ({
    name,
    async run() {
      const server = await startAndAsk(program);
      const figure = await cost(server);
      await server.stop();
      return figure;
    },
  }));
  return runRounds(contestants, { rounds: times });
}

function print(title: string, unit: string, standings: Standings): void {
  const rows = standings.all.map(({ name, median, lowest, highest }) => [
    name,
    median,
    `${lowest.toFixed(0)}-${highest.toFixed(0)}`,
    standings.timesAsFast(BARE_NAME, name).toFixed(2),
  ]);
  printTable({ title, columns: ["program", unit, "spread", `x ${BARE_NAME}`], rows }, format);
}

function serveArgs(port: number, data: string, ...more: readonly string[]): readonly string[] {
  return [built(MAIN), "serve", "--port", String(port), "--data", data, ...more];
}

function run(...args: readonly string[]): string {
  return execFileSync(process.execPath, [built(MAIN), ...args], { encoding: "utf8" });
}

/** Fills a new store with records of all assets in turn, a minute apart, up to now. */
async function fill(directory: string): Promise<void> {
  const store = await openJsonFiles(directory, { clock: systemClock });
  const minutes = Math.ceil(records / ASSETS.length);
  const start = Math.floor(systemClock() / 60_000 - minutes) * 60_000;
  let batch: Observation[] = [];
  for (let n = 0; n < records; n++) {
    const { code } = ASSETS[n % ASSETS.length]!;
    const businessTime = (start + Math.floor(n / ASSETS.length) * 60_000) as UtcMillis;
    const value = 1_000_000 + (n % 9_973) * 50;
    const insertTime = (businessTime + 1_500) as UtcMillis;
    const plain = { sourceTime: null, provider: "manual", qualityStatus: "ACCEPTED", qualityMessage: "" } as const;
    batch.push({ code, value, businessTime, insertTime, ...plain });
    if (batch.length < BATCH && n < records - 1) continue;
    await store.observations.append(batch);
    batch = [];
  }
  await store.close();
}
