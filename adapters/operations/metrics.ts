import type { NodeExchange } from "../node/mod.ts";
import { family } from "../store/metrics.ts";
import type { Family, Sample } from "../store/metrics.ts";

/** Counts exchanges for metrics. */
export interface ExchangeMetrics {
  add(exchange: NodeExchange): void;
  families(): readonly Family[];
  /** Exchanges since the start. */
  total(): number;
}

const OTHER = "_OTHER";
const METHODS = new Set(["GET", "HEAD", "POST", "OPTIONS"]);
/** Upper bounds in seconds: a cached answer takes much less than the first, a slow client more than the last. */
const BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10];
/** Combinations of method, route and status with a series of their own. Usual traffic has about 60. */
const MAX_COMBINATIONS = 150;
/** All of the server's: the paths of the nine, the OpenAPI document, those of the page, and `unmatched`. */
const MAX_ROUTES = 16;

interface Timing {
  readonly buckets: number[];
  count: number;
  seconds: number;
}

/** A method as a label: clients can send others, but those do not each get a series. */
export function methodLabel(method: string): string {
  return METHODS.has(method) ? method : OTHER;
}

/** Makes counters of exchanges, all zero. The number of their series is bounded, whatever clients send. */
export function createExchangeMetrics(): ExchangeMetrics {
  const requests = new Map<string, { readonly labels: NonNullable<Sample["labels"]>; count: number }>();
  const timings = new Map<string, Timing>();
  /** What came when there were as many combinations as may be. */
  const others = { labels: { method: OTHER, route: OTHER, status: OTHER }, count: 0 };
  const units = { taken: 0, "given back": 0, denied: 0, free: 0 };
  const codes = new Map<string, number>();
  let total = 0;
  let cached = 0;
  let bytesSent = 0;

  function count(method: string, route: string, status: number): void {
    const key = `${method} ${route} ${status}`;
    const known = requests.get(key);
    if (known) known.count++;
    else if (requests.size < MAX_COMBINATIONS) requests.set(key, { labels: { method, route, status: String(status) }, count: 1 });
    else others.count++;
  }

  function time(route: string, seconds: number): void {
    let timing = timings.get(route);
    if (!timing) {
      if (timings.size >= MAX_ROUTES && route !== OTHER) return time(OTHER, seconds);
      timings.set(route, (timing = { buckets: BUCKETS.map(() => 0), count: 0, seconds: 0 }));
    }
    const at = BUCKETS.findIndex((bound) => seconds <= bound);
    if (at !== -1) timing.buckets[at]!++;
    timing.count++;
    timing.seconds += seconds;
  }

  return {
    add({ report, method, status, bytes, durationMs }) {
      const route = report?.route ?? "unmatched";
      total++;
      bytesSent += bytes;
      count(methodLabel(method), route, status);
      time(route, durationMs / 1_000);
      if (!report) return;
      units[report.units]++;
      if (report.isCached) cached++;
      if (report.code !== undefined) codes.set(report.code, (codes.get(report.code) ?? 0) + 1);
    },
    families() {
      const ofUnits = Object.entries(units).filter(([outcome]) => outcome !== "free");
      return [
        family("http_server_requests_total", "counter", "Answered requests.", [...requests.values(), ...(others.count > 0 ? [others] : [])].map(({ labels, count }) => ({ labels, value: count }))),
        family("http_server_request_duration_seconds", "histogram", "Time from a request's head to its answer.", [...timings].flatMap(histogram)),
        family("http_server_errors_total", "counter", "Answers with an error body, by its code.", [...codes].map(([code, value]) => ({ labels: { code }, value }))),
        family("http_server_response_body_bytes_total", "counter", "Bytes of bodies sent.", [{ value: bytesSent }]),
        family("http_server_cached_responses_total", "counter", "Answers whose body came from the response cache.", [{ value: cached }]),
        family("quota_units_total", "counter", "Units, by what happened to them.", ofUnits.map(([outcome, value]) => ({ labels: { outcome: outcome.replace(" ", "_") }, value }))),
      ];
    },
    total: () => total,
  };
}

function histogram([route, { buckets, count, seconds }]: readonly [string, Timing]): Sample[] {
  let below = 0;
  const ofBuckets = BUCKETS.map((bound, i) => ({ suffix: "_bucket", labels: { route, le: String(bound) }, value: (below += buckets[i]!) }));
  return [
    ...ofBuckets,
    { suffix: "_bucket", labels: { route, le: "+Inf" }, value: count },
    { suffix: "_sum", labels: { route }, value: seconds },
    { suffix: "_count", labels: { route }, value: count },
  ];
}
