// Measures the cost of commands, a push and the operators' page while a server with many records runs: elapsed time,
// processor time, memory, and the longest turn of the server's event loop.
//
//   npx tsx test/bench/scale.ts [--records 1000000] [--store files|postgres]
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ASSETS } from "../../core/mod.ts";
import type { EngineUrls } from "./scale_out/engines.ts";
import { withPort } from "./support/installation.ts";
import { buildPrograms, start, temporaryDirectory } from "./support/processes.ts";
import { begin, digits, printTable } from "./support/report.ts";

const SOURCES = ["adapters/cli/main.ts", "test/bench/scale/fill.ts", "test/bench/scale_out/engines.ts"] as const;
const [MAIN, FILL, ENGINES] = SOURCES;
const PROBE = new URL("support/probe.mjs", import.meta.url).href;
const MEGABYTE = 1 << 20;
const DAY = 86_400_000;

/** The resources that a process has used, as reported by its probe. */
interface Usage {
  readonly cpuMs: number;
  readonly rssBytes: number;
  /** The longest turn of the event loop, in processor time. */
  readonly turnMs: number;
}

const options = begin("scale", { records: "1000000", store: "files" });
const folder = temporaryDirectory();
const data = join(folder, "data");
const usageFile = join(folder, "usage.json");
const built = await buildPrograms(...SOURCES);
const database = options.store === "postgres" ? await startDatabase() : undefined;
const place = database === undefined ? ["--data", data] : [];
const env = { ...process.env, ...(database !== undefined && { MAZANEH_STORE: database }) };
const end = Math.floor(Date.now() / DAY) * DAY;
const day = new Date(end - DAY / 2).toISOString().slice(0, 10);
const [program, rows] = [built(MAIN), [] as (readonly string[])[]];

if (database !== undefined) run("migrate");
execFileSync(process.execPath, [built(FILL), database ?? data, options.records, String(end)]);
const { key } = JSON.parse(run("keys", "create", "feed", "--may", "write", "--json")) as { readonly key: string };

const args = ["serve", "--port", "0", "--ingest", "--admin-port", "29471", ...place];
const server = await withPort(start([program, ...args], { env }));
await measure("push of one record per asset", push);
await measure("operators' page", async () => (await fetch("http://127.0.0.1:29471/")).text());
await measure("imports list, during a push", () => run("imports", "list"));
await measure("undo one record", () => run("imports", "undo", "2"));
await measure("withdraw one day", () => run("withdraw", "--code", "USD_RLS", "--from", day, "--to", day));
await measure("undo the withdrawal", () => run("imports", "undo", "4"));
await measure("get", () => run("get", "USD_RLS", "--from", day, "--to", day));
await measure("keys create", () => run("keys", "create", "reader"));
await measure("info", () => run("info"));
await measure("export", () => run("export", "--out", join(folder, "served.csv")));
server.end();
const title = `${Number(options.records).toLocaleString("en-US")} records in ${options.store}`;
printTable([title, "ms", "CPU ms", "MB", "server: CPU ms", "MB more", "turn ms"], rows);
process.exit();

/** Starts PostgreSQL; returns the URL of an empty database. */
async function startDatabase(): Promise<string> {
  const engines = start([built(ENGINES)], { env: { TMPDIR: folder }, stop: "SIGTERM" });
  return (JSON.parse(await engines.printed(/^urls: (.*)$/m)) as EngineUrls).postgres;
}

/** Runs the program with a probe that writes the used resources to `usageFile`. */
function run(command: string, ...more: readonly string[]): string {
  const line = ["--import", PROBE, program, command, ...more, ...place];
  return execFileSync(process.execPath, line, { encoding: "utf8", env: { ...env, BENCH_USAGE: usageFile } });
}

async function measure(title: string, act: () => unknown): Promise<void> {
  rmSync(usageFile, { force: true });
  const before = (await server.ask("usage")) as Usage;
  const begun = performance.now();
  await act();
  const ms = performance.now() - begun;
  const after = (await server.ask("usage")) as Usage;
  const more = (after.rssBytes - before.rssBytes) / MEGABYTE;
  const figures = [after.cpuMs - before.cpuMs, more, after.turnMs].map(digits);
  rows.push([title, digits(ms), ...ofCommand(), ...figures]);
}

function ofCommand(): readonly [string, string] {
  try {
    const { cpuMs, rssBytes } = JSON.parse(readFileSync(usageFile, "utf8")) as Usage;
    return [digits(cpuMs), digits(rssBytes / MEGABYTE)];
  } catch {
    return ["", ""]; // No command was run.
  }
}

async function push(): Promise<void> {
  const records = ASSETS.map(({ code }) => ({ code, value: 1_234_500, businessTime: new Date(end).toISOString() }));
  const headers = { "X-API-Key": key, "Content-Type": "application/json" };
  const answer = await fetch(`http://127.0.0.1:${server.at}/ingest`, {
    ...{ method: "POST", headers, body: JSON.stringify(records) },
  });
  if (!answer.ok) throw new Error(await answer.text());
}
