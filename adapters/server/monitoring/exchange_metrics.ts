import type { AccountId, KeyId, UnitOutcome } from "../../../core/mod.ts";
import type { NodeExchange } from "../../http/node/mod.ts";
import { counter, type Family, type Sample } from "../../stores/shared/metric_types.ts";

/** The numbers of answers to the requests with one key since the start. */
export interface KeyTally {
  readonly accountId: AccountId;
  readonly keyId: KeyId;
  units: number;
  /** The number of answers with an error. */
  errors: number;
  /** The number of answers with 429. */
  refused: number;
}

const TOO_MANY = 429;
const METHODS = ["GET", "HEAD", "POST", "OPTIONS"];
/** Upper bounds in seconds. A cached answer takes far less than the first bound, a slow client longer than the last. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10];

interface Timing {
  /** Each key is a number made from method and status, because a text would have to be made for each request. */
  readonly requests: Map<number, Sample & { value: number }>;
  readonly buckets: number[];
  count: number;
  seconds: number;
}

/** The label for a method. All unusual methods share one label. */
export function methodLabel(method: string): string {
  return METHODS.includes(method) ? method : "_OTHER";
}

/**
 * Makes counters of exchanges. Clients cannot increase the number of series: `methodLabel` has few labels, and routes
 * and codes are from tables of the server. Only existing keys are counted.
 */
export function createExchangeMetrics() {
  const timings = new Map<string, Timing>();
  /** Units by plan. */
  const units = new Map<string, Record<Exclude<UnitOutcome, "free">, number>>();
  const codes = new Map<string, number>();
  const keys = new Map<KeyId, KeyTally>();
  let total = 0;
  let cached = 0;
  let bytesSent = 0;

  return {
    add({ report, method: sent, status, bytes, durationMs }: NodeExchange): void {
      const [method, route, seconds] = [methodLabel(sent), report?.route ?? "unmatched", durationMs / 1_000];
      total++;
      bytesSent += bytes;
      let timing = timings.get(route);
      if (!timing) timings.set(route, (timing = noTiming()));
      const kind = 1_000 * METHODS.indexOf(method) + status;
      const known = timing.requests.get(kind);
      if (known) known.value++;
      else timing.requests.set(kind, { labels: { method, route, status: String(status) }, value: 1 });
      const at = BUCKETS.findIndex((bound) => seconds <= bound);
      if (at !== -1) timing.buckets[at]!++;
      timing.count++;
      timing.seconds += seconds;
      if (!report) return;
      if (report.units !== "free") {
        const { plan = "" } = report;
        let counts = units.get(plan);
        if (!counts) units.set(plan, (counts = { taken: 0, "given back": 0, denied: 0 }));
        counts[report.units]++;
      }
      if (report.isCached) cached++;
      if (report.code !== undefined) codes.set(report.code, (codes.get(report.code) ?? 0) + 1);
      const { accountId, keyId } = report;
      if (accountId === undefined || keyId === undefined) return;
      let tally = keys.get(keyId);
      if (!tally) {
        tally = { accountId, keyId, units: 0, errors: 0, refused: 0 };
        keys.set(keyId, tally);
      }
      if (report.units === "taken") tally.units++;
      if (status >= 400) tally.errors++;
      if (status === TOO_MANY) tally.refused++;
    },
    families(): readonly Family[] {
      const requests = [...timings.values()].flatMap((timing) => [...timing.requests.values()]);
      const errors = [...codes].map(([code, value]) => ({ labels: { code }, value }));
      const ofPlans = [...units].flatMap(([plan, counts]) =>
        Object.entries(counts).map(([outcome, value]) => {
          return { labels: { outcome: outcome.replace(" ", "_"), plan }, value };
        }),
      );
      return [
        counter("http_server_requests_total", "Answered requests.", requests),
        {
          name: "http_server_request_duration_seconds",
          type: "histogram",
          help: "Time from a request's head to its answer.",
          samples: [...timings].flatMap(histogram),
        },
        counter("http_server_errors_total", "Answers with an error body, by its code.", errors),
        counter("http_server_response_body_bytes_total", "Bytes of bodies sent.", bytesSent),
        counter("http_server_cached_responses_total", "Answers whose body came from the response cache.", cached),
        counter("quota_units_total", "Units, by outcome and plan.", ofPlans),
      ];
    },
    /** The number of answers with an error, by error code. */
    errors: (): readonly (readonly [code: string, count: number])[] => [...codes],
    /** The keys that made requests since the start. */
    tallies: (): readonly KeyTally[] => [...keys.values()],
    /** The number of exchanges since the start. */
    total: (): number => total,
  };
}

function noTiming(): Timing {
  return { requests: new Map(), buckets: BUCKETS.map(() => 0), count: 0, seconds: 0 };
}

function histogram([route, { buckets, count, seconds }]: readonly [string, Timing]): Sample[] {
  let below = 0;
  const ofBuckets = BUCKETS.map((bound, i) => ({
    suffix: "_bucket",
    labels: { route, le: String(bound) },
    value: (below += buckets[i]!),
  }));
  return [
    ...ofBuckets,
    { suffix: "_bucket", labels: { route, le: "+Inf" }, value: count },
    { suffix: "_sum", labels: { route }, value: seconds },
    { suffix: "_count", labels: { route }, value: count },
  ];
}
