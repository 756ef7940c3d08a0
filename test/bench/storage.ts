// Compares appends and imports of the JSON-file store with SQLite, and the start of the store with a simple log reader.
//
//   npx tsx test/bench/storage.ts [--rounds 5]
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { systemClock } from "../../adapters/http/web_system.ts";
import { type JsonFileStore, openJsonFiles } from "../../adapters/stores/json_files/mod.ts";
import { ASSETS, type AssetCode, type Observation } from "../../core/mod.ts";
import { likelyPrice } from "../support/likely_prices.ts";
import { withPort } from "./support/installation.ts";
import { toObservation } from "./support/market.ts";
import { nodeWithSqlite } from "./support/peers.ts";
import { buildPrograms, start, temporaryDirectory } from "./support/processes.ts";
import { begin, compare, millisecondsOf } from "./support/report.ts";

const MAIN = "adapters/cli/main.ts";
const [IMPORT, PUSHES] = ["mazaneh import FILE", "POST /ingest, 1,000 records per request"] as const;
const [SQLITE, PLAIN] = ["SQLite, WAL, synchronous=FULL", 'split("\\n") and JSON.parse'] as const;
const BATCH = 1_000;
const LIKELY = ["USD_RLS", "EUR_RLS", "GBP_RLS", "AED_RLS", "STOCK_IR"] as const;

const COUNT = 1_000_000;
const perSecond = (cost: number): number => Math.round(1_000 / cost);

const { rounds } = begin("storage", {});
const folder = temporaryDirectory();
const main = (await buildPrograms(MAIN))(MAIN);
const node = nodeWithSqlite();
const child = fileURLToPath(new URL("support/sqlite_child.mjs", import.meta.url));
const sqlite = node === undefined ? undefined : start(["--no-warnings", child], { node });
await sqlite?.printed(/(ready)/);
const data = join(folder, "data");

await measureAppends("durable appends, batches of 1,000", { batch: BATCH, callers: 8, ours: 200_000, theirs: 200_000 });
// SQLite syncs after each row here, so its time per row is the same for fewer rows.
const single = { batch: 1, callers: 256, ours: 51_200, theirs: 2_000 };
await measureAppends("durable appends, 256 callers that append one record at a time", single);
await measureImport(200_000);
await measureStarts();
process.exit();

async function measureAppends(
  title: string,
  { batch, callers, ours, theirs }: Readonly<Record<"batch" | "callers" | "ours" | "theirs", number>>,
): Promise<void> {
  const rows = observations(ours);
  const append = async (): Promise<number> => {
    rmSync(data, { recursive: true, force: true });
    const store = await open();
    const took = await millisecondsOf(() => appendAll(store, rows, { batch, callers }));
    await store.close();
    return took / ours;
  };
  await compare([{ name: "JSON files", run: append }, ...inSqlite(rows.slice(0, theirs), batch)], {
    ...{ title, rounds, unit: "rows a second", peers: [SQLITE], show: perSecond },
  });
}

async function measureImport(rows: number): Promise<void> {
  const file = join(folder, "prices.csv");
  const list = likelyObservations(rows);
  const lines = list.map(
    ({ code, value, businessTime }) => `${code},${value},${new Date(businessTime).toISOString()}\n`,
  );
  writeFileSync(file, `code,value,businessTime\n${lines.join("")}`);
  const run = async (): Promise<number> => {
    rmSync(data, { recursive: true, force: true });
    const line = [main, "import", "--init", "--yes", "--doubtful", "accept", "--data", data, file];
    return (await millisecondsOf(() => execFileSync(process.execPath, line, { stdio: "ignore" }))) / rows;
  };
  const pushing = { name: PUSHES, run: () => millisecondsToPush(list) };
  const title = "imports (the whole run of the command) and pushes to a server";
  await compare([{ name: IMPORT, run }, pushing, ...inSqlite(list, BATCH)], {
    ...{ title, rounds, unit: "rows a second", peers: [IMPORT, SQLITE], show: perSecond },
  });
}

/** The time per row, from the first request to the last answer. */
async function millisecondsToPush(list: readonly Observation[]): Promise<number> {
  rmSync(data, { recursive: true, force: true });
  const line = ["keys", "create", "collector", "--may", "write", "--json", "--init", "--data", data];
  const made = execFileSync(process.execPath, [main, ...line], { encoding: "utf8" });
  const { key } = JSON.parse(made) as { readonly key: string };
  const server = await withPort(start([main, "serve", "--port", "0", "--ingest", "--data", data]));
  const headers = { "X-API-Key": key, "Content-Type": "application/json" };
  const records = list.map(({ code, value, businessTime }) => {
    return { code, value, businessTime: new Date(businessTime).toISOString() };
  });
  const bodies = Array.from({ length: list.length / BATCH }, (_, n) =>
    JSON.stringify(records.slice(n * BATCH, (n + 1) * BATCH)),
  );
  const took = await millisecondsOf(async () => {
    for (const body of bodies) {
      const answer = await fetch(`http://127.0.0.1:${server.at}/ingest`, { method: "POST", headers, body });
      const { stored } = (await answer.json()) as { readonly stored: number };
      if (stored !== BATCH) throw new Error(`${answer.status}: only ${stored} of ${BATCH} records were stored`);
    }
  });
  server.end();
  return took / list.length;
}

async function measureStarts(): Promise<void> {
  rmSync(data, { recursive: true, force: true });
  const filling = await open();
  await appendAll(filling, observations(COUNT), { batch: BATCH, callers: 8 });
  await filling.close();
  const run = async (): Promise<number> => {
    let store: JsonFileStore | undefined;
    const took = await millisecondsOf(async () => (store = await open()));
    await store!.close();
    return took / 1_000;
  };
  const contestants = [
    { name: "JSON files, checksums verified", run },
    { name: PLAIN, run: secondsToReadPlainly },
  ];
  await compare(contestants, { title: "start with a million observations", rounds, unit: "seconds", peers: [PLAIN] });
}

function open(): Promise<JsonFileStore> {
  return openJsonFiles(data, { clock: systemClock });
}

/** One observation of every asset for each minute. */
function observations(rows: number): readonly Observation[] {
  const start = Date.UTC(2024, 0, 1);
  return Array.from({ length: rows }, (_, n) => {
    const time = start + Math.floor(n / ASSETS.length) * 60_000;
    return toObservation({ code: ASSETS[n % ASSETS.length]!.code, time, value: 1_000_000 + (n % 9_973) * 50 });
  });
}

/** One observation of each of these assets for each minute, with prices that pass every check. */
function likelyObservations(rows: number): readonly Observation[] {
  return Array.from({ length: rows }, (_, n) => {
    const [code, time] = [LIKELY[n % LIKELY.length]!, Date.UTC(2026, 9, 1) + Math.floor(n / LIKELY.length) * 60_000];
    return toObservation({ code: code as AssetCode, time, value: likelyPrice(code, time) });
  });
}

/** Each caller appends its next batch when the previous batch is acknowledged. */
async function appendAll(
  store: JsonFileStore,
  rows: readonly Observation[],
  { batch, callers }: Readonly<Record<"batch" | "callers", number>>,
): Promise<void> {
  let next = 0;
  async function caller(): Promise<void> {
    for (let from = next; from < rows.length; from = next) {
      next += batch;
      await store.observations.append(rows.slice(from, from + batch));
    }
  }
  await Promise.all(Array.from({ length: callers }, caller));
}

/** A list of one contestant, which appends the same rows to a new SQLite database; empty if SQLite is missing. */
function inSqlite(observed: readonly Observation[], batch: number) {
  if (!sqlite) return [];
  const rows = observed.map((one) => [one.code, one.businessTime, one.value, one.insertTime, one.provider]);
  return [{ name: SQLITE, run: async () => Number(await sqlite.ask({ folder, rows, batch })) / rows.length }];
}

/** Reads the log in the simplest way: ignores checksums and the order of lines, and fills no columns. */
async function secondsToReadPlainly(): Promise<number> {
  let found = 0;
  const took = await millisecondsOf(() => {
    for (const name of readdirSync(join(data, "obs")).filter((name) => name.endsWith(".ndjson"))) {
      for (const line of readFileSync(join(data, "obs", name), "utf8").split("\n"))
        if (line !== "") found += (JSON.parse(line) as { readonly value?: readonly number[] }).value?.length ?? 0;
    }
  });
  if (found < COUNT) throw new Error(`Only ${found} records were read`);
  return took / 1_000;
}
