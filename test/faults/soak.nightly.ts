// Runs the server under a steady load for a long time, with quota days of some seconds, key replacements, new records
// and backups. Memory and descriptors must stay constant, nothing may fail, and each unit must be counted once.
import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Agent } from "node:http";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { readUsage, verifyStore } from "../../adapters/stores/json_files/mod.ts";
import { newDirectory } from "../support/json_files_fixtures.ts";
import { ask } from "./ask.ts";
import { bundle } from "./bundle.ts";
import { printCounts } from "./random_trial.ts";
import type { SoakSample, SoakSetup, SoakStart } from "./soak_server.ts";

const SECONDS = 300;
const DAY_SECONDS = 15;
const RATE = 300;
const LIMITED_UNITS = 20;
const [ROLLS, BACKUPS] = [10, 3];
/** Uses the second half of the samples, because all caches and pools are full by then. */
const MAX_SLOPE_MB_PER_MINUTE = 2;
const MAX_MEMORY_MB = 300;
const CLIENTS = 16;

test(`soak: ${SECONDS} s with ${RATE} requests a second and days of ${DAY_SECONDS} s: memory and descriptors stay constant, nothing fails, counters are exact`, async (t) => {
  const data = await newDirectory();
  const setup: SoakSetup = { data, daySeconds: DAY_SECONDS, limitedUnits: LIMITED_UNITS };
  const child = fork(await bundle("test/faults/soak_server.ts"), {
    env: { ...process.env, SOAK_SETUP: JSON.stringify(setup) },
    execArgv: ["--expose-gc"],
  });
  t.after(() => child.kill("SIGKILL"));
  const [start] = (await once(child, "message")) as [SoakStart];
  let { rich } = start;
  const end = performance.now() + SECONDS * 1_000;
  let requests = 0;
  const statuses = { rich: new Map<string, number>(), limited: new Map<string, number>() };
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });

  async function client(number: number): Promise<void> {
    const everyMs = (CLIENTS * 1_000) / RATE;
    for (let next = performance.now() + (number * everyMs) / CLIENTS; next < end; next += everyMs) {
      await delay(Math.max(0, next - performance.now()));
      const who = number === 0 ? "limited" : "rich";
      const { status } = await ask(agent, `${start.origin}/api/v1/assets/supported`, {
        key: who === "rich" ? rich : start.limited,
      });
      requests++;
      statuses[who].set(status, (statuses[who].get(status) ?? 0) + 1);
    }
  }

  const samples: (SoakSample & { readonly minute: number })[] = [];
  async function operate(): Promise<void> {
    const [sampleEvery, rollEvery, backupEvery] = [SECONDS / 60, SECONDS / (ROLLS + 1), SECONDS / (BACKUPS + 1)];
    let [sampled, rolled, backups] = [0, 0, 0];
    const begun = performance.now();
    for (let seconds = 0; seconds < SECONDS; seconds = (performance.now() - begun) / 1_000) {
      await askServer(child, "record");
      if (seconds >= (rolled + 1) * rollEvery && ++rolled) rich = (await askServer(child, "roll")) as string;
      if (seconds >= (backups + 1) * backupEvery && ++backups) assert.equal(await askServer(child, "backup"), 0);
      if (seconds >= sampled * sampleEvery && ++sampled)
        samples.push({ ...((await askServer(child, "sample")) as SoakSample), minute: seconds / 60 });
      await delay(100);
    }
    assert.ok(rolled >= ROLLS && backups >= BACKUPS, `${rolled} rolls, ${backups} backups`);
  }

  await Promise.all([operate(), ...Array.from({ length: CLIENTS }, (_, number) => client(number))]);
  agent.destroy();
  await askServer(child, "stop");
  const usage = await readUsage(data);
  const unitsOf = (name: string): number[] =>
    usage.flatMap(({ accounts }) => accounts.filter(({ account }) => account === name).map(({ units }) => units));
  const sum = (units: readonly number[]): number => units.reduce((total, one) => total + one, 0);
  const settled = samples.slice(Math.floor(samples.length * 0.4));
  const slope = slopeOf(settled.map(({ minute, residentMb }) => [minute, residentMb]));
  const peak = Math.max(...samples.map(({ residentMb }) => residentMb));
  const files = settled.map((sample) => sample.files);
  printCounts(t, {
    requests,
    "a second": Math.round(requests / SECONDS),
    days: usage.length,
    "memory MB": Math.round(peak),
    "MB a minute": slope.toFixed(2),
    descriptors: `${Math.min(...files)} to ${Math.max(...files)}`,
    rich: JSON.stringify([...statuses.rich]),
    limited: JSON.stringify([...statuses.limited]),
  });

  assert.deepEqual([...statuses.rich.keys()], ["200"]);
  assert.deepEqual(
    [...statuses.limited.keys()].filter((status) => status !== "200" && status !== "429"),
    [],
  );
  assert.equal(sum(unitsOf("rich")), statuses.rich.get("200"));
  assert.equal(sum(unitsOf("limited")), statuses.limited.get("200"));
  for (const units of unitsOf("limited")) assert.ok(units <= LIMITED_UNITS, `${units}`);
  assert.ok(usage.length >= SECONDS / DAY_SECONDS - 1, `${usage.length} days`);
  assert.equal((await verifyStore(data)).state, 0);
  assert.ok(peak < MAX_MEMORY_MB, `${peak} MB`);
  assert.ok(Math.max(...files) - Math.min(...files) <= CLIENTS, files.join());
  assert.ok(slope < MAX_SLOPE_MB_PER_MINUTE, `${slope} MB a minute`);
});

async function askServer(child: ChildProcess, op: string): Promise<unknown> {
  const answered = once(child, "message") as Promise<[{ result: unknown }]>;
  child.send(op);
  return (await answered)[0].result;
}

/** The slope of the least-squares line through points. */
function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0) / values.length;
  const [x, y] = [mean(points.map(([at]) => at)), mean(points.map(([, value]) => value))];
  return (
    points.reduce((total, [at, value]) => total + (at - x) * (value - y), 0) /
    points.reduce((total, [at]) => total + (at - x) ** 2, 0)
  );
}
