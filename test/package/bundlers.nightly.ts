// Bundles the packed package as apps do, and tests the bundles: Next.js, esbuild, Vite and a Worker.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { nodeSystem } from "../../adapters/http/node/mod.ts";
import { openJsonFiles } from "../../adapters/stores/json_files/mod.ts";
import { createIngest, createKey } from "../../core/mod.ts";
import { programOf } from "../readme/pages.ts";
import { fetchRuntime } from "../runtimes/fetch_runtimes.mjs";
import { running } from "../runtimes/runners.ts";
import { startWorker } from "../runtimes/workerd.ts";
import { startNode } from "../support/start_child.ts";

const VERSIONS = JSON.parse(readFileSync("test/package/bundlers.json", "utf8")) as Record<string, string>;
const ENV = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };
const PRICE = "/api/v1/assets/USD_RLS";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "mazaneh-bundlers-")));
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
/** The app, where the package and the bundlers are installed. Bundles run in other folders, without node_modules. */
const app = join(folder, "app");

/** Programs from the documentation, with their output. While the first program runs, a command makes a key. */
const PROGRAMS: readonly (readonly [name: string, source: string, printed: RegExp])[] = [
  [
    "the embedded program of README.md",
    `${programOf("README.md", { language: "ts", file: "embedded.ts" })
      .replace("8081", "0")
      .replace("createServer(", "const server = createServer(")}
const { execFile } = await import("node:child_process");
const command = ["${app}/node_modules/mazaneh/dist/adapters/cli/main.js", "keys", "create", "you", "--json"];
const { key } = JSON.parse(await new Promise((done) => execFile(process.execPath, command, (_, out) => done(out))));
const { port } = server.address();
const answer = await fetch(\`http://127.0.0.1:\${port}${PRICE}\`, { headers: { "X-API-Key": key } });
console.log(answer.status, await answer.text());
process.exit();
`,
    /^mz_live_\w+\n200 \{"code":"USD_RLS",.*"value":1905000,/,
  ],
  [
    "fixtures/examples/in_process.mjs",
    readFileSync("fixtures/examples/in_process.mjs", "utf8"),
    /^US Dollar \/ Iranian Rial: 1903500 at /,
  ],
];

const WORKER = `
import { createApi, createIngest, createKey } from "mazaneh";
import { fetchHandler } from "mazaneh/fetch";
import { createMemoryStore } from "mazaneh/memory-store";
import { webSystem } from "mazaneh/system";

const store = createMemoryStore();
const handle = fetchHandler(createApi({ ...webSystem, ...store }));
export default {
  async fetch(request) {
    if (new URL(request.url).pathname !== "/key") return handle(request);
    await createIngest({ ...webSystem, ...store })([{ code: "USD_RLS", value: 1905000, businessTime: "2026-08-21T16:30:00Z" }]);
    return new Response(await createKey(store.accounts, webSystem, "me"));
  },
};
`;

before(async () => {
  await run("node", ["build.mjs"], process.cwd());
  const tarball = await run("npm", ["pack", "--silent", "--pack-destination", folder], process.cwd());
  write("package.json", '{"private":true,"type":"module"}');
  const packages = [`../${tarball.trim()}`, ...Object.entries(VERSIONS).map((pair) => pair.join("@"))];
  await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", ...packages], app);
});

for (const [name, source, printed] of PROGRAMS) {
  for (const format of ["esm", "cjs"] as const) {
    test(`esbuild: ${name} runs as one file, ${format}`, async () => {
      const outfile = join(newFolder(), `program.${format === "esm" ? "mjs" : "cjs"}`);
      const contents = inFunction(source);
      const { warnings } = await build({
        ...{ stdin: { contents, resolveDir: app, loader: "ts" }, outfile, format },
        ...{ bundle: true, platform: "node", logLevel: "silent" },
      });
      assert.deepEqual(warnings, []);
      assert.match(await run("node", [outfile], dirname(outfile)), printed);
    });
  }
  test(`vite: ${name} runs as one file`, async () => {
    const outDir = newFolder();
    write("program.ts", source);
    write("vite.config.js", "export default { ssr: { noExternal: true } };");
    await run("node", ["node_modules/vite/bin/vite.js", "build", "--ssr", "program.ts", "--outDir", outDir], app);
    writeFileSync(join(outDir, "package.json"), '{"type":"module"}');
    assert.match(await run("node", [join(outDir, "program.js")], outDir), printed);
  });
}

for (const bundler of ["webpack", "turbopack"]) {
  test(`next build, ${bundler}: a route handler serves prices`, async () => {
    const next = "node_modules/next/dist/bin/next";
    write("app/api/v1/[...path]/route.js", readFileSync("fixtures/examples/next_route.mjs", "utf8"));
    const store = await openJsonFiles(join(app, "data"), nodeSystem);
    await createIngest({ ...nodeSystem, ...store })([
      { code: "USD_RLS", value: 1905000, businessTime: "2026-08-21T16:30:00Z" },
    ]);
    const key = await createKey(store.accounts, nodeSystem, "me");
    await store.close();

    await run("node", [next, "build", `--${bundler}`], app);
    const args = [next, "start", "--hostname", "127.0.0.1", "--port", "0"];
    const server = await running("next", startNode(args, { cwd: app, env: ENV }), /\/\/127\.0\.0\.1:(\d+)/);
    await askPrice(server.origin, key).finally(server.close);
  });
}

const workerd = fetchRuntime("workerd");
test("a Worker that uses the package answers in workerd", { skip: !workerd && "it cannot be fetched" }, async () => {
  const worker = pathToFileURL(write("worker.js", WORKER)).href;
  const { origin, close } = await startWorker("workerd", workerd!, { worker });
  const key = fetch(`${origin}/key`).then((answer) => answer.text());
  await key.then((text) => askPrice(origin, text)).finally(close);
});

async function askPrice(origin: string, key: string): Promise<void> {
  const answer = await fetch(origin + PRICE, { headers: { "X-API-Key": key } });
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  assert.equal((JSON.parse(text) as { value: number }).value, 1905000);
}

/** Runs a program to its end. Resolves to its standard output. */
async function run(program: "node" | "npm", args: readonly string[], cwd: string): Promise<string> {
  return (await promisify(execFile)(program === "node" ? process.execPath : program, args, { cwd, env: ENV })).stdout;
}

/** Writes a file of the app. Returns its path. */
function write(name: string, text: string): string {
  const path = join(app, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function newFolder(): string {
  return mkdtempSync(join(folder, "run-"));
}

/** Moves all code except imports into a function, because CommonJS has no top-level `await`. */
function inFunction(source: string): string {
  return source.replace(/^([^]*\nimport .*\n)([^]*)$/, "$1(async () => {$2})();");
}
