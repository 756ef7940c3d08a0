// Runs the server under a steady load for a long time, with quota days of some seconds and new records. Memory and
// descriptors must stay constant, nothing may fail, and each unit must be counted once.
import assert from "node:assert/strict";
import { Agent } from "node:http";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { readUsage, verifyStore } from "../../adapters/stores/json_files/mod.ts";
import { newDirectory } from "../support/json_files_fixtures.ts";
import { startNode } from "../support/start_child.ts";
import { ask } from "./ask.ts";
import { bundle } from "./bundle.ts";
import { printCounts } from "./random_trial.ts";
import type { SoakSample, SoakSetup, SoakStart } from "./soak_server.ts";

const SECONDS = Number(process.env["MAZANEH_SOAK_SECONDS"] ?? 300);
const SAMPLES = 60;
const DAY_SECONDS = 15;
const RATE = 300;
const LIMITED_UNITS = 20;
const MAX_SLOPE_MB_PER_MINUTE = 2;
const MAX_MEMORY_MB = 300;
const CLIENTS = 16;

test(`soak: ${SECONDS} s with ${RATE} requests a second and days of ${DAY_SECONDS} s: memory and descriptors stay constant, nothing fails, counters are exact`, async (t) => {
  const data = await newDirectory();
  const setup: SoakSetup = { data, daySeconds: DAY_SECONDS, limitedUnits: LIMITED_UNITS };
  const env = { ...process.env, SOAK_SETUP: JSON.stringify(setup) };
  const child = startNode(["--expose-gc", await bundle("test/faults/soak_server.ts")], { hasMessages: true, env });
  t.after(() => child.end());
  const { origin, rich, limited } = (await child.nextMessage<SoakStart>()) ?? assert.fail(child.err());
  const end = performance.now() + SECONDS * 1_000;
  const statuses = { rich: new Map<string, number>(), limited: new Map<string, number>() };
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });

  async function client(number: number): Promise<void> {
    const everyMs = (CLIENTS * 1_000) / RATE;
    const [key, counts] = number === 0 ? [limited, statuses.limited] : [rich, statuses.rich];
    for (let next = performance.now() + (number * everyMs) / CLIENTS; next < end; next += everyMs) {
      await delay(Math.max(0, next - performance.now()));
      const { status } = await ask(agent, `${origin}/api/v1/assets/supported`, { key });
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  }

  async function sample(what: "sample" | "stop"): Promise<SoakSample> {
    child.process.send(what);
    return (await child.nextMessage<SoakSample>()) ?? assert.fail(child.err());
  }

  const samples: (SoakSample & { readonly minute: number })[] = [];
  async function takeSamples(): Promise<void> {
    for (let taken = 0; taken < SAMPLES; taken++) {
      await delay((SECONDS * 1_000) / SAMPLES);
      samples.push({ ...(await sample("sample")), minute: (taken * SECONDS) / SAMPLES / 60 });
    }
  }

  await Promise.all([takeSamples(), ...Array.from({ length: CLIENTS }, (_, number) => client(number))]);
  agent.destroy();
  await sample("stop");
  const usage = await readUsage(data);
  const unitsOf = (name: string): number[] =>
    usage.flatMap(({ accounts }) => accounts.filter(({ account }) => account === name).map(({ units }) => units));
  const sum = (units: readonly number[]): number => units.reduce((total, one) => total + one, 0);
  // By then, all caches and pools are full.
  const settled = samples.slice(SAMPLES * 0.4);
  const slope = slopeOf(settled.map(({ minute, residentMb }) => [minute, residentMb]));
  const peak = Math.max(...samples.map(({ residentMb }) => residentMb));
  const files = settled.map((one) => one.files);
  printCounts(t, {
    days: usage.length,
    "memory MB": Math.round(peak),
    "MB a minute": slope.toFixed(2),
    descriptors: `${Math.min(...files)} to ${Math.max(...files)}`,
    rich: JSON.stringify([...statuses.rich]),
    limited: JSON.stringify([...statuses.limited]),
  });

  assert.deepEqual([...statuses.rich.keys()], ["200"]);
  assert.deepEqual([...statuses.limited.keys()].sort(), ["200", "429"]);
  assert.equal(sum(unitsOf("rich")), statuses.rich.get("200"));
  assert.equal(sum(unitsOf("limited")), statuses.limited.get("200"));
  for (const units of unitsOf("limited")) assert.ok(units <= LIMITED_UNITS, `${units}`);
  assert.ok(usage.length >= SECONDS / DAY_SECONDS - 1, `${usage.length} days`);
  assert.equal((await verifyStore(data)).state, 0);
  assert.ok(peak < MAX_MEMORY_MB, `${peak} MB`);
  assert.ok(Math.max(...files) - Math.min(...files) <= CLIENTS, files.join());
  assert.ok(slope < MAX_SLOPE_MB_PER_MINUTE, `${slope} MB a minute`);
});

/** The slope of the least-squares line through points. */
function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0) / values.length;
  const [x, y] = [mean(points.map(([at]) => at)), mean(points.map(([, value]) => value))];
  return (
    points.reduce((total, [at, value]) => total + (at - x) * (value - y), 0) /
    points.reduce((total, [at]) => total + (at - x) ** 2, 0)
  );
}
