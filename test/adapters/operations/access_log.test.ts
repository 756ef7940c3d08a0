import assert from "node:assert/strict";
import { closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { TestContext } from "node:test";
import type { NodeExchange } from "../../../adapters/node/mod.ts";
import { createAccessLog } from "../../../adapters/operations/access_log.ts";
import type { AccountId, KeyId, UtcMillis } from "../../../core/mod.ts";
import { temporaryDirectory } from "../../support/cli.ts";

const EXCHANGE: NodeExchange = {
  report: {
    requestId: "req_1",
    route: "/api/v1/assets/{assetName}",
    accountId: 'al"ice\n' as AccountId,
    keyId: "k1" as KeyId,
    code: "QUOTA_EXCEEDED",
    isCached: false,
    units: "denied",
  },
  method: "GET",
  status: 429,
  bytes: 12,
  isComplete: false,
  durationMs: 1.23456,
  address: "2001:db8::1",
  traceId: undefined,
};
/** As of a server whose API makes no reports. */
const BARE: NodeExchange = { ...EXCHANGE, report: undefined, method: "BREW\n", isComplete: true, address: undefined };

async function linesOf(t: TestContext, format: "json" | "text", ...exchanges: NodeExchange[]): Promise<string[]> {
  const path = join(await temporaryDirectory(t), "log");
  const fd = openSync(path, "a");
  t.after(() => closeSync(fd));
  const log = createAccessLog(fd, { format, clock: () => Date.UTC(2026, 0, 1) as UtcMillis });
  for (const exchange of exchanges) log.write(exchange);
  await log.close();
  return (await readFile(path, "utf8")).split("\n").slice(0, -1);
}

test("access log: a line of JSON has these members in this order, and any text from outside is escaped", async (t) => {
  const [line, bare] = await linesOf(t, "json", EXCHANGE, BARE);
  assert.deepEqual(Object.entries(JSON.parse(line!) as object), [
    ["time", "2026-01-01T00:00:00.000Z"], ["requestId", "req_1"], ["method", "GET"], ["route", "/api/v1/assets/{assetName}"], ["status", 429],
    ["code", "QUOTA_EXCEEDED"], ["bytes", 12], ["ms", 1.23], ["cut", true], ["accountId", 'al"ice\n'], ["keyId", "k1"], ["address", "2001:db8::1"],
  ]);
  assert.deepEqual(JSON.parse(bare!), { time: "2026-01-01T00:00:00.000Z", requestId: "", method: "_OTHER", route: "unmatched", status: 429, bytes: 12, ms: 1.23 });
});

test("access log: a line of text is one line", async (t) => {
  const lines = await linesOf(t, "text", EXCHANGE, { ...BARE, traceId: "4bf92f3577b34da6a3ce929d0e0e4736" });
  assert.deepEqual(lines, [
    '2026-01-01T00:00:00.000Z 2001:db8::1 al"ice\\u000a/k1 GET /api/v1/assets/{assetName} 429 12 B cut 1.2 ms req_1',
    "2026-01-01T00:00:00.000Z - - _OTHER unmatched 429 12 B 1.2 ms - 4bf92f3577b34da6a3ce929d0e0e4736",
  ]);
});
