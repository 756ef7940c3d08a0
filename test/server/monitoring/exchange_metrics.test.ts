import assert from "node:assert/strict";
import { test } from "node:test";
import type { MirrorStatus } from "../../../adapters/feeds/mirror/mod.ts";
import type { NodeExchange } from "../../../adapters/http/node/mod.ts";
import { createExchangeMetrics } from "../../../adapters/server/monitoring/exchange_metrics.ts";
import { createFeedMetrics } from "../../../adapters/server/monitoring/feed_metrics.ts";
import { expose } from "../../../adapters/server/monitoring/prometheus_text.ts";
import { serverFamilies } from "../../../adapters/server/monitoring/server_metrics.ts";
import { folderMetrics } from "../../../adapters/stores/json_files/folder_metrics.ts";
import { counter } from "../../../adapters/stores/shared/metric_types.ts";
import { REASON_CODES } from "../../../adapters/stores/shared/store_troubles.ts";
import type { AccountId, AssetCode, KeyId, UtcMillis } from "../../../core/mod.ts";
import { readExposition } from "../../support/prometheus.ts";

const FEED_VALUES = "mazaneh_feed_values_total";
const [USD, EUR] = ["USD_RLS" as AssetCode, "EUR_RLS" as AssetCode];

type Changes = Partial<Omit<NodeExchange, "report">> & {
  readonly report?: Partial<NonNullable<NodeExchange["report"]>>;
};

function exchange({ report, ...rest }: Changes): NodeExchange {
  return {
    ...{
      method: "GET",
      status: 200,
      bytes: 10,
      isComplete: true,
      durationMs: 3,
      address: "192.0.2.1",
      traceId: undefined,
      ...rest,
    },
    report: {
      ...{
        requestId: "req_1",
        route: "/api/v1/assets",
        accountId: "a" as AccountId,
        keyId: "k" as KeyId,
        plan: "FREE",
      },
      ...{ code: undefined, isCached: false, units: "taken", ...report },
    },
  };
}

async function serverFigures(): ReturnType<typeof serverFamilies> {
  return serverFamilies({
    version: '1"\\\n',
    readiness: {
      ready: false,
      reasons: REASON_CODES.map((code) => ({ code, message: "m", since: "2026-01-01T00:00:00.000Z" })),
    },
    load: {
      ...{
        connections: 1,
        connectionsLimit: 9,
        connectionsRefused: { limit: 0, address: 0 },
        connectionsCut: { pipelined: 0, slow: 0, memory: 0 },
      },
      ...{ inFlight: 0, waiting: 0, heldBytes: 0, eventLoopDelayMs: 1.5, isLate: false },
    },
    ofStore: await folderMetrics(
      "nowhere",
      { problem: undefined, syncs: 2, syncSeconds: 1e-7 },
      { freeBytes: 1, totalBytes: 2 },
    ),
    mirror: {
      state: "running",
      units: { left: 4 },
      lastRefreshAgeSeconds: 5,
      newestAgeSeconds: null,
      pending: 6,
      assets: { current: 138, vanished: 2 },
      requests: { body: 7, limited: 8 },
    } as unknown as MirrorStatus,
    ...{
      info: { records: 1, damages: 0, lastBackup: 2_000 as UtcMillis },
      pending: [{ code: EUR, records: 3, first: 1_000 as UtcMillis, last: 2_000 as UtcMillis }],
      newest: 1_000 as UtcMillis,
      now: 6_000 as UtcMillis,
    },
    ...{ newestOf: new Map([[USD, 1_000 as UtcMillis]]), linesLost: { log: 0, access_log: 3 } },
  });
}

test("metrics: count answers by method, route and status, with their time, units, codes, bytes and cache hits", () => {
  const metrics = createExchangeMetrics();
  metrics.add(exchange({}));
  metrics.add(exchange({ durationMs: 100, report: { isCached: true } })); // Equal to a bound, so it is in its bucket.
  metrics.add(exchange({ status: 404, report: { code: "ASSET_NOT_FOUND", units: "given back" } }));
  metrics.add(
    exchange({ method: "HEAD", status: 429, report: { code: "QUOTA_EXCEEDED", units: "denied", plan: "PRO" } }),
  );
  metrics.add(
    exchange({ method: "BREW", status: 405, report: { route: undefined, code: "METHOD_NOT_ALLOWED", units: "free" } }),
  );
  metrics.add({ ...exchange({ status: 400, durationMs: 60_000 }), report: undefined });
  const read = readExposition(expose(metrics.families()));
  assert.deepEqual(Object.fromEntries(read.get("http_server_requests_total")!.series), {
    'http_server_requests_total{method="GET",route="/api/v1/assets",status="200"}': 2,
    'http_server_requests_total{method="GET",route="/api/v1/assets",status="404"}': 1,
    'http_server_requests_total{method="HEAD",route="/api/v1/assets",status="429"}': 1,
    'http_server_requests_total{method="_OTHER",route="unmatched",status="405"}': 1,
    'http_server_requests_total{method="GET",route="unmatched",status="400"}': 1,
  });
  assert.equal(metrics.total(), 6);
  const { series } = read.get("http_server_request_duration_seconds")!;
  const bucket = (route: string, le: string): number | undefined =>
    series.get(`http_server_request_duration_seconds_bucket{route="${route}",le="${le}"}`);
  assert.deepEqual(
    ["0.001", "0.0025", "0.005", "0.01", "0.025", "0.1", "+Inf"].map((le) => bucket("/api/v1/assets", le)),
    [0, 0, 3, 3, 3, 4, 4],
  );
  assert.deepEqual(
    ["10", "+Inf"].map((le) => bucket("unmatched", le)),
    [1, 2],
    "times above the last bound are in the last bucket",
  );
  const units = [...read.get("quota_units_total")!.series].map(([name, value]) => [
    /"(\w+)",plan="(\w+)"/.exec(name)?.slice(1).join(),
    value,
  ]);
  assert.deepEqual(units, [
    ["taken,FREE", 2],
    ["given_back,FREE", 1],
    ["denied,FREE", 0],
    ["taken,PRO", 0],
    ["given_back,PRO", 0],
    ["denied,PRO", 1],
  ]);
  assert.deepEqual(
    [...read.get("http_server_errors_total")!.series.keys()],
    [
      'http_server_errors_total{code="ASSET_NOT_FOUND"}',
      'http_server_errors_total{code="QUOTA_EXCEEDED"}',
      'http_server_errors_total{code="METHOD_NOT_ALLOWED"}',
    ],
  );
  assert.equal(read.get("http_server_cached_responses_total")!.series.get("http_server_cached_responses_total"), 1);
  assert.equal(
    read.get("http_server_response_body_bytes_total")!.series.get("http_server_response_body_bytes_total"),
    60,
  );
});

test("metrics: labels are escaped, and metrics without samples are left out", async () => {
  const read = readExposition(expose([...(await serverFigures()), counter("none_total", "None.", [])]));
  const one = (name: string): number | undefined => read.get(name)?.series.get(name);
  assert.deepEqual([...read.get("mazaneh_build_info")!.series.keys()], ['mazaneh_build_info{version="1\\"\\\\\\n"}']);
  assert.deepEqual(
    [read.has("none_total"), one("mazaneh_ready"), one("observation_age_seconds"), one("observations")],
    [false, 0, 5, 1],
  );
  assert.deepEqual([one("store_backup_age_seconds"), one("http_connections_limit")], [4, 9]);
  assert.deepEqual(
    [...read.get("asset_observation_age_seconds")!.series],
    [['asset_observation_age_seconds{code="USD_RLS"}', 5]],
  );
  assert.equal(read.get("mirror_assets")!.series.get('mirror_assets{state="vanished"}'), 2);
  assert.deepEqual([...read.get("mazaneh_pending_values")!.series], [['mazaneh_pending_values{asset="EUR_RLS"}', 3]]);
  assert.ok(
    one("process_open_fds")! < one("process_max_fds")!,
    `${one("process_open_fds")} of ${one("process_max_fds")}`,
  );
  assert.deepEqual([...read.get("log_lines_lost_total")!.series.values()], [0, 3]);
  assert.deepEqual(
    [...read.get("mazaneh_not_ready_reason")!.series.values()],
    REASON_CODES.map(() => 1),
  );
});

test("metrics: count feed values by asset and outcome, from zero, and only for assets of the catalog", () => {
  const metrics = createFeedMetrics([USD, EUR]);
  metrics.add([
    { code: USD, qualityStatus: "ACCEPTED" },
    { code: USD, qualityStatus: "PENDING" },
    { code: USD, qualityStatus: "PENDING" },
    { code: USD, qualityStatus: "REJECTED" },
    { code: "OTHER_RLS" as AssetCode, qualityStatus: "PENDING" },
  ]);
  assert.deepEqual(Object.fromEntries(readExposition(expose([metrics.family()])).get(FEED_VALUES)!.series), {
    [`${FEED_VALUES}{asset="USD_RLS",outcome="accepted"}`]: 1,
    [`${FEED_VALUES}{asset="USD_RLS",outcome="pending"}`]: 2,
    [`${FEED_VALUES}{asset="EUR_RLS",outcome="accepted"}`]: 0,
    [`${FEED_VALUES}{asset="EUR_RLS",outcome="pending"}`]: 0,
  });
});
