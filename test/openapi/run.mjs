// Lints the OpenAPI document with redocly, then generates, compiles and runs a client. Installs the tools into a
// temporary folder, because nothing else needs them.
//
//   node test/openapi/run.mjs
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { register } from "tsx/esm/api";
import { run } from "../package/run_command.mjs";

const TOOLS = ["@redocly/cli@2.77.0", "openapi-typescript@7.13.0", "openapi-fetch@0.17.0", "typescript@5.9.3"];
const STRICT = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false };
const COMPILED = { ...STRICT, target: "ES2023", module: "NodeNext", lib: ["ES2023", "DOM", "DOM.Iterable"], types: [] };
const OWN = {
  method: "GET",
  path: "/api/v1/assets/{code}/own",
  auth: "key",
  charge: "success",
  query: ["days"],
  summary: "Change of some days",
  handle: () => ({ json: 1 }),
};

if (!process.features.typescript) register();
const { createApi, createIngest, createKey, defineAsset, defineRoute } = await import("../../core/mod.ts");
const { createOpenApi, openApiRoute } = await import("../../core/openapi/mod.ts");
const { createMemoryStore } = await import("../../adapters/stores/memory_store.ts");
const { createNodeServer, nodeSystem } = await import("../../adapters/http/node/mod.ts");

const folder = realpathSync(mkdtempSync(join(tmpdir(), "mazaneh-openapi-")));
const tool = (name) => join(folder, "node_modules", ".bin", name);
try {
  writeFileSync(join(folder, "package.json"), '{"name":"client","private":true,"type":"module"}\n');
  await run(
    "npm",
    ["install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", ...TOOLS],
    { cwd: folder },
  );
  await lint("usual", {});
  await lint("embedded", {
    assets: [defineAsset({ code: "NOK_USD", category: "FX", nameEn: "Norwegian Krone", nameFa: "کرون نروژ" })],
    routes: [defineRoute(OWN), openApiRoute()],
    servers: ["/market"],
    application: "Prices of ours",
  });
  await useClient();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Writes a document and lints it; any finding fails. */
async function lint(name, settings) {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(createOpenApi(settings), null, 2));
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  await run(tool("redocly"), ["lint", file, "--config", resolve("test/openapi/redocly.yaml"), "--max-problems", "50"], {
    env,
  });
  console.log(`ok      redocly reports nothing for the document: ${name}`);
}

async function useClient() {
  await run(tool("openapi-typescript"), [join(folder, "usual.json"), "--output", join(folder, "api.d.ts")]);
  writeFileSync(join(folder, "client.ts"), readFileSync("test/openapi/client.ts.txt"));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: COMPILED, files: ["client.ts"] }));
  await run(tool("tsc"), ["-p", folder]);
  const store = createMemoryStore();
  const clock = () => Date.parse("2026-11-21T10:00:00Z");
  const records = [
    ["USD_RLS", 1905000, "2026-11-20T09:00:00Z"],
    ["USD_RLS", 1906000, "2026-11-21T09:00:00Z"],
    ["BTC_USD", 83125.4, "2026-11-21T09:00:00Z"],
  ];
  await createIngest({ clock, ...store })(
    records.map(([code, value, businessTime]) => ({ code, value, businessTime })),
  );
  const key = await createKey(store.accounts, nodeSystem, "me");
  const server = createNodeServer(createApi({ ...nodeSystem, ...store, clock }));
  const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
  try {
    const { calls } = await import(pathToFileURL(join(folder, "client.js")).href);
    const found = await calls(`http://127.0.0.1:${port}`, key);
    assert.deepEqual(found, [1906000, "RLS", ["USD_RLS", "BTC_USD"], 2, 1905000, "v1", 417, "INVALID_DATE_RANGE"]);
  } finally {
    await server.close();
  }
  console.log("ok      a client from openapi-typescript compiles and calls a server");
}
