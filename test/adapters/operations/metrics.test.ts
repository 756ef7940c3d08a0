import assert from "node:assert/strict";
import { test } from "node:test";
import { folderFamilies } from "../../../adapters/json_files/folder_metrics.ts";
import type { NodeExchange } from "../../../adapters/node/mod.ts";
import { expose } from "../../../adapters/operations/exposition.ts";
import { family } from "../../../adapters/store/metrics.ts";
import { createExchangeMetrics } from "../../../adapters/operations/metrics.ts";
import { REASON_CODES } from "../../../adapters/store/watcher.ts";
import { serverFamilies } from "../../../adapters/operations/server_metrics.ts";
import { pageRoutes } from "../../../adapters/page/mod.ts";
import { createMemoryStore } from "../../../adapters/memory_store.ts";
import { ERRORS } from "../../../core/mod.ts";
import type { AccountId, ErrorCode, KeyId, UtcMillis } from "../../../core/mod.ts";
import { ROUTES } from "../../../core/routes/table.ts";
import { readExposition } from "../../support/prometheus.ts";

type Changes = Partial<Omit<NodeExchange, "report">> & { readonly report?: Partial<NonNullable<NodeExchange["report"]>> };

function exchange({ report, ...rest }: Changes): NodeExchange {
  return {
    ...{ method: "GET", status: 200, bytes: 10, isComplete: true, durationMs: 3, address: "192.0.2.1", traceId: undefined, ...rest },
    report: {
      ...{ requestId: "req_1", route: "/api/v1/assets", accountId: "a" as AccountId, keyId: "k" as KeyId },
      ...{ code: undefined, isCached: false, units: "taken", ...report },
    },
  };
}

function serverFigures(): ReturnType<typeof serverFamilies> {
  return serverFamilies({
    version: '1"\\\n',
    readiness: { ready: false, reasons: REASON_CODES.map((code) => ({ code, message: "m", since: "2026-01-01T00:00:00.000Z" })) },
    load: {
      ...{ connections: 1, connectionsRefused: { limit: 0, address: 0 }, connectionsCut: { pipelined: 0, slow: 0, memory: 0 } },
      ...{ inFlight: 0, waiting: 0, heldBytes: 0, eventLoopDelayMs: 1.5 },
    },
    ofStore: folderFamilies({ condition: { problem: undefined, syncs: 2, syncSeconds: 1e-7 }, disk: { freeBytes: 1, totalBytes: 2 }, logBytes: 1, quotaBytes: 1 }),
    ofProcess: { residentBytes: 1, heapUsedBytes: 1, cpuSeconds: 1, startedAt: 1, openFiles: 1 },
    newest: 1_000 as UtcMillis,
    newestAgeSeconds: 5,
    records: 1,
    damages: 0,
    droppedLines: { log: 0, access_log: 0 },
  });
}

test("metrics: answers are counted by method, route and status, with their time, units, codes, bytes and cache hits", () => {
  const metrics = createExchangeMetrics();
  metrics.add(exchange({}));
  metrics.add(exchange({ durationMs: 30, report: { isCached: true } }));
  metrics.add(exchange({ status: 404, report: { code: "ASSET_NOT_FOUND", units: "given back" } }));
  metrics.add(exchange({ method: "HEAD", status: 429, report: { code: "QUOTA_EXCEEDED", units: "denied" } }));
  metrics.add(exchange({ method: "BREW", status: 405, report: { route: undefined, code: "METHOD_NOT_ALLOWED", units: "free" } }));
  metrics.add({ ...exchange({ status: 400, durationMs: 60_000 }), report: undefined });
  const read = readExposition(expose(metrics.families()));
  assert.deepEqual(Object.fromEntries(read.get("http_server_requests_total")!.series), {
    'http_server_requests_total{method="GET",route="/api/v1/assets",status="200"}': 2,
    'http_server_requests_total{method="GET",route="/api/v1/assets",status="404"}': 1,
    'http_server_requests_total{method="HEAD",route="/api/v1/assets",status="429"}': 1,
    'http_server_requests_total{method="_OTHER",route="unmatched",status="405"}': 1,
    'http_server_requests_total{method="GET",route="unmatched",status="400"}': 1,
  });
  const { series } = read.get("http_server_request_duration_seconds")!;
  const bucket = (route: string, le: string): number | undefined => series.get(`http_server_request_duration_seconds_bucket{route="${route}",le="${le}"}`);
  assert.deepEqual(["0.001", "0.005", "0.025", "0.1", "+Inf"].map((le) => bucket("/api/v1/assets", le)), [0, 3, 3, 4, 4]);
  assert.deepEqual(["10", "+Inf"].map((le) => bucket("unmatched", le)), [1, 2], "what took longer than the last bound is in the last bucket");
  assert.deepEqual([...read.get("quota_units_total")!.series.values()], [2, 1, 1]);
  assert.deepEqual([...read.get("http_server_errors_total")!.series.keys()], [
    'http_server_errors_total{code="ASSET_NOT_FOUND"}',
    'http_server_errors_total{code="QUOTA_EXCEEDED"}',
    'http_server_errors_total{code="METHOD_NOT_ALLOWED"}',
  ]);
  assert.equal(read.get("http_server_cached_responses_total")!.series.get("http_server_cached_responses_total"), 1);
  assert.equal(read.get("http_server_response_body_bytes_total")!.series.get("http_server_response_body_bytes_total"), 60);
});

test("metrics: whatever clients send, there are at most 400 series, and every answer is counted", () => {
  const metrics = createExchangeMetrics();
  let sent = 0;
  for (const method of ["GET", "HEAD", "POST", "OPTIONS", "PUT", "PROPFIND", "M-SEARCH"]) {
    for (let route = 0; route < 40; route++) {
      for (const [code, { status }] of Object.entries(ERRORS)) {
        metrics.add(exchange({ method, status, report: { route: `/r${route}`, code: code as ErrorCode } }));
        sent++;
      }
    }
  }
  const text = expose([...metrics.families(), ...serverFigures()]);
  const read = readExposition(text);
  const count = [...read.values()].reduce((sum, { series }) => sum + series.size, 0);
  assert.ok(count <= 400, String(count));
  const requests = [...read.get("http_server_requests_total")!.series];
  assert.equal(requests.reduce((sum, [, value]) => sum + value, 0), sent);
  assert.ok((requests.find(([name]) => name.includes('method="_OTHER",route="_OTHER",status="_OTHER"'))?.[1] ?? 0) > 0);
  assert.equal(metrics.total(), sent);
});

test("metrics: each route of the server has its own times, also where those of the page were asked first", () => {
  const metrics = createExchangeMetrics();
  const { observations } = createMemoryStore();
  const routes = new Set(["unmatched", ...[...pageRoutes({ observations }), ...ROUTES].map(({ path }) => path)]);
  for (const route of routes) metrics.add(exchange({ report: { route } }));
  const { series } = readExposition(expose(metrics.families())).get("http_server_request_duration_seconds")!;
  const timed = [...series.keys()].flatMap((name) => /_count\{route="(.*)"\}/.exec(name)?.[1] ?? []);
  assert.deepEqual(timed.sort(), [...routes].sort());
});

test("metrics: labels are escaped, and a metric without samples is left out", () => {
  const read = readExposition(expose([...serverFigures(), family("none_total", "counter", "None.", [])]));
  assert.deepEqual([...read.get("mazaneh_build_info")!.series.keys()], ['mazaneh_build_info{version="1\\"\\\\\\n"}']);
  assert.equal(read.has("none_total"), false);
  assert.deepEqual([...read.get("mazaneh_not_ready_reason")!.series.values()], REASON_CODES.map(() => 1));
});
