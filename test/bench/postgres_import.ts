import { fork } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { migrate, openPostgres } from "../../adapters/postgres/mod.ts";
import { systemClock as clock } from "../../adapters/system.ts";
import { ASSETS } from "../../core/mod.ts";
import { atEnd } from "./support/cleanup.ts";
import { announce, readOptions, wholeNumber } from "./support/options.ts";
import { runRounds } from "./support/rounds.ts";
import type { Contestant } from "./support/rounds.ts";
import { printTable } from "./support/table.ts";
import { collectGarbage, millisecondsOf } from "./support/timing.ts";
import { measureCommands } from "./postgres_import/commands.ts";
import { observation } from "./storage/work.ts";

// Measures how fast records are stored in PostgreSQL, by the store and by the whole command, beside COPY, which is the fastest
// way in, in turns:
//   npx tsx test/bench/postgres_import.ts [--observations 400000] [--rounds 3] [--markdown | --json]

const BATCH = 50_000;
const COPY = "COPY from a file, a table with the same primary key";
const WITHOUT_KEY = "COPY from a file, a table without a key";
const APPEND = "append, with roll-up, providers and versions";
const AGAIN = "append of records that are there already";

const { rounds, format, own } = readOptions("postgres_import", { observations: "400000" }, 3);
const count = wholeNumber("observations", own["observations"]!);
announce("postgres_import", rounds, [`${count.toLocaleString("en-US")} observations of ${ASSETS.length} assets, batches of ${BATCH.toLocaleString("en-US")}`]);

// In the repository, because the directory of temporary files may be in memory.
const cache = fileURLToPath(new URL("../../.cache/bench/", import.meta.url));
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, "import-"));
chmodSync(folder, 0o755); // the server reads the file as another user
atEnd(() => rmSync(folder, { recursive: true, force: true }));
const url = await startServer();
const pool = new pg.Pool({ connectionString: url, max: 2 });

const rows = Array.from({ length: count }, (_, n) => observation(n));
const batches = Array.from({ length: Math.ceil(count / BATCH) }, (_, i) => rows.slice(i * BATCH, (i + 1) * BATCH));
const file = join(folder, "observations.tsv");
const places = new Map(ASSETS.map(({ code }, i) => [code, i + 1]));
writeFileSync(file, rows.map(({ code, businessTime, insertTime, value }) => `${businessTime}\t${insertTime}\t\\N\t${value}\t${places.get(code)}\t0\tmanual\t\t\\N\n`).join(""));
await migrate(pool);
const { observations, close } = await openPostgres(pool, { clock, follow: false });
await pool.query("CREATE TABLE keyed (LIKE mazaneh.observations INCLUDING ALL)");
await pool.query("CREATE TABLE plain (LIKE mazaneh.observations)");

const copy = (name: string, table: string): Contestant => ({ name, run: () => emptied(table, () => pool.query(`COPY ${table} FROM '${file}'`)) });
const standings = await runRounds(
  [
    copy(COPY, "keyed"),
    copy(WITHOUT_KEY, "plain"),
    { name: APPEND, run: () => emptied("mazaneh.observations, mazaneh.rollup, mazaneh.providers", append) },
    { name: AGAIN, run: async () => (await emptied("mazaneh.observations, mazaneh.rollup, mazaneh.providers", append), (await millisecondsOf(append)) / count) },
  ],
  { rounds, before: () => collectGarbage() },
);
printTable(
  {
    title: "Records into PostgreSQL",
    columns: ["", "records a second", "of COPY"],
    rows: standings.all.map(({ name, median }) => [name, Math.round(1_000 / median).toLocaleString("en-US"), standings.of(COPY).median / median]),
  },
  format,
);
await close();
const commands = await measureCommands({ rows, rounds, folder, url, empty: emptySchema, copy: () => emptied("keyed", () => pool.query(`COPY keyed FROM '${file}'`)) });
printTable(
  {
    title: "The whole command, from its start to its end",
    columns: ["", "records a second", "of COPY in the same round"],
    rows: commands.map(({ name, median, ofCopy }) => [name, Math.round(1_000 / median).toLocaleString("en-US"), ofCopy]),
  },
  format,
);
await pool.end();
process.exit();

async function append(): Promise<void> {
  for (const batch of batches) await observations.append(batch);
}

async function emptySchema(): Promise<void> {
  await pool.query("DROP SCHEMA mazaneh CASCADE");
  await migrate(pool);
  await pool.query("CHECKPOINT");
}

/** The milliseconds for a record. */
async function emptied(tables: string, work: () => Promise<unknown>): Promise<number> {
  await pool.query(`TRUNCATE ${tables}`);
  await pool.query("CHECKPOINT");
  return (await millisecondsOf(work)) / count;
}

async function startServer(): Promise<string> {
  const child = fork(fileURLToPath(new URL("postgres_import/server.ts", import.meta.url)), { stdio: ["ignore", "ignore", "inherit", "ipc"], env: { ...process.env, TMPDIR: folder } });
  atEnd(() => child.kill("SIGTERM"));
  const [url] = (await Promise.race([once(child, "message"), once(child, "exit")])) as [string | number];
  if (typeof url === "string" && url !== "missing") return url;
  throw new Error("PostgreSQL is needed here: apt-get install postgresql");
}
