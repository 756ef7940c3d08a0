// Runs the documented client programs unchanged, with a real server that has a year of daily records.
import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { nodeListener } from "../../adapters/http/node/mod.ts";
import { createWorld } from "../support/api_under_test.ts";
import { hasCommand } from "../support/has_command.ts";
import { serveListener } from "../support/serve_listener.ts";
import { pageText, programOf, runProgram } from "./pages.ts";

const folder = mkdtempSync(join(tmpdir(), "mazaneh-clients-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Replaces the Python package `requests` on machines without it. Has the parts that the program uses. */
const REQUESTS = `import json, urllib.parse, urllib.request
class Answer:
    def __init__(self, status, body):
        self.status, self.body = status, body
    def raise_for_status(self):
        if self.status >= 400:
            raise RuntimeError(self.status)
    def json(self):
        return json.loads(self.body)
def get(url, *, params, headers, timeout, allow_redirects):
    assert allow_redirects is False
    request = urllib.request.Request(url + "?" + urllib.parse.urlencode(params), headers=headers)
    with urllib.request.urlopen(request, timeout=timeout) as answer:
        return Answer(answer.status, answer.read())
`;

const FIRST_DAY = Date.UTC(2025, 10, 22);
const world = await createWorld();
const records = Array.from(
  { length: 365 },
  (_, day) =>
    ["USD_RLS", 1_900_000.5 + day, new Date(FIRST_DAY + day * 86_400_000 + 28_800_000).toISOString()] as const,
);
await world.feed(...records, ["USD_RLS", 1, "2025-11-21T08:00:00Z"], ["BTC_USD", 83_125.4, "2026-11-20T09:45:00Z"]);
const origin = await serveListener(nodeListener(world.api));
const csv = ["code,value,businessTime", ...records, ""].join("\n");

/** A program from the client's page, with the address of this server. */
function programBelow(heading: string, language: string): string {
  const program = programOf("adapters/client/README.md", { heading, language });
  assert.match(program, /http:\/\/127\.0\.0\.1:8080/);
  return program.replaceAll("http://127.0.0.1:8080", origin);
}

async function unitsOf(key: string): Promise<number> {
  const { headers } = await world.ask("/api/v1/access", { key });
  return Number(headers["X-RateLimit-Limit"]) - Number(headers["X-RateLimit-Remaining"]);
}

test("client: exporting a year of daily prices to CSV costs 12 units, and writes every day once", async () => {
  const { key } = await world.account({ units: 50 });
  const lines: string[] = [];
  await runProgram(programBelow("A year of days", "js"), {
    process: { env: { MAZANEH_KEY: key } },
    console: { log: (line: string) => lines.push(line) },
  });
  assert.equal([...lines, ""].join("\n"), csv);
  assert.equal(await unitsOf(key), 12);
});

test("client: fetching a year of daily prices in Python costs 12 units, and writes every day once", async (context) => {
  if (!hasCommand("python3")) return context.skip("python3 is not installed");
  const path = join(folder, "year.py");
  writeFileSync(path, programBelow("A year of days", "python"));
  if (spawnSync("python3", ["-c", "import requests"]).status !== 0)
    writeFileSync(join(folder, "requests.py"), REQUESTS);
  const { key } = await world.account({ units: 50 });
  const env = { ...process.env, MAZANEH_KEY: key };
  await promisify(execFile)("python3", [path], { cwd: folder, env, timeout: 300_000 });
  assert.equal(readFileSync(join(folder, "usd.csv"), "utf8").replaceAll("\r\n", "\n"), csv);
  assert.equal(await unitsOf(key), 12);
});

test("client: the client's page lists all calls, options and codes", async () => {
  const { createClient } = await import("../../adapters/client/mod.ts");
  const text = pageText("adapters/client/README.md");
  for (const name of Object.keys(createClient({ baseUrl: origin })))
    assert.match(text, new RegExp(`\`${name}[(\`]`), name);
  const settings = readFileSync("adapters/client/client_options.ts", "utf8");
  const [, options] = /export interface ClientOptions \{(.*?)\n\}/s.exec(settings) ?? [];
  const names = [...options!.matchAll(/readonly (\w+)\??:/g)].map(([, name]) => name!);
  assert.ok(names.length >= 6, `${names.length} options`);
  for (const name of names) assert.ok(text.includes(`| \`${name}\` |`), name);
  const sources = ["send_request.ts", "failures.ts"]
    .map((name) => readFileSync(`adapters/client/${name}`, "utf8"))
    .join("");
  for (const [, code] of sources.matchAll(/"([A-Z]+_[A-Z]+)"|"(TIMEOUT)"/g))
    if (code !== undefined && code !== "RATE_LIMITED") assert.ok(text.includes(`\`${code}\``), code);
});
