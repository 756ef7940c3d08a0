import assert from "node:assert/strict";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { continueSample, prepareSample, sampleShare } from "../../../adapters/cli/sample.ts";
import { nodeFileSystem, openJsonFiles } from "../../../adapters/json_files/mod.ts";
import { createMemoryStore } from "../../../adapters/memory_store.ts";
import { systemClock } from "../../../adapters/system.ts";
import { ASSETS, createIngestUnknown } from "../../../core/mod.ts";
import type { Observation, ObservationWriter, RawRecord, UtcMillis } from "../../../core/mod.ts";
import { mazaneh, serving, startMazaneh, temporaryDirectory } from "../../support/cli.ts";

const ASSET = "/api/v1/assets/USD_RLS";
const DAY = 86_400_000;
/** What the page is told, in its HTML, while prices are made up. */
const IS_SAMPLE = /"isSample":true/;
const WEEK = 7 * DAY;

function at(text: string): UtcMillis {
  return Date.parse(text) as UtcMillis;
}

function day(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

async function recordsOf(store: Pick<ObservationWriter, "records">): Promise<Observation[]> {
  const records: Observation[] = [];
  for await (const record of store.records()) records.push(record);
  return records;
}

/** Makes a store with the sample as of a moment, and other records. */
async function makeSample(data: string, now: number, others: readonly RawRecord[] = []): Promise<void> {
  const store = await openJsonFiles(data, { clock: systemClock });
  await continueSample(store.observations, now as UtcMillis, () => undefined);
  await createIngestUnknown({ clock: systemClock, observations: store.observations })(others);
  await store.close();
}

async function rowsOf(store: Pick<ObservationWriter, "records">): Promise<string[]> {
  return (await recordsOf(store)).map(({ code, businessTime, value, insertTime }) => `${code} ${businessTime} ${value} ${insertTime}`);
}

test("sample: it is continued up to now, and what was there stays as it was", async () => {
  const { observations } = createMemoryStore();
  let added = 0;
  const progress = (count: number): void => void (added = count);
  await continueSample(observations, at("2026-11-21T10:07:31Z"), progress);
  const before = await rowsOf(observations);
  assert.equal(added, before.length);

  added = 0;
  await continueSample(observations, at("2026-11-21T10:14:59Z"), progress);
  assert.equal(added, 0, "nothing is new within a quarter of an hour");
  await continueSample(observations, at("2026-11-21T10:15:00Z"), progress);
  assert.equal(added, ASSETS.length, "one record for each asset");

  await continueSample(observations, at("2027-02-03T12:01:00Z"), progress);
  const after = await rowsOf(observations);
  const known = new Set(after);
  assert.deepEqual(before.filter((row) => !known.has(row)), []);
  assert.equal(after.length, before.length + ASSETS.length + added);
  const dollar = (await recordsOf(observations)).filter(({ code }) => code === "USD_RLS").map(({ businessTime }) => businessTime);
  assert.equal(dollar.at(-1), at("2027-02-03T12:00:00Z"));
  const days = new Set(dollar.map((time) => day(time + 3.5 * 3_600_000)));
  for (let time = at("2026-11-21T12:00:00Z"); time < at("2027-02-03T12:00:00Z"); time = (time + DAY) as UtcMillis) {
    assert.ok(days.has(day(time)), day(time));
  }

  await continueSample(observations, at("2026-12-01T00:00:00Z"), (count) => assert.fail(`a clock that was set back adds ${count} records`));
});

test("sample: a load that was interrupted goes on where it ended", async () => {
  const now = at("2026-11-21T10:07:31Z");
  const whole = createMemoryStore().observations;
  await continueSample(whole, now, () => undefined);
  const { observations } = createMemoryStore();
  await observations.append((await recordsOf(whole)).slice(0, 20_000));
  await continueSample(observations, now, () => undefined);
  assert.deepEqual(await rowsOf(observations), await rowsOf(whole));
});

const shares = [
  ["no record", [], "empty"],
  ["records of one's own", [{ provider: "me" }], "none"],
  ["the sample alone", [{ provider: "SAMPLE" }], "all"],
  ["the sample, and a record of another asset without a provider", [{ provider: "SAMPLE" }, { code: "EUR_RLS" }], "some"],
  ["the sample, and a record of the same asset without a provider", [{ provider: "SAMPLE" }, { businessTime: "2026-08-22T16:30:00Z" }], "some"],
  ["the sample, and a record that is not accepted", [{ provider: "SAMPLE" }, { code: "EUR_RLS", qualityStatus: "PENDING" }], "some"],
  ["only a record that is not accepted", [{ qualityStatus: "PENDING" }], "none"],
] as const;
for (const [held, records, share] of shares) {
  test(`sample: of a store with ${held}, "${share}" is made up`, async () => {
    const { observations } = createMemoryStore();
    const usual = { code: "USD_RLS", value: 1_905_000, businessTime: "2026-08-21T16:30:00Z" };
    await createIngestUnknown({ clock: systemClock, observations })(records.map((record) => ({ ...usual, ...record })));
    assert.equal(await sampleShare(observations), share);
  });
}

test("sample: where the disk takes no more, what is there is served, and the start says so", async (t) => {
  const data = join(await temporaryDirectory(t), "data");
  await makeSample(data, Date.now() - 5 * WEEK);
  const full = (): never => {
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  };
  const fs = { ...nodeFileSystem, open: async (...how: Parameters<typeof nodeFileSystem.open>) => {
    const file = await nodeFileSystem.open(...how);
    return how[0].includes("obs-") ? { ...file, write: full } : file;
  } };
  const store = await openJsonFiles(data, { clock: systemClock, fs });
  t.after(() => store.close());
  const before = await rowsOf(store.observations);
  const state = await prepareSample(store.observations, { wanted: true, now: systemClock(), progress: () => undefined });
  assert.deepEqual([state.share, state.added, state.isOlder], ["all", 0, true]);
  assert.match(state.warnings.join(), /^The sample does not reach to now: .*ENOSPC/);
  assert.deepEqual(await rowsOf(store.observations), before);
});

test("serve --sample: keeps the sample in ./sample-data, and says on the terminal and to the page that prices are made up", async (t) => {
  const cwd = await temporaryDirectory(t);
  const child = startMazaneh(["serve", "--sample", "--port", "0"], {}, cwd);
  t.after(() => child.kill("SIGKILL"));
  const closed = once(child, "close");
  let text = "";
  let page = "";
  for await (const line of createInterface(child.stdout)) {
    text += `${line}\n`;
    if (!line.startsWith("Listening on ")) continue;
    page = await (await fetch(`${line.slice("Listening on ".length)}/docs`)).text();
    setTimeout(() => child.kill("SIGTERM"), 50);
  }
  assert.deepEqual(await closed, [0, null]);
  assert.match(text, /^ {2}data +sample-data +--sample$/m);
  assert.match(text, /^All prices here are made up\. Your own are kept apart: {2}(?:mazaneh|npx tsx \S+) import FILE --init {2}and then {2}(?:mazaneh|npx tsx \S+) serve$/m);
  assert.match(page, IS_SAMPLE);
  assert.deepEqual(await readdir(cwd), ["sample-data"]);

  const input = "code,value,businessTime\nUSD_RLS,1905000,2026-08-21T16:30:00Z\n";
  assert.equal((await mazaneh(["import", "--init", "-"], { cwd, input })).code, 0);
  assert.deepEqual((await readdir(cwd)).sort(), ["data", "sample-data"]);
  const own = await serving(t, ["--data", join(cwd, "data")]);
  assert.deepEqual([own.state["sample"], own.state["records"]?.["assets"]], ["none", 1]);
  assert.doesNotMatch(await (await fetch(`${own.url}/docs`)).text(), IS_SAMPLE);
});

for (const extra of [[], ["--fast-start"]] as const) {
  test(`serve --sample ${extra.join()}: a sample that was loaded weeks ago reaches to now, also when it is started twice`, async (t) => {
    const data = join(await temporaryDirectory(t), "data");
    await makeSample(data, Date.now() - 5 * WEEK);
    const key = String((await mazaneh(["keys", "create", "me", "--json", "--data", data])).json()["key"]);
    const old = `${ASSET}/history?from=${day(Date.now() - 9 * WEEK)}&to=${day(Date.now() - 6 * WEEK)}`;
    const path = `${ASSET}/history?from=${day(Date.now() - 28 * DAY)}&to=${day(Date.now() - DAY)}`;

    const stale = await serving(t, ["--data", data, ...extra]);
    assert.equal(stale.state["sampleRecords"], 0, "without --sample, nothing is added");
    const before = await stale.get(old, key);
    assert.deepEqual((await stale.get(path, key)).json, []);
    assert.equal(await stale.stop(), 0);

    const first = await serving(t, ["--sample", "--data", data, ...extra]);
    assert.ok(Number(first.state["sampleRecords"]) > 20 * 21 * 96);
    assert.equal(((await first.get(path, key)).json as unknown as unknown[]).length, 28);
    assert.deepEqual((await first.get(old, key)).json, before.json);
    assert.equal(await first.stop(), 0);
    const second = await serving(t, ["--sample", "--data", data, ...extra]);
    assert.ok(Number(second.state["sampleRecords"]) <= ASSETS.length, "only the quarter of an hour that has begun meanwhile");
    assert.equal(((await second.get(path, key)).json as unknown as unknown[]).length, 28);
  });
}

test("serve: a store with the sample and other records is not continued, and the start warns of it", async (t) => {
  const data = join(await temporaryDirectory(t), "data");
  // Of the same asset, and without a provider, as most files are.
  await makeSample(data, Date.now() - WEEK, [{ code: "USD_RLS", value: 1_905_000, businessTime: "2020-08-21T16:30:00Z" }]);
  for (const extra of [[], ["--sample"]]) {
    const server = await serving(t, ["--data", data, ...extra]);
    assert.deepEqual([server.state["sample"], server.state["sampleRecords"]], ["some", 0]);
    assert.match(String(server.state["warnings"]), /provider SAMPLE/);
    assert.match(await (await fetch(`${server.url}/docs`)).text(), IS_SAMPLE);
    assert.equal(await server.stop(), 0);
  }
});
