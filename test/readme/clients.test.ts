// The programs that the documents show for clients, run as they stand there against a real server with a year of days.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import type { ExecFileOptions } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { nodeListener } from "../../adapters/node/mod.ts";
import { LOADER } from "../support/cli.ts";
import { serveListener } from "../support/serve_listener.ts";
import { createWorld } from "../support/world.ts";
import { pageText } from "./pages.ts";
import { PANDAS, REQUESTS } from "./python_stand_ins.ts";

const execute = promisify(execFile);
/** Runs a program; one that hangs is ended. */
const run = (program: string, args: readonly string[], options: ExecFileOptions = {}): Promise<{ stdout: string }> =>
  execute(program, args, { timeout: 120_000, ...options, encoding: "utf8" });
const folder = mkdtempSync(join(tmpdir(), "mazaneh-clients-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const FIRST_DAY = Date.UTC(2025, 10, 22);
const world = await createWorld();
const records = Array.from({ length: 365 }, (_, day) => ["USD_RLS", 1_900_000.5 + day, new Date(FIRST_DAY + day * 86_400_000 + 28_800_000).toISOString()] as const);
await world.feed(...records, ["USD_RLS", 1, "2025-11-21T08:00:00Z"], ["BTC_USD", 83_125.4, "2026-11-20T09:45:00Z"]);
const origin = await serveListener(nodeListener(world.api));
const csv = ["code,value,businessTime", ...records.map(([code, value, time]) => `${code},${value},${time}`), ""].join("\n");

/** The first program of a language below a heading, which asks this server with this key. */
function programOf(page: Parameters<typeof pageText>[0], heading: string, language: string): string {
  const [, program] = new RegExp(`^## ${heading}\\n.*?^\`\`\`${language}\\n(.*?)^\`\`\``, "ms").exec(pageText(page)) ?? [];
  assert.ok(program, `${page} has a program under ${heading}`);
  assert.ok(program.includes("http://127.0.0.1:8080"));
  return program.replaceAll("http://127.0.0.1:8080", origin);
}

async function usedBy(key: string, work: (env: NodeJS.ProcessEnv) => Promise<string>): Promise<{ output: string; units: number }> {
  const output = await work({ ...process.env, MAZANEH_KEY: key });
  const { headers } = await world.ask("/api/v1/access", { key });
  return { output, units: Number(headers["X-RateLimit-Limit"]) - Number(headers["X-RateLimit-Remaining"]) };
}

test("readme: a year of days into CSV: every day once, for 12 units", async () => {
  const client = pathToFileURL(resolve("adapters/client/mod.ts")).href;
  const path = join(folder, "year.mjs");
  writeFileSync(path, programOf("README.md", "Clients", "js").replace('"mazaneh/client"', JSON.stringify(client)));
  const { key } = await world.account({ units: 50 });
  const { output, units } = await usedBy(key, async (env) => (await run(process.execPath, [...LOADER, path], { env })).stdout);
  assert.equal(output, csv);
  assert.equal(units, 12);
});

test("client: a year of days in Python: every day once, for 12 units", async (context) => {
  const version = await run("python3", ["--version"]).then(({ stdout }) => stdout.trim(), () => undefined);
  if (version === undefined) return context.skip("python3 is not installed");
  const path = join(folder, "year.py");
  writeFileSync(path, programOf("adapters/client/README.md", "A year of days in Python", "python"));
  const isReal = await run("python3", ["-c", "import pandas, requests"]).then(() => true, () => false);
  const modules = join(folder, "stand_ins");
  if (!isReal) {
    mkdirSync(modules);
    writeFileSync(join(modules, "pandas.py"), PANDAS);
    writeFileSync(join(modules, "requests.py"), REQUESTS);
  }
  context.diagnostic(isReal ? `${version} with pandas and requests` : `${version} with stand-ins for pandas and requests, which are not installed`);
  const { key } = await world.account({ units: 50 });
  const { units } = await usedBy(key, async (env) => (await run("python3", [path], { cwd: folder, env: isReal ? env : { ...env, PYTHONPATH: modules } })).stdout);
  assert.equal(readFileSync(join(folder, "usd.csv"), "utf8").replaceAll("\r\n", "\n"), csv);
  assert.equal(units, 12);
});

test("client: the price board shows the prices and the requests that are left, then when the next ones come", async () => {
  const { key } = await world.account({ units: 1 });
  const page = programOf("adapters/client/README.md", "A price board in a page", "html").replace("YOUR_KEY", key);
  const [, script] = /<script type="module">\n(.*)<\/script>/s.exec(page) ?? [];
  const source = script!.replace('"/mazaneh/adapters/client/mod.js"', JSON.stringify(pathToFileURL(resolve("adapters/client/mod.ts")).href));
  // What the page has of a browser: a table, a paragraph, and a timer that the test sets off.
  const path = join(folder, "board.mjs");
  writeFileSync(path, `
    const shown = { rows: [], note: {} };
    const document = { querySelectorAll: () => [{ replaceChildren: () => shown.rows.splice(0), insertRow: () => ({ append: (text) => shown.rows.push(text) }) }, shown.note] };
    async function print() {
      while (!shown.note.textContent) await new Promise((go) => setTimeout(go, 5));
      console.log(JSON.stringify({ rows: shown.rows, note: shown.note.textContent }));
      shown.note.textContent = "";
    }
    async function setInterval(redraw, ms) {
      await print();
      redraw();
      await print();
      console.log(ms);
    }
    ${source}`);
  const { stdout } = await run(process.execPath, [...LOADER, path], { env: { ...process.env, LC_ALL: "en_US.UTF-8", TZ: "UTC" } });
  const lines = stdout.trim().split("\n");
  const at = (time: string): string => new Date(time).toLocaleString("en-US", { timeZone: "UTC" });
  const rowsWanted = [`US Dollar / Iranian Rial: 1,900,364.5 RLS, ${at("2026-11-21T08:00:00Z")}`, `Bitcoin / US Dollar: 83,125.4 USD, ${at("2026-11-20T09:45:00Z")}`];
  assert.deepEqual(JSON.parse(lines[0]!), { rows: rowsWanted, note: "Requests left today: 0" });
  assert.deepEqual(JSON.parse(lines[1]!), { rows: rowsWanted, note: `Next prices: ${at("2026-11-22T00:00:00Z")}` });
  assert.ok((24 * 60 * 60_000) / Number(lines[2]) <= 50, "a plan of 50 units lasts for a day");
});

test("client: its page lists the calls, options and codes that there are", async () => {
  const { createClient } = await import("../../adapters/client/mod.ts");
  const text = pageText("adapters/client/README.md");
  for (const name of Object.keys(createClient({ baseUrl: origin }))) assert.match(text, new RegExp(`\`${name}[(\`]`), name);
  const settings = readFileSync("adapters/client/settings.ts", "utf8");
  const [, options] = /export interface ClientOptions \{(.*?)\n\}/s.exec(settings) ?? [];
  const names = [...options!.matchAll(/readonly (\w+)\??:/g)].map(([, name]) => name!);
  assert.ok(names.length >= 7, `${names.length} options`);
  for (const name of names) assert.ok(text.includes(`| \`${name}\` |`), name);
  const sources = ["exchange.ts", "failures.ts"].map((name) => readFileSync(`adapters/client/${name}`, "utf8")).join("");
  for (const [, code] of sources.matchAll(/"([A-Z]+_[A-Z]+)"|"(TIMEOUT)"/g)) if (code !== undefined && code !== "RATE_LIMITED") assert.ok(text.includes(`\`${code}\``), code);
});
