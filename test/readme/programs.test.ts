// The README's programs, run as they stand there: only the package name becomes the sources, and the port a free one.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { SETTINGS, SETTING_NAMES, flagOf, variableOf } from "../../adapters/cli/settings.ts";
import type { SettingName } from "../../adapters/cli/settings.ts";
import { ASSETS } from "../../core/market/assets.ts";
import { ROUTES } from "../../core/routes/table.ts";
import { LOADER } from "../support/cli.ts";
import { pageText } from "./pages.ts";

const README = pageText("README.md");
const folder = mkdtempSync(join(tmpdir(), "mazaneh-readme-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test("readme: the embedded program answers as printed", async () => {
  const { port, output, stop } = await start("embedded");
  try {
    const key = await output(/^mz_live_\w+$/m);
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/assets/USD_RLS/2026-08-21`, { headers: { "X-API-Key": key } });
    assert.equal(await answer.text(), printedAnswer("127.0.0.1:8081/api/v1/assets/USD_RLS/2026-08-21"));
    assert.equal(await (await fetch(`http://127.0.0.1:${port}/`)).text(), "our own page");
  } finally {
    await stop("SIGKILL");
  }
});

test("readme: the standalone program answers as printed, and ends by itself after SIGTERM", async () => {
  const { port, stop } = await start("standalone");
  const answer = await untilAnswered(`http://127.0.0.1:${port}/api/v1/status`);
  const printed = printedAnswer("127.0.0.1:8082/api/v1/status").split('"serverTime"')[0]!;
  assert.ok(answer.startsWith(printed), answer);
  assert.match(answer, new RegExp(`"documentationUrl":"http://127\\.0\\.0\\.1:${port}/docs","endpoints":\\["GET /api/v1/assets",`));
  assert.equal(await stop("SIGTERM"), 0);
});

test("readme: the fetch handler answers as printed", async () => {
  const { path } = writeProgram("worker", 8083);
  const module: unknown = await import(pathToFileURL(path).href);
  const { fetch: handle } = (module as { default: { fetch(request: Request): Promise<Response> } }).default;
  const key = await (await handle(new Request("http://127.0.0.1:8083/key"))).text();
  const target = "http://127.0.0.1:8083/api/v1/assets?codes=BTC_USD";
  const answer = await handle(new Request(target, { headers: { Authorization: `ApiKey ${key}` } }));
  assert.equal(await answer.text(), printedAnswer("127.0.0.1:8083/api/v1/assets?codes=BTC_USD"));
});

for (const [page, names] of [
  ["README.md", SETTING_NAMES.filter((name) => !isOfMirror(name))],
  ["adapters/mirror/README.md", SETTING_NAMES.filter(isOfMirror)],
] as const) {
  test(`readme: the table of settings in ${page} is that of the program`, () => {
    const rows = names.map((name) => {
      const { summary, fallback } = SETTINGS[name];
      return `| \`--${flagOf(name)}\` | \`${variableOf(name)}\` | \`${name}\` | \`${String(fallback)}\` | ${summary} |`;
    });
    const table = ["| Flag | Variable | In the file | Default | |", "|---|---|---|---|---|", ...rows].join("\n");
    assert.equal(/<!-- settings -->\n(.*)\n<!-- \/settings -->/s.exec(readFileSync(page, "utf8"))?.[1], table);
  });
}

/** Details of a mirror, which stand on its own page. */
function isOfMirror(name: SettingName): boolean {
  return /^mirror./.test(name);
}

test("readme: the number of assets is that of the catalog", () => {
  assert.equal(Number(/for (\d+) Iranian-market and crypto assets/.exec(README)?.[1]), ASSETS.length);
});

test("readme: the table of routes has the nine routes in their order", () => {
  const named = [...README.matchAll(/^\| `((?:GET|POST) \/api[^`]*)` \|/gm)].map(([, route]) => route);
  assert.deepEqual(named, ROUTES.map(({ method, path }) => `${method} ${path}`));
});

interface Program {
  readonly port: number;
  /** Waits until the program has printed something, and gives it. */
  output(pattern: RegExp): Promise<string>;
  /** Ends the program; resolves to its exit code. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

async function start(name: string): Promise<Program> {
  const { path, port } = writeProgram(name, await freePort());
  const child = spawn(process.execPath, [...LOADER, path], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  return {
    port,
    async output(pattern) {
      for (let tries = 0; tries < 400 && child.exitCode === null; tries++) {
        const [found] = pattern.exec(printed) ?? [];
        if (found !== undefined) return found;
        await new Promise((done) => setTimeout(done, 50));
      }
      throw new Error(`The program ${name} did not print ${pattern}: received "${printed}"`);
    },
    async stop(signal) {
      child.kill(signal);
      const [code] = (await exited) as [number | null];
      return code;
    },
  };
}

/** Writes a program of the README into the folder, where its package is these sources. */
function writeProgram(name: string, port: number): { path: string; port: number } {
  const [, program] = new RegExp("```ts\\n(// " + name + "\\.ts.*?)```", "s").exec(README) ?? [];
  assert.ok(program, `the README has the program ${name}.ts`);
  const doors = (JSON.parse(readFileSync("package.json", "utf8")) as { exports: Record<string, { default: string }> }).exports;
  const sources = program
    .replace(/from "mazaneh(\/[^"]*)?"/g, (_, door: string = "") => {
      const built = doors[`.${door}`]?.default;
      assert.ok(built, `package.json has the door mazaneh${door}`);
      return `from ${JSON.stringify(pathToFileURL(resolve(built.replace("./dist/", "").replace(/\.js$/, ".ts"))).href)}`;
    })
    .replace(/\b808[123]\b/g, String(port));
  const path = join(folder, `${name}.ts`);
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(path, sources);
  return { path, port };
}

/** The answer that the README prints under a call of this URL. */
function printedAnswer(url: string): string {
  const lines = README.split("\n");
  const call = lines.findIndex((line) => line.startsWith("$ curl ") && line.endsWith(url));
  assert.notEqual(call, -1, `the README calls ${url}`);
  return lines[call + 1]!;
}

async function untilAnswered(url: string): Promise<string> {
  for (let tries = 0; tries < 400; tries++) {
    try {
      return await (await fetch(url)).text();
    } catch {
      await new Promise((done) => setTimeout(done, 50));
    }
  }
  throw new Error(`Nobody answered at ${url}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
