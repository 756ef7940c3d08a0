// The examples of the guide, run unchanged against a real server.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { createNodeServer, type NodeServer } from "../../adapters/http/node/mod.ts";
import { fillGuide, guideValues } from "../../adapters/page/guide/guide_values.ts";
import { ASSETS } from "../../core/mod.ts";
import { createWorld } from "../support/api_under_test.ts";
import { printedBy } from "../support/capture_output.ts";
import { hasCommand } from "../support/has_command.ts";
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

test("guide: the examples use the assets of the catalog", () => {
  const codesOf = (...codes: readonly string[]) => {
    const assets = codes.map((code) => ASSETS.find((asset) => asset.code === code)!);
    return guideValues({ settings: { ...DEFAULTS, assets }, baseUrl: "", key: "" }, "en").get("codes");
  };
  assert.equal(codesOf("BTC_USD", "EUR_RLS", "USD_RLS"), "USD_RLS,BTC_USD");
  assert.equal(codesOf("EUR_RLS", "SEKKEH_RLS"), "EUR_RLS,SEKKEH_RLS");
  assert.equal(codesOf("EUR_RLS"), "EUR_RLS");
});

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

test("guide: the answer and the error body shown are the API's", async () => {
  const shownIn = (section: string): Record<string, unknown> => {
    const { text } = sectionsOf("en").find(({ name }) => name === section)!;
    const { code } = blocksOf(text).find(({ language }) => language === "json")!;
    return JSON.parse(fillGuide(code, guideValues({ settings: DEFAULTS, baseUrl, key }, "en"))) as never;
  };
  const ask = async (path: unknown): Promise<object> =>
    (await fetch(`${baseUrl}${path}`, { headers: { "X-API-Key": key } })).json() as Promise<object>;
  assert.deepEqual(shownIn("start"), await ask("/api/v1/assets/USD_RLS"));
  const shown = shownIn("errors");
  const body = await ask(`${shown["path"]}?from=2026-01-01&to=2026-02-10`);
  const { timestamp: _at, requestId: _id, ...stated } = shown;
  assert.deepEqual({ ...body, ...stated }, body);
  assert.deepEqual(Object.keys(shown), Object.keys(body));
});

/** Returns the output of a program, or `undefined` if this machine cannot run it; returns other text unchanged. */
async function run(language: string, code: string): Promise<string | undefined> {
  const [program, ...args] = {
    sh: ["sh", "-c", code.replace(/^curl /, "curl -sS ")],
    python: ["python3", "-c", code],
    php: ["php", "-r", code.replace("<?php", "")],
  }[language] ?? [""];
  if (program && !hasCommand(program === "sh" ? "curl" : program)) return undefined;
  if (program) return (await promisify(execFile)(program, args)).stdout;
  const client = JSON.stringify(pathToFileURL(resolve("adapters/client/mod.ts")).href);
  return language === "js" ? printedBy(code.replace('"mazaneh/client"', client), folder) : code;
}
