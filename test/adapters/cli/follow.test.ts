// `import - --follow`: a stream of prices into a running server, with real processes.
import assert from "node:assert/strict";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { followStream } from "../../../adapters/cli/import/follow.ts";
import { createMemoryStore } from "../../../adapters/memory_store.ts";
import { webSystem } from "../../../adapters/system.ts";
import { createIngestUnknown } from "../../../core/mod.ts";
import { formats } from "../../support/import_formats.ts";
import { mazaneh, servingChild as serving, startMazaneh, temporaryDirectory } from "../../support/cli.ts";
import type { ServedChild as Served } from "../../support/cli.ts";

interface Acknowledged {
  readonly acknowledged: number;
  readonly accepted: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly refused: readonly { readonly line: number; readonly reason: string }[];
}

interface Follower {
  readonly child: ChildProcessWithoutNullStreams;
  /** All acknowledgements so far. */
  readonly seen: readonly Acknowledged[];
  /** Resolves when so many lines are acknowledged. */
  until(lines: number): Promise<void>;
  /** Resolves when standard error has this text. */
  told(text: string): Promise<void>;
  readonly err: () => string;
  /** The exit code. */
  readonly closed: Promise<number | null>;
}

function follow(t: TestContext, data: string, args: readonly string[] = []): Follower {
  const child = startMazaneh(["import", "-", "--follow", "--data", data, ...args]);
  const seen: Acknowledged[] = [];
  let err = "";
  child.stdin.on("error", () => undefined);
  createInterface(child.stdout).on("line", (line) => seen.push(JSON.parse(line) as Acknowledged));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const closed = once(child, "close").then(([code]) => code as number | null);
  t.after(async () => {
    child.kill("SIGKILL");
    await closed;
  });
  const wait = async (what: string, isDone: () => boolean): Promise<void> => {
    for (let tries = 0; !isDone(); tries++) {
      assert.ok(tries < 3_000 && (child.exitCode === null || isDone()), `${what}: ${JSON.stringify(seen.at(-1))}: ${err}`);
      await delay(10);
    }
  };
  return {
    child, seen, closed,
    err: () => err,
    until: (lines) => wait(`${lines} lines`, () => (seen.at(-1)?.acknowledged ?? 0) >= lines),
    told: (text) => wait(text, () => err.includes(text)),
  };
}

async function serverWith(t: TestContext): Promise<{ data: string; server: Served }> {
  const data = join(await temporaryDirectory(t), "data");
  return { data, server: await serving(t, ["--init", "--data", data]) };
}

async function exported(data: string): Promise<string[]> {
  const { code, out, err } = await mazaneh(["export", "--data", data]);
  assert.equal(code, 0, err);
  return out.trimEnd().split("\n").slice(1).map((line) => line.split(",").slice(0, 2).join(" "));
}

const object = (value: number): string => `${JSON.stringify({ code: "BTC_USD", value, businessTime: new Date(Date.UTC(2026, 0, 1) + value * 1_000).toISOString() })}\n`;
const sum = (seen: readonly Acknowledged[], name: "accepted" | "unchanged" | "replaced"): number => seen.reduce((total, entry) => total + entry[name], 0);

test("follow: lines are acknowledged while the stream goes on, garbage with its number, and the end is clean: 65 as a line was refused", async (t) => {
  const { data } = await serverWith(t);
  const { child, seen, until, closed, err } = follow(t, data);
  child.stdin.write(object(1));
  await until(1);
  assert.deepEqual(seen, [{ acknowledged: 1, accepted: 1, replaced: 0, unchanged: 0, refused: [] }]);
  assert.deepEqual(await exported(data), ["BTC_USD 1"]);
  child.stdin.write(`not json\n\n{"code":"BTC_USD","value":0,"businessTime":"2026-01-01T00:00:00Z"}\n${"x".repeat(100_000)}\n${object(1)}${object(2)}`);
  await until(7);
  child.stdin.end(object(3));
  assert.equal(await closed, 65);
  assert.deepEqual(seen.flatMap(({ refused }) => refused), [
    { line: 2, reason: "line is not a JSON object" },
    { line: 4, reason: 'value must be a number above zero: received "0"' },
    { line: 5, reason: "line is longer than 16384 bytes" },
  ]);
  assert.deepEqual([seen.at(-1)?.acknowledged, sum(seen, "accepted"), sum(seen, "unchanged")], [8, 3, 1]);
  assert.match(err(), /standard input: 8 lines acknowledged, 3 refused\n$/);
  assert.deepEqual(await exported(data), ["BTC_USD 1", "BTC_USD 2", "BTC_USD 3"]);
});

test("follow: CSV with options; half a line waits for its other half, and is never stored at the end", async (t) => {
  const { data } = await serverWith(t);
  const { child, seen, until, closed, err, told } = follow(t, data, ["--code", "USD_RLS", "--unit", "toman", "--zone", "Asia/Tehran"]);
  child.stdin.write("time;price\n2026-08-21 16:30;19");
  await delay(500);
  assert.equal(seen.length, 0);
  child.stdin.write("0.500,5\n");
  await until(2);
  await told('standard input: read as: CSV with semicolons, value from "price", businessTime from "time", all of USD_RLS, times of Asia/Tehran, decimal comma, values in toman');
  child.stdin.end("2026-08-21 16:31;1");
  assert.equal(await closed, 65);
  assert.match(err(), /the last line has no line end and was not stored\n/);
  assert.deepEqual(await exported(data), ["USD_RLS 1905005"]);
  assert.equal(seen.at(-1)?.acknowledged, 2);
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

test("follow: SIGTERM is a clean end: what is acknowledged is stored, and half a line is not: 0", async (t) => {
  const { data } = await serverWith(t);
  const { child, seen, until, closed } = follow(t, data);
  child.stdin.write(object(1));
  await until(1);
  child.stdin.write(`${object(2)}${object(3)}{"code":"BTC_USD","val`);
  child.kill("SIGTERM");
  assert.equal(await closed, 0);
  const expected = ["BTC_USD 1", "BTC_USD 2", "BTC_USD 3"].slice(0, seen.at(-1)?.acknowledged);
  assert.deepEqual(await exported(data), expected);
});

for (const signal of ["SIGTERM", "SIGKILL"] as const) {
  test(`follow: a server that ends by ${signal} can be started again, and the stream goes on without a loss`, async (t) => {
    const { data, server } = await serverWith(t);
    const { child, seen, until, told, closed, err } = follow(t, data);
    child.stdin.write(object(1));
    await until(1);
    const gone = once(server.child, "close");
    server.child.kill(signal);
    await gone;
    child.stdin.write(object(2) + object(3));
    await told("What was acknowledged is stored.");
    assert.equal(seen.at(-1)?.acknowledged, 1);
    await serving(t, ["--data", data]);
    await until(3);
    child.stdin.end(object(4));
    assert.equal(await closed, 0);
    assert.match(err(), /Connected to the server; going on\.\n/);
    assert.deepEqual(await exported(data), ["BTC_USD 1", "BTC_USD 2", "BTC_USD 3", "BTC_USD 4"]);
  });
}

test("follow: without a server it waits, opens no store that a server could then not open, and says at SIGTERM what is not stored: 70", async (t) => {
  const { data, server } = await serverWith(t);
  await server.stop();
  const { child, seen, told, closed } = follow(t, data);
  child.stdin.write(object(1));
  await told(`Waiting for a server on "${data}"`);
  child.kill("SIGTERM");
  assert.equal(await closed, 70);
  await told(`standard input: 0 lines acknowledged; what came after them may not be stored\nmazaneh: No server serves "${data}"\n`);
  assert.equal(seen.length, 0);
});

test("follow: while the store is slow, the writer of the stream is held up, and everything arrives in the end", { timeout: 120_000 }, async (t) => {
  const { data, server } = await serverWith(t);
  const { child, seen, until, closed } = follow(t, data);
  child.stdin.write(object(1));
  await until(1);
  server.child.kill("SIGSTOP");
  const count = 40_000;
  let written = 1;
  let isHeldUp = false;
  while (written < count && !isHeldUp) {
    if (child.stdin.write(object(++written))) continue;
    const drained = once(child.stdin, "drain").then(() => true);
    isHeldUp = !(await Promise.race([drained, delay(3_000).then(() => false)]));
  }
  assert.ok(isHeldUp, `${written} lines of about 90 bytes were taken`);
  assert.equal(seen.at(-1)?.acknowledged, 1);
  server.child.kill("SIGCONT");
  while (written < count) if (!child.stdin.write(object(++written))) await once(child.stdin, "drain");
  child.stdin.end();
  assert.equal(await closed, 0);
  assert.deepEqual([seen.at(-1)?.acknowledged, sum(seen, "accepted")], [count, count]);
  assert.equal((await exported(data)).length, count);
});

test("follow: a format that is unclear, or has no lines, ends it at once: 65; other sources are wrong usage: 64", async (t) => {
  const { data } = await serverWith(t);
  const cases = [
    ['[{"code":"BTC_USD"', "it is a JSON array, which ends with its last record: --follow reads one object a line"],
    ["code,value,businessTime\nBTC_USD,1,2026-08-21\n", '"2026-08-21" has no hour: say which one, e.g. --day-at 16:30'],
  ] as const;
  for (const [text, reason] of cases) {
    const { child, closed, err } = follow(t, data);
    child.stdin.write(text);
    assert.equal(await closed, 65);
    assert.equal(err(), `standard input: 0 lines acknowledged; what came after them may not be stored\nmazaneh: standard input: ${reason}\n`);
  }
  for (const operands of [["prices.csv"], [], ["-", "prices.csv"]]) {
    const { code, err } = await mazaneh(["import", "--follow", "--data", data, ...operands]);
    assert.equal(code, 64, err);
  }
});
