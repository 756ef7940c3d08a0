import assert from "node:assert/strict";
import { test } from "node:test";
import type { NodeLoad } from "../../../adapters/http/node/mod.ts";
import { createReadiness, type ReadinessChange } from "../../../adapters/server/monitoring/readiness.ts";
import { watchClock, watchFeed, watchLimits } from "../../../adapters/server/monitoring/trouble_watchers.ts";
import { createMemoryStore } from "../../../adapters/stores/memory_store.ts";
import type { Trouble } from "../../../adapters/stores/shared/store_troubles.ts";
import type { AssetCode, UtcMillis } from "../../../core/mod.ts";
import { observed } from "../../support/store_suite.ts";

const at = (text: string): UtcMillis => Date.parse(text) as UtcMillis;

test("readiness: a reason keeps the time of its first detection even if its message changes; each change is reported once", () => {
  let now = at("2026-01-01T00:00:00Z");
  let troubles: Trouble[] = [];
  const changes: ReadinessChange[] = [];
  const watch = createReadiness(
    [{ troubles: () => troubles }, { troubles: () => troubles }],
    () => now,
    (change) => changes.push(change),
  );
  assert.deepEqual(watch.current(), { ready: true, reasons: [] });
  troubles = [{ code: "disk-full", message: "one" }];
  assert.deepEqual(watch.current(), {
    ready: false,
    reasons: [{ code: "disk-full", message: "one", since: "2026-01-01T00:00:00.000Z" }],
  });
  now = at("2026-01-01T00:01:00Z");
  troubles = [
    { code: "disk-full", message: "two" },
    { code: "stale-feed", message: "old" },
  ];
  const reasons = watch.current().reasons.map(({ message, since }) => `${message} ${since}`);
  assert.deepEqual(reasons, ["two 2026-01-01T00:00:00.000Z", "old 2026-01-01T00:01:00.000Z"]);
  troubles = [];
  assert.equal(watch.current().ready, true);
  const codes = (troubles: readonly Trouble[]): string => troubles.map(({ code }) => code).join();
  const seen = changes.map(({ appeared, gone }) => `+${codes(appeared)} -${codes(gone)}`);
  assert.deepEqual(seen, ["+disk-full -", "+stale-feed -", "+ -disk-full,stale-feed"]);
});

test("feed: an age at the limit is fresh, and a millisecond more is stale; pending records and other assets do not count", async () => {
  const store = createMemoryStore();
  const time = observed(1, 1).businessTime;
  let now = time as number;
  const watch = { codes: ["USD_RLS" as AssetCode], clock: () => now as UtcMillis };
  const feed = watchFeed(store.observations, { ...watch, maxAgeMinutes: 10 });
  assert.deepEqual(feed.troubles(), [], "nothing is reported before the first sweep");
  await feed.sweep();
  assert.equal(feed.troubles()[0]?.code, "stale-feed");
  await store.observations.append([
    observed(1, 1),
    observed(500, 1, { qualityStatus: "PENDING" }),
    observed(900, 1, { code: "BTC_USD" as AssetCode }),
  ]);
  await feed.sweep();
  assert.deepEqual([feed.newest(), feed.troubles()], [time, []]);
  now = time + 600_000;
  assert.deepEqual(feed.troubles(), []);
  now++;
  assert.equal(feed.troubles()[0]?.code, "stale-feed");
});

test("feed: reports a clock more than an hour behind the newest record, with or without an age limit", async () => {
  const store = createMemoryStore();
  await store.observations.append([observed(1, 1)]);
  let now = 0;
  const watch = { codes: ["USD_RLS" as AssetCode], clock: () => now as UtcMillis };
  const feed = watchFeed(store.observations, { ...watch, maxAgeMinutes: undefined });
  await feed.sweep();
  const cases = [
    [1, undefined],
    [1.1, "clock-behind"],
    [40 * 24, "clock-behind"],
  ] as const;
  for (const [hours, code] of cases) {
    now = observed(1, 1).businessTime - hours * 3_600_000;
    assert.equal(feed.troubles()[0]?.code, code);
  }
});

test("clock: reports a jump of more than an hour once, in both directions; passing time is not a jump", (t) => {
  let [now, passed] = [at("2026-01-01T00:00:00Z") as number, 0];
  t.mock.method(performance, "now", () => passed);
  const jumped = watchClock(() => now as UtcMillis);
  const steps: readonly (readonly [hours: number, passing: number, message: RegExp | undefined])[] = [
    [5, 5, undefined],
    [1, 0, undefined],
    [1.5, 0, /^The clock went forward by 1\.5 hours, to 2026-01-01T07:30:00\.000Z: /],
    [0, 0, undefined],
    [-24, 1, /^The clock went back by 25\.0 hours/],
  ];
  for (const [hours, passing, message] of steps) {
    now += hours * 3_600_000;
    passed += passing * 3_600_000;
    if (message) assert.match(jumped() ?? "", message);
    else assert.equal(jumped(), undefined, `${hours} in ${passing}`);
  }
});

test("limits: reports when a limit of connections or open files is reached; does not repeat the report without further refusals", async () => {
  let [limit, address, open] = [3, 0, 20];
  const load = () => ({ connectionsLimit: 9, connectionsRefused: { limit, address } }) as NodeLoad;
  const reports: (readonly [kind: string, message: string])[] = [];
  const report = watchLimits(load, { openFiles: async () => open, maxFiles: 64 }, (...one) => reports.push(one));
  const kinds = () => reports.map(([kind]) => kind);
  await report();
  assert.deepEqual(kinds(), []);
  [limit, address, open] = [5, 1, 56];
  await report();
  assert.deepEqual(kinds(), ["connections", "address", "files"]);
  const figures = [/\b9\b.*\b2\b/, /\b1\b/, /\b56\b.*\b64\b/];
  for (const [i, [, message]] of reports.entries()) assert.match(message, figures[i]!);
  open = 55;
  await report();
  assert.equal(kinds().length, 3);
});

test("readiness: a watcher that fails or hangs does not affect other watchers, and a hanging watcher is not called again", async () => {
  let asked = 0;
  const changes: ReadinessChange[] = [];
  const failing = { troubles: () => [], sweep: () => Promise.reject(new Error("connect ECONNREFUSED")) };
  const hanging = { troubles: () => [], sweep: () => new Promise<void>(() => void asked++) };
  const troubled = { troubles: (): Trouble[] => [{ code: "store-unreachable", message: "It hangs" }] };
  const now = (): UtcMillis => at("2026-01-01T00:00:00Z");
  const watch = createReadiness([failing, hanging, troubled], now, (change) => changes.push(change));
  void watch.sweep();
  await watch.sweep();
  assert.deepEqual([changes.length, changes[0]?.appeared[0]?.code, asked], [1, "store-unreachable", 1]);
});
