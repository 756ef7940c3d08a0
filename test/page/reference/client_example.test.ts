// The examples with the typed client run as they are shown, against a server of the API.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { clientExample } from "../../../adapters/page/browser/reference/client_example.ts";
import { readReference } from "../../../adapters/page/browser/reference/operations.ts";
import type { Operation } from "../../../adapters/page/browser/reference/operations.ts";
import { firstEntries } from "../../../adapters/page/browser/reference/request.ts";
import { nodeListener } from "../../../adapters/node/mod.ts";
import { createOpenApi } from "../../../core/openapi/mod.ts";
import { printedBy } from "../../support/printed_by.ts";
import { createWorld } from "../../support/world.ts";

const NOW = "2026-11-21T10:00:00Z";
const IMPORT = 'import { createClient } from "mazaneh/client";\n';
const { operations } = readReference(JSON.parse(JSON.stringify(createOpenApi())));

function named(id: string): Operation {
  const found = operations.find((operation) => operation.id === id);
  assert.ok(found, `there is an operation ${id}`);
  return found;
}

function example(id: string, values?: Readonly<Record<string, string>>, place = { baseUrl: "http://prices.example", key: "YOUR_KEY" }): string | undefined {
  const operation = named(id);
  const entries = firstEntries(operation, new Date(NOW));
  return clientExample(operation, { ...entries, values: values ?? entries.values }, place);
}

test("client example: every route but the POST has one, and each of them runs", async () => {
  const world = await createWorld({}, NOW);
  await world.feed(...Array.from({ length: 9 }, (_, day) => ["USD_RLS", 1_905_000 + day, `2026-11-${12 + day}T10:00:00Z`] as const));
  const server = createServer(nodeListener(world.api));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const folder = mkdtempSync(join(tmpdir(), "mazaneh-example-"));
  try {
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
    const examples = operations.map(({ id }) => example(id, undefined, { baseUrl, key: world.key })).filter((text) => text !== undefined);
    assert.equal(examples.length, operations.length - 1);
    const client = new URL("../../../adapters/client/mod.ts", import.meta.url).href;
    const printed = await printedBy(`import { createClient } from "${client}";\n${examples.map((text) => `{${text.replace(IMPORT, "")}\n}`).join("\n")}`, folder);
    for (const shown of ["value: 1905008", "apiVersion: 'v1'", "attributionRequired", "observationCount"]) assert.ok(printed.includes(shown), `${shown} in ${printed}`);
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test("client example: texts stay texts, what is left out is left out, and a call that lacks an argument is not shown", () => {
  assert.match(example("getLatest", { assetName: "\"); process.exit(); (\"" }) ?? "", /latest\("\\"\); process\.exit\(\); \(\\""\)/);
  assert.match(example("listLatest", { codes: "USD_RLS, BTC_USD" }) ?? "", /latestOf\(\["USD_RLS", "BTC_USD"\]\)/);
  assert.match(example("listLatest", { codes: "" }) ?? "", /latestOf\(\)/);
  assert.match(example("listSupported", { category: "", quoteUnit: "USD" }) ?? "", /catalog\(\{ quoteUnit: "USD" \}\)/);
  assert.equal(example("getHistory", { assetName: "USD_RLS", from: "2026-11-01", to: "" }), undefined);
  assert.equal(clientExample({ ...named("getStatus"), isOwn: true }, { values: {}, body: "", keyForm: "none" }, { baseUrl: "", key: "" }), undefined);
});
