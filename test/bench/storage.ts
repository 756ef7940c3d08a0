import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { atEnd } from "./support/cleanup.ts";
import { announce, readOptions, wholeNumber } from "./support/options.ts";
import { runRounds } from "./support/rounds.ts";
import type { Contestant, Standings } from "./support/rounds.ts";
import { printTable } from "./support/table.ts";
import type { Cell } from "./support/table.ts";
import { collectGarbage, millisecondsOf } from "./support/timing.ts";
import { startSqlite } from "./storage/sqlite.ts";
import type { Sqlite } from "./storage/sqlite.ts";
import { ORDERS, importing, starting, startingWithBadLines } from "./storage/orders.ts";
import { appendBatches, fillStore, observation, openStore, readPlainly } from "./storage/work.ts";

// Measures the JSON-file store beside SQLite and beside the simplest reader of the same bytes, in turns:
//   npx tsx test/bench/storage.ts [--observations 1000000] [--rounds 5] [--markdown | --json]

const BATCH = 1_000;
const CALLERS = 256;
const BATCHED_ROWS = 200_000;
const SINGLE_ROWS = 51_200;
/** Each of its rows takes a sync, so the time of a row does not depend on their number. */
const SQLITE_SINGLE_ROWS = 2_000;
const BAD_ROWS = 120_000;
const [OURS, SQLITE] = ["json files", "SQLite, WAL, synchronous=FULL"];
const [LOG, SNAPSHOT, PLAIN] = ["from the log, checksums verified", "from the snapshot", 'split("\\n") and JSON.parse'];

const { rounds, format, own } = readOptions("storage", { observations: "1000000" });
const count = wholeNumber("observations", own["observations"]!);
announce("storage", rounds, [`${count.toLocaleString("en-US")} observations to start with`]);

// In the repository, because the directory of temporary files may be in memory, where a sync costs nothing.
const cache = fileURLToPath(new URL("../../.cache/bench/", import.meta.url));
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, "storage-"));
atEnd(() => rmSync(folder, { recursive: true, force: true }));

const rows = Array.from({ length: BATCHED_ROWS }, (_, n) => observation(n));
const sqlite = await startSqlite(folder);
let made = 0;

await measureAppends(`durable append, batches of ${BATCH.toLocaleString("en-US")}`, BATCH, 8, rows, rows);
const [singles, theirSingles] = [rows.slice(0, SINGLE_ROWS), rows.slice(0, SQLITE_SINGLE_ROWS)];
await measureAppends(`durable append, ${CALLERS} callers each awaiting its own row`, 1, CALLERS, singles, theirSingles);
await measureStarts();
await measureOrders();
await measureBadLines();
process.exit();

async function measureAppends(title: string, batch: number, callers: number, ours: typeof rows, theirs: typeof rows): Promise<void> {
  const batches = Array.from({ length: Math.ceil(ours.length / batch) }, (_, i) => ours.slice(i * batch, (i + 1) * batch));
  const contestants: Contestant[] = [
    {
      name: OURS!,
      async run() {
        const directory = join(folder, `store-${made++}`);
        const store = await openStore(directory);
        const took = await millisecondsOf(() => appendBatches(store, batches, callers));
        await store.close();
        rmSync(directory, { recursive: true });
        return took / ours.length;
      },
    },
    ...(sqlite ? [{ name: SQLITE!, run: async () => (await (sqlite as Sqlite).append(theirs, batch)) / theirs.length }] : []),
  ];
  const standings = await runRounds(contestants, { rounds, before: () => collectGarbage() });
  print(title, "rows a second", standings, SQLITE!, (cost) => Math.round(1_000 / cost).toLocaleString("en-US"));
}

async function measureStarts(): Promise<void> {
  const directory = join(folder, "filled");
  await fillStore(directory, count, BATCH);
  function start(name: string, fastStart: boolean): Contestant {
    return {
      name,
      async run() {
        const began = performance.now();
        const store = await openStore(directory, fastStart);
        const took = performance.now() - began;
        await store.close();
        return took / 1_000;
      },
    };
  }
  const plain = { name: PLAIN!, run: async () => (await readPlainly(directory, count)) / 1_000 };
  const standings = await runRounds([start(LOG!, false), start(SNAPSHOT!, true), plain], { rounds, before: () => collectGarbage() });
  print(`start with ${count.toLocaleString("en-US")} observations`, "seconds", standings, PLAIN!, (cost) => cost);
}

/** Rows of one asset, newest first or in no order, beside the same rows oldest first: imported, and at each start. */
async function measureOrders(): Promise<void> {
  const rows = count.toLocaleString("en-US");
  const options = { rounds, before: () => collectGarbage() };
  const imports = await runRounds(ORDERS.map((order) => importing(folder, count, order)), options);
  print(`import of ${rows} rows of one asset`, "seconds", imports, ORDERS[0], (cost) => cost);
  const starts = await runRounds(ORDERS.map((order) => starting(folder, order)), options);
  print(`start with ${rows} rows of one asset`, "seconds", starts, ORDERS[0], (cost) => cost);
}

async function measureBadLines(): Promise<void> {
  const contestants = [await startingWithBadLines(folder, BAD_ROWS, false), await startingWithBadLines(folder, BAD_ROWS, true)];
  const standings = await runRounds(contestants, { rounds, before: () => collectGarbage() });
  print(`start with ${BAD_ROWS.toLocaleString("en-US")} lines`, "seconds", standings, contestants[0]!.name, (cost) => cost);
}

function print(title: string, unit: string, standings: Standings, peer: string, show: (cost: number) => Cell): void {
  const body = standings.all.map(({ name, median, lowest, highest }): Cell[] => [
    ...[name, show(median), show(lowest), show(highest)],
    standings.has(peer) ? `${standings.timesAsFast(name, peer).toFixed(2)} x` : "-",
  ]);
  printTable({ title, columns: ["", `${unit}, median`, "fastest", "slowest", `as fast as ${peer}`], rows: body }, format);
}
