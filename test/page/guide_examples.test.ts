// The examples of the guide, run unchanged against a real server.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { createNodeServer, type NodeServer } from "../../adapters/http/node/mod.ts";
import { fillGuide, guideValues } from "../../adapters/page/guide/guide_values.ts";
import { createWorld } from "../support/api_under_test.ts";
import { printedBy } from "../support/capture_output.ts";
import { blocksOf, DEFAULTS, sectionsOf } from "./guides.ts";

const folder = mkdtempSync(join(tmpdir(), "mazaneh-guide-"));
let server: NodeServer;
let key = "";
let baseUrl = "";

before(async () => {
  const world = await createWorld();
  await world.feed(["USD_RLS", 1_880_000, "2026-01-05T10:00:00Z"], ["USD_RLS", 1_890_000, "2026-03-10T10:00:00Z"]);
  await world.feed(["USD_RLS", 1_905_000, "2026-08-21T16:30:00Z"], ["BTC_USD", 83_125.4, "2026-08-21T16:30:00Z"]);
  ({ key } = await world.account({ units: 50 }));
  server = createNodeServer(world.api);
  const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
  baseUrl = `http://127.0.0.1:${port}`;
});
after(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What each example prints, in the order of the guide. test/openapi/ tests the generated client. */
const EXPECTED: readonly (readonly [language: string, output: RegExp])[] = [
  ["sh", /^\{"status":"OK"/],
  ["sh", /^\{"code":"USD_RLS",.*"value":1905000,/],
  ["js", /^1905000 RLS 2026-08-21T16:30:00\.000Z\n$/],
  ["python", /^1905000 RLS 2026-08-21T16:30:00\.000Z\n$/],
  ["php", /^1905000 RLS 2026-08-21T16:30:00\.000Z\n$/],
  ["json", /./],
  ["sh", /^\[\{"code":"USD_RLS",.*\{"code":"BTC_USD",/],
  ["http", /^X-API-Key: /],
  ["http", /^Authorization: ApiKey /],
  ["sh", /^HTTP\/1\.1 200 .*X-RateLimit-Remaining: \d+.*"accessType":"FREE_STARTER"/s],
  ["js", /^190,500\.5 toman\n$/],
  ["sh", /^\{"code":"USD_RLS",.*"interval":"1h",.*"candles":\[\{"start":"2026-03-10T10:00:00\.000Z"/],
  ["js", /value: 1880000,.*value: 1890000,/s],
  ["js", /^200 304\n$/],
  ["json", /"status": 417,/],
  ["js", /^1905000 RLS 2026-08-21T16:30:00\.000Z\n$/],
];

test("guide: its examples run unchanged, and print what the guide says", async (t) => {
  const blocks = sectionsOf("en")
    .flatMap(({ text }) => blocksOf(text))
    .filter(({ code }) => !code.includes('from "openapi-fetch"'));
  assert.deepEqual(
    blocks.map(({ language }) => language),
    EXPECTED.map(([language]) => language),
  );
  for (const [at, { language, code }] of blocks.entries()) {
    const filled = fillGuide(code, guideValues({ settings: DEFAULTS, baseUrl, key }, "en"));
    await t.test(`${language}: ${code.split("\n")[0]}`, async (one) => {
      const output = await run(language, filled);
      if (output === undefined) return one.skip("this machine has no program to run it");
      assert.match(output, EXPECTED[at]![1]);
      return undefined;
    });
  }
});

test("guide: the answer shown is the API's", async () => {
  const { code } = blocksOf(sectionsOf("en")[0]!.text).find(({ language }) => language === "json")!;
  const shown: unknown = JSON.parse(fillGuide(code, guideValues({ settings: DEFAULTS, baseUrl, key }, "en")));
  const answer = await fetch(`${baseUrl}/api/v1/assets/USD_RLS`, { headers: { "X-API-Key": key } });
  assert.deepEqual(shown, await answer.json());
});

test("guide: the error body shown is the API's", async () => {
  const shown = JSON.parse(blocksOf(sectionsOf("en").find(({ name }) => name === "errors")!.text)[0]!.code) as Record<
    string,
    unknown
  >;
  const answer = await fetch(`${baseUrl}${String(shown["path"])}?from=2026-01-01&to=2026-02-10`, {
    headers: { "X-API-Key": key },
  });
  const body = (await answer.json()) as Record<string, unknown>;
  assert.deepEqual(Object.keys(shown), Object.keys(body));
  for (const name of ["status", "code", "message", "path"]) assert.equal(shown[name], body[name]);
});

/** The output of a program; `undefined` if this machine cannot run it. A text that is no program is returned. */
async function run(language: string, code: string): Promise<string | undefined> {
  if (language === "sh")
    return hasProgram("curl") ? outputOf("sh", ["-c", code.replace(/^curl /, "curl -sS ")]) : undefined;
  if (language === "python") return hasProgram("python3") ? outputOf("python3", ["-c", code]) : undefined;
  if (language === "php") return hasProgram("php") ? outputOf("php", ["-r", code.replace("<?php", "")]) : undefined;
  return language === "js"
    ? printedBy(
        code.replace('"mazaneh/client"', JSON.stringify(pathToFileURL(resolve("adapters/client/mod.ts")).href)),
        folder,
      )
    : code;
}

function hasProgram(name: string): boolean {
  return spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0;
}

async function outputOf(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const [code] = (await once(child, "close")) as [number | null];
  assert.equal(code, 0, errors);
  return output;
}
