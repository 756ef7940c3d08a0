// What commands and pages cost beside a server with many records in files: processor time and memory of the command and of the
// server, and the longest turn of the server's event loop.
//
//   npx tsx test/bench/scale.ts [--records 1000000]
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ASSETS } from "../../core/mod.ts";
import { withPort } from "./support/installation.ts";
import { buildPrograms, start, temporaryDirectory } from "./support/processes.ts";
import { begin, digits, printTable } from "./support/report.ts";

const [MAIN, FILL] = ["adapters/cli/main.ts", "test/bench/scale/fill.ts"] as const;
const PROBE = new URL("support/probe.mjs", import.meta.url).href;
const MEGABYTE = 1 << 20;
const DAY = 86_400_000;

/** What the probe of a process tells. */
interface Usage {
  readonly cpuMs: number;
  readonly rssBytes: number;
  /** The longest turn, in processor time. */
  readonly turnMs: number;
}

const options = begin("scale", { records: "1000000" });
const folder = temporaryDirectory();
const data = process.env["SCALE_DATA"] ?? join(folder, "data");
const usageFile = join(folder, "usage.json");
const built = await buildPrograms(MAIN, FILL);
const end = Math.floor(Date.now() / DAY) * DAY;
const day = new Date(end - DAY / 2).toISOString().slice(0, 10);
const [program, rows] = [built(MAIN), [] as (readonly string[])[]];

execFileSync(process.execPath, [built(FILL), data, options.records, String(end)]);
const { key } = JSON.parse(run("keys", "create", "feed", "--may", "write", "--json")) as { readonly key: string };
measure("keys create, stopped", () => run("keys", "create", "reader"));
measure("get, stopped", () => run("get", "USD_RLS"));
measure("verify, stopped", () => run("verify"));
measure("info, stopped", () => run("info"));
measure("export, stopped", () => run("export", "--out", join(folder, "stopped.csv")));

const args = ["serve", "--port", "0", "--ingest", "--admin-port", "29471", "--data", data];
const server = await withPort(start([program, ...args], {}));
await measureServed("push of a record of each asset", push);
await measureServed("operators' page", async () => (await fetch("http://127.0.0.1:29471/")).text());
await measureServed("imports list, a push is open", () => run("imports", "list"));
await measureServed("undo one record", () => run("imports", "undo", "2"));
await measureServed("withdraw one day", () => run("withdraw", "--code", "USD_RLS", "--from", day, "--to", day));
await measureServed("undo the withdrawal", () => run("imports", "undo", "4"));
await measureServed("get", () => run("get", "USD_RLS", "--from", day, "--to", day));
await measureServed("keys create", () => run("keys", "create", "reader"));
await measureServed("info", () => run("info"));
await measureServed("export", () => run("export", "--out", join(folder, "served.csv")));
server.end();
printTable(
  [
    `${Number(options.records).toLocaleString("en-US")} records`,
    "CPU ms",
    "MB",
    "server: CPU ms",
    "MB more",
    "turn ms",
  ],
  rows,
);
process.exit();

/** Runs the program; the probe leaves what it used. */
function run(command: string, ...more: readonly string[]): string {
  const line = ["--import", PROBE, program, command, ...more, "--data", data];
  return execFileSync(process.execPath, line, { encoding: "utf8", env: { ...process.env, BENCH_USAGE: usageFile } });
}

function measure(title: string, act: () => unknown): void {
  rmSync(usageFile, { force: true });
  act();
  rows.push([title, ...ofCommand(), "", "", ""]);
}

async function measureServed(title: string, act: () => unknown): Promise<void> {
  rmSync(usageFile, { force: true });
  const before = (await server.ask("usage")) as Usage;
  await act();
  const after = (await server.ask("usage")) as Usage;
  const more = (after.rssBytes - before.rssBytes) / MEGABYTE;
  rows.push([title, ...ofCommand(), digits(after.cpuMs - before.cpuMs), digits(more), digits(after.turnMs)]);
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
