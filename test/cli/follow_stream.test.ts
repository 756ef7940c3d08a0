// `import - --follow`: a stream of prices into a running server.
import assert from "node:assert/strict";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { type TestContext, test } from "node:test";
import { followStream } from "../../adapters/cli/import/follow_stream.ts";
import { webSystem } from "../../adapters/http/web_system.ts";
import { createMemoryStore } from "../../adapters/stores/memory_store.ts";
import { createIngestUnknown } from "../../core/mod.ts";
import { mazaneh, serving, servingChild, started, temporaryDirectory } from "../support/cli.ts";
import { formats } from "../support/import_formats.ts";
import { until } from "../support/wait_until.ts";

interface Acknowledged {
  readonly acknowledged: number;
  readonly accepted: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly refused: readonly { readonly line: number; readonly reason: string }[];
}

/** Follows a stream within this process. */
function follow(t: TestContext, data: string, args: readonly string[] = []) {
  const input = new PassThrough();
  const { texts, stop, ended } = started(["import", "-", "--follow", "--data", data, ...args], { input });
  t.after(async () => {
    stop();
    await ended;
  });
  const seen = (): Acknowledged[] =>
    texts.out
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Acknowledged);
  return {
    input,
    stop,
    ended,
    seen,
    err: () => texts.err,
    /** Resolves when so many lines are acknowledged. */
    until: (lines: number) =>
      until(`${lines} lines are acknowledged`, () => (seen().at(-1)?.acknowledged ?? 0) >= lines),
    /** Resolves when standard error has this text. */
    printed: (text: string) => until(text, () => texts.err.includes(text)),
  };
}

async function serverWith(t: TestContext) {
  const data = join(await temporaryDirectory(t), "data");
  return { data, server: await serving(t, ["--data", data]) };
}

async function exported(data: string): Promise<string[]> {
  const { code, out, err } = await mazaneh(["export", "--data", data]);
  assert.equal(code, 0, err);
  return out
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => line.split(",").slice(0, 2).join(" "));
}

const object = (value: number): string =>
  `${JSON.stringify({ code: "BTC_USD", value: 80_000 + value, businessTime: new Date(Date.UTC(2026, 0, 1) + value * 1_000).toISOString() })}\n`;
const sum = (seen: readonly Acknowledged[], name: "accepted" | "unchanged"): number =>
  seen.reduce((total, entry) => total + entry[name], 0);

test("follow: lines are acknowledged while the stream goes on, garbage with its number, and the end is clean: 65 as a line was refused", async (t) => {
  const { data } = await serverWith(t);
  const { input, seen, until, ended, err } = follow(t, data);
  input.write(object(1));
  await until(1);
  assert.deepEqual(seen(), [{ acknowledged: 1, accepted: 1, replaced: 0, unchanged: 0, refused: [] }]);
  assert.deepEqual(await exported(data), ["BTC_USD 80001"]);
  input.write(
    `not json\n\n{"code":"BTC_USD","value":0,"businessTime":"2026-01-01T00:00:00Z"}\n${"x".repeat(100_000)}\n${object(1)}${object(2)}`,
  );
  await until(7);
  input.end(object(3));
  assert.equal(await ended, 65);
  assert.deepEqual(
    seen().flatMap(({ refused }) => refused),
    [
      { line: 2, reason: "line is not a JSON object" },
      { line: 4, reason: 'value must be a number above zero: received "0"' },
      { line: 5, reason: "line is longer than 16384 bytes" },
    ],
  );
  assert.deepEqual([seen().at(-1)?.acknowledged, sum(seen(), "accepted"), sum(seen(), "unchanged")], [8, 3, 1]);
  assert.match(err(), /standard input: 8 lines acknowledged, 3 refused\n$/);
  assert.deepEqual(await exported(data), ["BTC_USD 80001", "BTC_USD 80002", "BTC_USD 80003"]);
});

test("follow: CSV with options; half a line waits for its other half, and is never stored at the end", async (t) => {
  const { data } = await serverWith(t);
  const { input, until, ended, err, printed, seen } = follow(t, data, [
    "--code",
    "USD_RLS",
    "--unit",
    "toman",
    "--zone",
    "Asia/Tehran",
  ]);
  input.write("time;price\n2026-08-21 16:30;19");
  input.write("0.500,5\n");
  await until(2);
  await printed(
    'standard input: read as: CSV with semicolons, value from "price", businessTime from "time", all of USD_RLS, times of Asia/Tehran, decimal comma, values in toman',
  );
  input.end("2026-08-21 16:31;1");
  assert.equal(await ended, 65);
  assert.match(err(), /the last line has no line end and was not stored\n/);
  assert.deepEqual(await exported(data), ["USD_RLS 1905005"]);
  assert.deepEqual(
    seen().map(({ acknowledged }) => acknowledged),
    [2],
  );
});

test("follow: what cannot be right waits as PENDING, which is said once; a jump is a price when it has stood for two days", async (t) => {
  const { data } = await serverWith(t);
  const { input, until, ended, err } = follow(t, data, ["--code", "USD_RLS"]);
  input.write("businessTime,value\n2026-09-01T10:00:00Z,1900000\n");
  await until(2);
  const rows = [
    ["02T10", 190_000],
    ["03T10", 190_500],
    ["04T10", 4_300_000],
    ["05T10", 4_310_000],
    ["06T10", 4_320_000],
  ] as const;
  for (const [i, [time, value]] of rows.entries()) {
    input.write(`2026-09-${time}:00:00Z,${value}\n`);
    await until(3 + i);
  }
  input.end();
  assert.equal(await ended, 0);
  assert.equal(
    err().split("USD_RLS looks like toman: about 1900000 expected. Such values wait as PENDING until somebody decides.")
      .length,
    2,
    err(),
  );
  assert.match(err(), /USD_RLS jumps, and no later value confirms it/);
  assert.deepEqual(
    (await exported(data)).map((row) => row.split(" ")[1]),
    ["1900000", "4300000", "4310000", "4320000"],
  );
});

test("follow: a value that cannot be right does not take the place of one of its time, whatever comes first", async (t) => {
  const { data } = await serverWith(t);
  const { input, until, ended, err } = follow(t, data, ["--code", "USD_RLS"]);
  const [good, bad] = [1_900_000, 190_000];
  input.write(
    `businessTime,value\n${[
      [10, good],
      [10, bad],
      [11, bad],
      [11, good],
      [12, good],
      [12, bad],
      [12, good + 1],
    ]
      .map(([hour, value]) => `2026-09-01T${hour}:00:00Z,${value}\n`)
      .join("")}`,
  );
  await until(8);
  input.write(`2026-09-01T10:00:00Z,${bad}\n`);
  await until(9);
  input.end();
  assert.equal(await ended, 0);
  assert.deepEqual(
    (await exported(data)).map((row) => row.split(" ")[1]),
    ["1900000", "1900000", "1900001"],
  );
  assert.match(err(), /looks like toman: .*\. Such values wait as PENDING until somebody decides\.\n/);
});

test("follow: at a stop, what was read whole is stored and acknowledged at once", async () => {
  const store = createMemoryStore();
  let stop: () => void = () => undefined;
  async function* input(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${object(1)}${object(2)}{"code":"BTC_USD","val`);
    stop(); // The chunk was read, as the next one is asked for; the stream stays open.
    await new Promise(() => undefined);
  }
  const seen: Acknowledged[] = [];
  const followed = await followStream(input(), {
    formats: formats(),
    ingest: createIngestUnknown({ ...webSystem, ...store }),
    stop: new Promise((resolve) => (stop = resolve)),
    reading: () => undefined,
    acknowledge: async (line) => void seen.push(line),
  });
  assert.deepEqual(seen, [{ acknowledged: 2, accepted: 2, replaced: 0, unchanged: 0, refused: [] }]);
  assert.deepEqual(followed, { acknowledged: 2, refused: 0, failure: undefined, isCut: true });
});

test("follow: a server that is killed can be started again, and the stream goes on without a loss", async (t) => {
  const data = join(await temporaryDirectory(t), "data");
  const server = await servingChild(t, ["--data", data]);
  const { input, seen, until, printed, ended, err } = follow(t, data);
  input.write(object(1));
  await until(1);
  server.child.kill("SIGKILL");
  await server.stop();
  input.write(object(2) + object(3));
  await printed("What was acknowledged is stored.");
  assert.equal(seen().at(-1)?.acknowledged, 1);
  const again = await serving(t, ["--data", data]);
  await until(3);
  input.end(object(4));
  assert.equal(await ended, 0);
  assert.match(err(), /Connected to the server; going on\.\n/);
  assert.deepEqual(await exported(data), ["BTC_USD 80001", "BTC_USD 80002", "BTC_USD 80003", "BTC_USD 80004"]);
  await again.stop();
});

test("follow: without a server it waits, opens no store that a server could then not open, and says at a stop what is not stored: 70", async (t) => {
  const { data, server } = await serverWith(t);
  await server.stop();
  const { input, seen, printed, ended, stop } = follow(t, data);
  input.write(object(1));
  await printed(`Waiting for a server on "${data}"`);
  stop();
  assert.equal(await ended, 70);
  await printed(
    `standard input: 0 lines acknowledged; what came after them may not be stored\nmazaneh: No server serves "${data}"\n`,
  );
  assert.deepEqual(seen(), []);
});

test("follow: a format that is unclear, or has no lines, ends it at once: 65; other sources are wrong usage: 64", async (t) => {
  const { data } = await serverWith(t);
  const cases = [
    ['[{"code":"BTC_USD"', "it is a JSON array, which ends with its last record: --follow reads one object a line"],
    ["code,value,businessTime\nBTC_USD,1,2026-08-21\n", '"2026-08-21" has no hour: say --day-at 16:30'],
  ] as const;
  for (const [text, reason] of cases) {
    const { input, ended, err } = follow(t, data);
    input.write(text);
    assert.equal(await ended, 65);
    assert.equal(
      err(),
      `standard input: 0 lines acknowledged; what came after them may not be stored\nmazaneh: standard input: ${reason}\n`,
    );
  }
  for (const operands of [["prices.csv"], [], ["-", "prices.csv"]]) {
    const { code, err } = await mazaneh(["import", "--follow", "--data", data, ...operands]);
    assert.equal(code, 64, err);
  }
});
