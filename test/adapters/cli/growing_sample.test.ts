import assert from "node:assert/strict";
import { join } from "node:path";
import { mock, test } from "node:test";
import type { TestContext } from "node:test";
import { setImmediate as turn, setTimeout as delay } from "node:timers/promises";
import { growSample } from "../../../adapters/cli/growing_sample.ts";
import { appendSample } from "../../../adapters/cli/sample.ts";
import { createMemoryStore } from "../../../adapters/memory_store.ts";
import { ASSETS, Unavailable, createIngestUnknown } from "../../../core/mod.ts";
import type { Observation, ObservationWriter, UtcMillis } from "../../../core/mod.ts";
import { mazaneh, serving, temporaryDirectory } from "../../support/cli.ts";

const START = Date.parse("2026-11-21T10:07:31Z");
const MINUTE = 60_000;
/** A few, with records each quarter of an hour and each day. */
const SOME = ASSETS.slice(0, 5);

function load(store: Pick<ObservationWriter, "append">, now: number): Promise<void> {
  return appendSample(store, { now: now as UtcMillis, assets: SOME, latest: new Map() });
}

/** A server's sample in memory, whose time the test moves. */
async function growing(t: TestContext, change: (store: SampleStore) => Partial<SampleStore> = () => ({})) {
  const { observations } = createMemoryStore();
  await load(observations, START);
  const batches: (readonly Observation[])[] = [];
  const errors: unknown[] = [];
  const store = {
    coverage: observations.coverage,
    append(batch: readonly Observation[]) {
      batches.push(batch);
      return observations.append(batch);
    },
    async removeProvider(provider: string): Promise<number> {
      const found: Observation[] = [];
      for await (const record of observations.records()) if (record.provider === provider) found.push(record);
      return observations.remove(found);
    },
  };
  let now = START;
  mock.timers.enable({ apis: ["setInterval"] });
  t.after(() => mock.timers.reset());
  const sample = growSample({ ...store, ...change(store) }, { clock: () => now as UtcMillis, onError: (error) => errors.push(error) });
  return {
    observations, store, batches, errors, sample,
    /** Lets a number of minutes pass. In memory, a step ends before the next turn of the event loop. */
    async pass(minutes: number) {
      for (let minute = 0; minute < minutes; minute++) {
        now += MINUTE;
        mock.timers.tick(MINUTE);
        await turn();
      }
    },
    /** Lets time pass without a timer, as when the machine sleeps. */
    sleep(minutes: number) {
      now += minutes * MINUTE;
    },
  };
}

type SampleStore = Parameters<typeof growSample>[0];

test("growing sample: each quarter of an hour brings one record of each asset, and nothing else is written", async (t) => {
  const { batches, pass, observations } = await growing(t);
  await pass(7);
  assert.equal(batches.length, 0, "10:14: nothing is new");
  await pass(60);
  assert.deepEqual(batches.map((batch) => batch.length), Array(4).fill(SOME.length));
  assert.deepEqual([...new Set(batches.flat().map(({ businessTime }) => new Date(businessTime).toISOString().slice(11, 16)))], ["10:15", "10:30", "10:45", "11:00"]);
  const whole = createMemoryStore().observations;
  await load(whole, START + 67 * MINUTE);
  const values = async (store: typeof whole): Promise<string[]> => (await store.coverage(SOME.map(({ code }) => code))).value.map((known) => `${known!.latest.businessTime} ${known!.latest.value}`);
  assert.deepEqual(await values(observations), await values(whole), "as if it were loaded now");
});

test("growing sample: after a night in which the machine slept, the first minute brings all that is missing", async (t) => {
  const { batches, pass, sleep } = await growing(t);
  sleep(24 * 60);
  await pass(1);
  const dollar = batches.flat().filter(({ code }) => code === "USD_RLS");
  assert.equal(dollar.length, 96);
});

test("growing sample: it ends when the sample has been taken out, or other records are beside it", async (t) => {
  const taken = await growing(t);
  await taken.store.removeProvider("SAMPLE");
  await taken.pass(60);
  assert.deepEqual([taken.batches.length, taken.errors], [0, []]);
  mock.timers.reset();

  for (const named of [{}, { provider: "me" }]) {
    const mixed = await growing(t);
    await createIngestUnknown({ clock: () => START as UtcMillis, observations: mixed.observations })([{ code: "USD_RLS", value: 1_905_000, businessTime: "2026-11-21T10:08:00Z", ...named }]);
    await mixed.pass(60);
    assert.deepEqual([mixed.batches.length, mixed.errors], [0, []]);
    mock.timers.reset();
  }
});

test("growing sample: records that were on their way while the sample was taken out go with it", async (t) => {
  const { observations, pass, batches } = await growing(t, ({ append, removeProvider }) => ({
    async append(batch) {
      await removeProvider("SAMPLE");
      return append(batch);
    },
  }));
  await pass(60);
  assert.equal(batches.length, 1, "and nothing follows");
  for await (const record of observations.records()) assert.fail(`${record.code} is left`);
});

test("growing sample: what a full disk refuses is stored when there is room again; another error is told once and ends it", async (t) => {
  let trouble: Error | undefined = new Unavailable("ENOSPC");
  const full = await growing(t, ({ append }) => ({
    append(batch) {
      if (trouble) throw trouble;
      return append(batch);
    },
  }));
  await full.pass(10);
  trouble = undefined;
  await full.pass(1);
  assert.deepEqual([full.batches.length, full.errors], [1, []]);
  trouble = new Error("broken");
  await full.pass(60);
  assert.deepEqual(full.errors, [trouble]);
});

test("growing sample: a stop waits for what is being stored, and nothing follows", async (t) => {
  let store: () => void = () => undefined;
  const stored = new Promise<void>((resolve) => (store = resolve));
  const { sample, pass, batches } = await growing(t, ({ append }) => ({
    async append(batch) {
      await stored;
      return append(batch);
    },
  }));
  await pass(10);
  let isStopped = false;
  const stopped = sample.stop().then(() => (isStopped = true));
  await turn();
  assert.equal(isStopped, false);
  store();
  await stopped;
  await pass(60);
  assert.equal(batches.length, 1);
});

/** Runs in the server: minutes pass in a hundredth of a second each, once the server listens. */
const FAST_CLOCK = `data:text/javascript,${encodeURIComponent(`
  const { setInterval: every, Date: { now } } = globalThis;
  let ahead = 0;
  globalThis.setInterval = (run, ms, ...rest) => (ms === 60_000 ? every(() => (ahead += ms, run()), 10, ...rest) : every(run, ms, ...rest));
  Date.now = () => now() + ahead;
`)}`;

test("serve --sample: an hour later its prices are not stale, and import --drop-sample leaves none of them", { timeout: 120_000 }, async (t) => {
  const data = join(await temporaryDirectory(t), "data");
  const server = await serving(t, ["--sample", "--data", data], { NODE_OPTIONS: `${process.env["NODE_OPTIONS"] ?? ""} --import ${FAST_CLOCK}` });
  const key = String(server.state["demoKey"]?.["key"]);
  const latest = async (): Promise<number> => Date.parse(String((await server.get("/api/v1/assets/USD_RLS", key)).json["businessTime"]));
  const first = await latest();
  while ((await latest()) < first + 60 * MINUTE) await delay(50);

  const input = `code,value,businessTime\nUSD_RLS,1905000,2026-08-21T16:30:00Z\n`;
  assert.equal((await mazaneh(["import", "--drop-sample", "-", "--data", data], { input })).code, 0);
  assert.equal(await server.stop(), 0);
  const left = await mazaneh(["export", "--format", "csv", "--data", data]);
  assert.deepEqual(left.out.trim().split("\n").slice(1).map((line) => line.split(",")[0]), ["USD_RLS"], left.err);
});
