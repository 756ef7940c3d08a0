// The documented programs must compile together in strict mode, and run unchanged in this process.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { createNodeServer } from "../../adapters/http/node/mod.ts";
import { openJsonFiles } from "../../adapters/stores/json_files/mod.ts";
import { type Page, pageText, programOf, runProgram, sourceOf } from "./pages.ts";

const PROGRAMS: readonly (readonly [page: Page, name: string, heading?: string])[] = [
  ...["embedded", "standalone", "worker", "ask"].map((name) => ["README.md", name] as const),
  ["adapters/stores/postgres/README.md", "setup"],
  ["adapters/stores/postgres/README.md", "instance"],
  ["adapters/feeds/mirror/README.md", "app", "In an app"],
];
const README = pageText("README.md");
const folder = mkdtempSync(join(tmpdir(), "mazaneh-readme-"));
after(() => rmSync(folder, { recursive: true, force: true }));

function programNamed(name: string): string {
  const [page, , heading] = PROGRAMS.find((program) => program[1] === name)!;
  return programOf(page, { language: "ts", ...(heading === undefined ? { file: `${name}.ts` } : { heading }) });
}

test("documents: every TypeScript program compiles unchanged in strict mode", () => {
  const home = join(folder, "compiled");
  mkdirSync(home);
  const files = PROGRAMS.map(([, name]) => `${name}.ts`);
  for (const [, name] of PROGRAMS) {
    const program = programNamed(name).replace(
      /from "(mazaneh[^"]*)"/g,
      (_, from: string) => `from ${JSON.stringify(sourceOf(from))}`,
    );
    writeFileSync(join(home, `${name}.ts`), program);
  }
  writeFileSync(join(home, "package.json"), '{"type":"module"}');
  symlinkSync(resolve("node_modules"), join(home, "node_modules"));
  writeFileSync(
    join(home, "tsconfig.json"),
    JSON.stringify({ extends: resolve("tsconfig.json"), compilerOptions: { noEmit: true }, files, include: [] }),
  );
  execFileSync(process.execPath, [resolve("node_modules/typescript/bin/tsc"), "-p", home], { stdio: "inherit" });
});

test("readme: the embedded program answers as shown", async () => {
  const servers: Server[] = [];
  const stores: { close(): Promise<void> }[] = [];
  let key = "";
  await runProgram(
    programNamed("embedded")
      .replace('"./data"', JSON.stringify(join(folder, "embedded")))
      .replace("8081", "0"),
    {
      createServer: (...args: Parameters<typeof createServer>) => (servers[0] = createServer(...args)),
      openJsonFiles: keepingStores(stores),
      console: { log: (text: string) => (key = text) },
    },
  );
  try {
    const origin = `http://127.0.0.1:${(servers[0]!.address() as AddressInfo).port}`;
    const answer = await fetch(`${origin}/api/v1/assets/USD_RLS/2026-08-21`, { headers: { "X-API-Key": key } });
    assert.equal(await answer.text(), printedAnswer("127.0.0.1:8081/api/v1/assets/USD_RLS/2026-08-21"));
    assert.equal(await (await fetch(`${origin}/`)).text(), "our own page");
  } finally {
    servers[0]!.closeAllConnections();
    servers[0]!.close();
    await stores[0]!.close();
  }
});

test("readme: the standalone program answers as shown, and ends by itself after SIGTERM", async () => {
  let port = 0;
  let stop: () => Promise<void> = async () => assert.fail("the program has no signal listener");
  await runProgram(
    programNamed("standalone")
      .replace('"./data"', JSON.stringify(join(folder, "standalone")))
      .replace("8082", "0"),
    {
      createNodeServer(...args: Parameters<typeof createNodeServer>) {
        const server = createNodeServer(...args);
        return {
          ...server,
          listen: async (address: Parameters<typeof server.listen>[0]) =>
            void ({ port } = await server.listen(address)),
        };
      },
      process: { once: (signal: string, act: () => Promise<void>) => signal === "SIGTERM" && (stop = act) },
    },
  );
  const answer = await (await fetch(`http://127.0.0.1:${port}/api/v1/status`)).text();
  await stop();
  assert.ok(answer.startsWith(printedAnswer("127.0.0.1:8082/api/v1/status").split('"serverTime"')[0]!), answer);
  assert.match(
    answer,
    new RegExp(`"documentationUrl":"http://127\\.0\\.0\\.1:${port}/docs","endpoints":\\["GET /api/v1/assets",`),
  );
  await assert.rejects(fetch(`http://127.0.0.1:${port}/api/v1/status`), "the server has stopped");
  await (await openJsonFiles(join(folder, "standalone"), { clock: Date.now })).close(); // Fails if it is still open.
});

test("readme: the fetch handler answers, and ask.ts prints its answer", async () => {
  const printed: string[] = [];
  const console = { log: (text: string) => printed.push(text) };
  const worker = await runProgram(programNamed("worker"), { console });
  await runProgram(programNamed("ask"), { console, worker: worker["default"], opened: worker["opened"] });
  assert.match(printed[0]!, /^mz_live_/);
  assert.match(printed[1]!, /^\[\{"code":"BTC_USD",.*"value":83125\.4,"businessTime":"2026-11-20T09:45:00\.000Z"\}\]$/);
});

test("mirror: an app's mirror starts and ends; without a key it throws at once", async () => {
  const data = join(folder, "mirror");
  const stores: { close(): Promise<void> }[] = [];
  // Nothing listens at that address, because tests send requests only to their own servers.
  const program = programNamed("app")
    .replaceAll('"./data"', JSON.stringify(data))
    .replace("https://api.example.com", "http://127.0.0.1:1");
  const run = (env: object) =>
    runProgram(program, { process: { env }, openJsonFiles: keepingStores(stores), console: { log: () => undefined } });
  try {
    await run({ MAZANEH_UPSTREAM_KEY: "k" });
    assert.ok(existsSync(join(data, "MANIFEST.json")), "the program has created a store");
    await stores.pop()!.close();
    await assert.rejects(run({}), /TypeError: Cannot mirror because the key must be a text/);
  } finally {
    await stores.pop()?.close();
  }
});

function keepingStores(stores: { close(): Promise<void> }[]) {
  return async (...args: Parameters<typeof openJsonFiles>) => {
    const store = await openJsonFiles(...args);
    stores.push(store);
    return store;
  };
}

/** The answer that the README shows below a call to this URL. */
function printedAnswer(url: string): string {
  const lines = README.split("\n");
  const call = lines.findIndex((line) => line.startsWith("$ curl ") && line.endsWith(url));
  assert.notEqual(call, -1, `the README calls ${url}`);
  return lines[call + 1]!;
}
