import assert from "node:assert/strict";
import { test } from "node:test";
import type { MirrorStatus } from "../../../adapters/feeds/mirror/mod.ts";
import { createExchangeMetrics } from "../../../adapters/server/monitoring/exchange_metrics.ts";
import { createFeedMetrics } from "../../../adapters/server/monitoring/feed_metrics.ts";
import { expose } from "../../../adapters/server/monitoring/prometheus_text.ts";
import { serverFamilies } from "../../../adapters/server/monitoring/server_metrics.ts";
import { folderMetrics } from "../../../adapters/stores/json_files/folder_metrics.ts";
import { counter } from "../../../adapters/stores/shared/metric_types.ts";
import { REASON_CODES } from "../../../adapters/stores/shared/store_troubles.ts";
import type { AssetCode, UtcMillis } from "../../../core/mod.ts";
import { readExposition } from "../../support/prometheus.ts";
import { exchange } from "./made_exchange.ts";

const FEED_VALUES = "mazaneh_feed_values_total";
const [USD, EUR] = ["USD_RLS" as AssetCode, "EUR_RLS" as AssetCode];

async function serverFigures(): ReturnType<typeof serverFamilies> {
  const disk = { freeBytes: 1, totalBytes: 2 };
  const mirror = { state: "running", units: { left: 4 }, lastRefreshAgeSeconds: 5, newestAgeSeconds: null, pending: 6 };
  const connections = { connections: 1, connectionsLimit: 9, connectionsRefused: { limit: 0, address: 0 } };
  const waiting = { inFlight: 0, waiting: 0, heldBytes: 0, eventLoopDelayMs: 1.5, isLate: false };
  return serverFamilies({
    version: '1"\\\n',
    readiness: {
      ready: false,
      reasons: REASON_CODES.map((code) => ({ code, message: "m", since: "2026-01-01T00:00:00.000Z" })),
    },
    load: { ...connections, connectionsCut: { pipelined: 0, slow: 0, memory: 0 }, ...waiting },
    ofStore: await folderMetrics("nowhere", { problem: undefined, syncs: 2, syncSeconds: 1e-7 }, disk),
    mirror: {
      ...{ ...mirror, assets: { current: 138, vanished: 2 }, requests: { body: 7, limited: 8 } },
    } as unknown as MirrorStatus,
    info: { records: 1, damages: 0, lastBackup: 2_000 as UtcMillis },
    pending: [{ code: EUR, records: 3, first: 1_000 as UtcMillis, last: 2_000 as UtcMillis }],
    ...{ newest: 1_000 as UtcMillis, now: 6_000 as UtcMillis },
    newestOf: new Map([[USD, 1_000 as UtcMillis]]),
    linesLost: { log: 0, access_log: 3 },
  });
}

/** `one` returns the value of a metric without labels, `all` the series of a metric with labels. */
function reader(read: ReturnType<typeof readExposition>) {
  return {
    one: (name: string): number | undefined => read.get(name)?.series.get(name),
    all: (name: string): object => Object.fromEntries(read.get(name)!.series),
  };
}

test("metrics: answers are counted by method, route and status, with their time, units, codes, bytes and cache hits", () => {
  const metrics = createExchangeMetrics();
  metrics.add(exchange({}));
  metrics.add(exchange({ durationMs: 100, report: { isCached: true } })); // equal to a bound, so in the bound's bucket
  metrics.add(exchange({ status: 404, report: { code: "ASSET_NOT_FOUND", units: "given back" } }));
  metrics.add(
    exchange({ method: "HEAD", status: 429, report: { code: "QUOTA_EXCEEDED", units: "denied", plan: "PRO" } }),
  );
  metrics.add(
    exchange({ method: "BREW", status: 405, report: { route: undefined, code: "METHOD_NOT_ALLOWED", units: "free" } }),
  );
  metrics.add({ ...exchange({ status: 400, durationMs: 60_000 }), report: undefined });
  const read = readExposition(expose(metrics.families()));
  const { one, all } = reader(read);
  assert.deepEqual(all("http_server_requests_total"), {
    'http_server_requests_total{method="GET",route="/api/v1/assets",status="200"}': 2,
    'http_server_requests_total{method="GET",route="/api/v1/assets",status="404"}': 1,
    'http_server_requests_total{method="HEAD",route="/api/v1/assets",status="429"}': 1,
    'http_server_requests_total{method="_OTHER",route="unmatched",status="405"}': 1,
    'http_server_requests_total{method="GET",route="unmatched",status="400"}': 1,
  });
  assert.equal(metrics.total(), 6);
  const { series } = read.get("http_server_request_duration_seconds")!;
  const buckets = (route: string, ...bounds: readonly string[]) =>
    bounds.map((le) => series.get(`http_server_request_duration_seconds_bucket{route="${route}",le="${le}"}`));
  assert.deepEqual(buckets("/api/v1/assets", "0.0025", "0.005", "0.025", "0.1", "+Inf"), [0, 3, 3, 4, 4]);
  assert.deepEqual(buckets("unmatched", "10", "+Inf"), [1, 2], "times above the last bound are in the last bucket");
  assert.deepEqual(all("quota_units_total"), {
    'quota_units_total{outcome="taken",plan="FREE"}': 2,
    'quota_units_total{outcome="given_back",plan="FREE"}': 1,
    'quota_units_total{outcome="denied",plan="FREE"}': 0,
    'quota_units_total{outcome="taken",plan="PRO"}': 0,
    'quota_units_total{outcome="given_back",plan="PRO"}': 0,
    'quota_units_total{outcome="denied",plan="PRO"}': 1,
  });
  assert.deepEqual(all("http_server_errors_total"), {
    'http_server_errors_total{code="ASSET_NOT_FOUND"}': 1,
    'http_server_errors_total{code="QUOTA_EXCEEDED"}': 1,
    'http_server_errors_total{code="METHOD_NOT_ALLOWED"}': 1,
  });
  assert.deepEqual([one("http_server_cached_responses_total"), one("http_server_response_body_bytes_total")], [1, 60]);
});

test("metrics: labels are escaped, and metrics without samples are left out", async () => {
  const read = readExposition(expose([...(await serverFigures()), counter("none_total", "None.", [])]));
  const { one, all } = reader(read);
  assert.deepEqual(all("mazaneh_build_info"), { 'mazaneh_build_info{version="1\\"\\\\\\n"}': 1 });
  assert.equal(read.has("none_total"), false);
  const single = ["mazaneh_ready", "observation_age_seconds", "observations", "store_backup_age_seconds"];
  assert.deepEqual([...single, "http_connections_limit"].map(one), [0, 5, 1, 4, 9]);
  const expected = {
    'asset_observation_age_seconds{code="USD_RLS"}': 5,
    'mirror_assets{state="vanished"}': 2,
    'mazaneh_pending_values{asset="EUR_RLS"}': 3,
  };
  for (const [series, value] of Object.entries(expected))
    assert.equal(read.get(series.split("{")[0]!)!.series.get(series), value, series);
  const [open, most] = ["process_open_fds", "process_max_fds"].map(one);
  assert.ok(open! < most!, `${open} of ${most}`);
  assert.deepEqual(Object.values(all("log_lines_lost_total")), [0, 3]);
  assert.deepEqual(Object.values(all("mazaneh_not_ready_reason")), Array(REASON_CODES.length).fill(1));
});

test("metrics: values of feeds are counted by asset and outcome, starting at zero, and only for assets of the catalog", () => {
  const metrics = createFeedMetrics([USD, EUR]);
  metrics.add([
    { code: USD, qualityStatus: "ACCEPTED" },
    { code: USD, qualityStatus: "PENDING" },
    { code: USD, qualityStatus: "PENDING" },
    { code: USD, qualityStatus: "REJECTED" },
    { code: "OTHER_RLS" as AssetCode, qualityStatus: "PENDING" },
  ]);
  assert.deepEqual(reader(readExposition(expose([metrics.family()]))).all(FEED_VALUES), {
    [`${FEED_VALUES}{asset="USD_RLS",outcome="accepted"}`]: 1,
    [`${FEED_VALUES}{asset="USD_RLS",outcome="pending"}`]: 2,
    [`${FEED_VALUES}{asset="EUR_RLS",outcome="accepted"}`]: 0,
    [`${FEED_VALUES}{asset="EUR_RLS",outcome="pending"}`]: 0,
  });
});
