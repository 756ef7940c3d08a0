import assert from "node:assert/strict";
import { Agent } from "node:http";
import { type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { newDirectory } from "../support/json_files_fixtures.ts";
import { connectRaw, rawRequest } from "../support/raw_http.ts";
import { type Child, startNode } from "../support/start_child.ts";
import { IS_NIGHTLY, runs, share } from "../support/suite_size.ts";
import { ask } from "./ask.ts";
import type { Listening } from "./attacked_server.ts";
import { bundle, callInThread } from "./bundle.ts";
import type { Attack, Statuses } from "./network_attack_kinds.ts";
import { printCounts } from "./random_trial.ts";

const MAX_MEMORY_MB = 300;
const LOAD_MS = IS_NIGHTLY ? 10_000 : 100;
const GOOD_TARGETS = ["/api/v1/assets/USD_RLS", "/api/v1/assets", "/api/v1/status", "/api/v1/access"];

const [serverPath, attacksPath] = await Promise.all([
  bundle("test/faults/attacked_server.ts"),
  bundle("test/faults/network_attack_kinds.ts"),
]);

const LONG = "x".repeat(3_800);
const DAY_MS = 86_400_000;
/** Targets that get 404: unknown routes, unknown assets, and days or assets without records. */
const MISSING: readonly ((n: string) => string)[] = [
  (n) => `/nowhere/${LONG}${n}`,
  (n) => `/api/v1/assets/${LONG}${n}`,
  (n) => `/api/v1/assets/USD_RLS/${new Date((Number(n) - 300_000) * DAY_MS).toISOString().slice(0, 10)}`, // before any record
  (n) => `http://${LONG}${n}/api/v1/assets/EUR_RLS`,
  (n) => `http://${LONG.slice(0, 200)}${n}/api/v1/assets/EUR_RLS`,
];

interface Trial {
  readonly what: string;
  /** The function of network_attack_kinds.ts. */
  readonly name: string;
  readonly count: number;
  readonly seconds?: number;
  /** Whether requests of well-behaved clients may get 503 during the attack. */
  readonly mayRefuse?: boolean;
  /** The maximum heap in megabytes. Without a maximum, V8 leaves garbage uncollected on a busy machine. */
  readonly heapMb?: number;
}

const trials: readonly Trial[] = [
  { what: "hostile clients of each kind", name: "hostileClients", count: 60, seconds: runs(3) },
  { what: "concurrent requests for the longest answers, compressed", name: "longestAnswers", count: 200 },
  { what: "unread answers of the maximum length", name: "unreadAnswers", count: 600, seconds: 3, mayRefuse: true },
  {
    what: "pipelines with large fields and unread answers",
    name: "fatPipelines",
    count: 1_000,
    seconds: 3,
    mayRefuse: true,
    heapMb: 160,
  },
];
for (const { what, name, count, seconds = 0, mayRefuse = false, heapMb } of share(trials, 2)) {
  test(`network: ${count} ${what}: the server survives, answers good requests, and uses less than ${MAX_MEMORY_MB} MB`, async (t) => {
    const { child, origin, key, firstMs } = await startServer(
      t,
      heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`],
    );
    await peakMb(child);
    const attack: Attack = { origin, key, firstMs, count, seconds };
    const attacked = callInThread<Attack, Statuses>(attacksPath, name, attack);
    const good = await probe(origin, key, attacked);
    const statuses = await attacked;
    const memory = await peakMb(child);
    const after = await probe(origin, key, delay(500));
    printCounts(t, {
      "seen by the good": JSON.stringify(good),
      "seen by the attack": JSON.stringify(statuses),
      "memory MB": memory,
    });
    assert.equal(child.process.exitCode, null);
    assert.deepEqual(Object.keys(after), ["200"]);
    assert.deepEqual(
      Object.keys(good).filter((status) => status !== "200" && !(mayRefuse && status === "503")),
      [],
    );
    assert.deepEqual(
      Object.keys(statuses).filter((status) => status.startsWith("5") && !status.startsWith("503")),
      [],
    );
    assert.ok(memory < MAX_MEMORY_MB, `${memory} MB`);
  });
}

test(`network: once the caches are full, ${runs(4_000)} requests for new targets that get 404, with and without a key, take no more memory`, async (t) => {
  const { child, origin, key } = await startServer(t);
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  let n = 0;
  /** Requests many different long targets. If the server kept them, its memory would grow visibly. */
  async function askNew(count: number): Promise<number> {
    const last = n + count;
    const client = async (): Promise<void> => {
      while (n < last) {
        const path = MISSING[n % MISSING.length]!(`${n++}`);
        const [withKey, without] = await Promise.all([ask(agent, origin, { key, path }), ask(agent, origin, { path })]);
        assert.deepEqual([withKey.status, without.status], ["404", path.includes("/assets/") ? "401" : "404"], path);
      }
    };
    await Promise.all(Array.from({ length: 8 }, client));
    return (await figuresOf(child, "heap")).heap / 1e6;
  }
  // The first requests also fill the caches.
  const before = await askNew(5_000);
  const after = await askNew(runs(4_000));
  agent.destroy();
  printCounts(t, { "heap MB": `${before.toFixed(1)} ${after.toFixed(1)}` });
  assert.ok(after - before < 4, `${before} MB, then ${after} MB`);
});

const tinyChunks = (n: number): Buffer => Buffer.from(`${"1\r\n \r\n".repeat(n)}0\r\n\r\n`);
const csv = (line: string, lines: number, columns = 0): string =>
  `code,value,businessTime${",".repeat(columns)}\n${`${line}\n`.repeat(lines)}`;
/** Small inputs that could be expensive to process, as functions of their size. */
const costly: readonly (readonly [what: string, type: string, body: (n: number) => Buffer | string])[] = [
  ["a body in chunks of one byte", "application/json", (n) => tinyChunks(n / 3)],
  ["columns without names, and short rows", "text/csv", (n) => csv("x", n / 40, n / 5)],
  ["900 columns, and short rows", "text/csv", (n) => csv("x", n / 40, 900)],
  ["lines that are not JSON", "application/x-ndjson", (n) => "{\n".repeat(n / 40)],
  ["lines with an unclosed quote", "text/csv", (n) => csv('"', n / 40)],
  ["empty lines", "text/csv", (n) => "\n".repeat(n)],
  ["short records", "application/json", (n) => `[${"[],".repeat(n / 2)}[]]`],
];
test("network: small inputs take time in proportion to their size, shared among turns of the event loop, and little memory", async (t) => {
  const { child, origin, writeKey } = await startServer(t, ["--max-old-space-size=160"]);
  const idleMb = await peakMb(child);
  async function costOf(type: string, body: Buffer | string) {
    const isChunked = typeof body !== "string";
    const packed = isChunked ? body : gzipSync(body);
    const coding = isChunked
      ? ["Transfer-Encoding: chunked"]
      : ["Content-Encoding: gzip", `Content-Length: ${packed.length}`];
    const headers = [`X-API-Key: ${writeKey}`, `Content-Type: ${type}`, ...coding];
    const before = await figuresOf(child);
    const client = connectRaw(origin);
    client.send(Buffer.concat([rawRequest({ method: "POST", target: "/ingest", headers }), packed]));
    const { status } = await client.reply();
    client.destroy();
    assert.ok(status < 500, String(status));
    const { cpu, longestTurn } = await figuresOf(child);
    return { cpu: cpu - before.cpu, longestTurn };
  }
  for (const [what, type, body] of costly) {
    const small: Awaited<ReturnType<typeof costOf>>[] = [];
    const large: typeof small = [];
    for (let round = 0; round < 3; round++) {
      small.push(await costOf(type, body(125_000)));
      large.push(await costOf(type, body(500_000)));
    }
    const [least, most] = [small, large].map((costs) => Math.min(...costs.map(({ cpu }) => cpu))) as [number, number];
    const turn = Math.min(...large.map(({ longestTurn }) => longestTurn));
    printCounts(t, { [what]: `${[least, most, turn].map(Math.round).join(", ")} ms` });
    // Four times the input takes four times as long; in quadratic time, sixteen times as long. Other work takes 8 ms.
    assert.ok(most < 6.25 * Math.max(8, least), `${what}: ${least} ms, then ${most} ms`);
    // Node shares a body in chunks among turns only after each 64 KB, a sixteenth of this one.
    assert.ok(turn < Math.max(50, most / 8), `${what}: ${turn} ms in one turn of the event loop`);
  }
  const memory = (await peakMb(child)) - idleMb;
  assert.ok(memory < 200, `${memory} MB`);
});

test(`network: under a steady load for ${(30 * LOAD_MS) / 1_000} s, with new records, memory and descriptors stay constant`, async (t) => {
  const { child, origin, key, writeKey } = await startServer(t);
  const headers = { "X-API-Key": writeKey, "Content-Type": "application/json" };
  const figures: Figures[] = [];
  for (let round = 1; round <= 30; round++) {
    const body = JSON.stringify([{ code: "EUR_RLS", value: 2_200_000, businessTime: new Date().toISOString() }]);
    assert.equal((await fetch(`${origin}/ingest`, { method: "POST", headers, body })).status, 200);
    assert.deepEqual(Object.keys(await probe(origin, key, delay(LOAD_MS))), ["200"]);
    if (round % 10 === 0) figures.push(await figuresOf(child, "heap"));
  }
  printCounts(
    t,
    Object.fromEntries(figures.map(({ heap, files }, i) => [`third ${i + 1}`, `${heap} bytes, ${files} files`])),
  );
  // After the first third, all caches and pools are full.
  const [, before, after] = figures;
  assert.ok(after!.heap - before!.heap < 4e6, "memory");
  assert.ok(after!.files <= before!.files + 8, "descriptors");
});

async function startServer(t: TestContext, options: string[] = []): Promise<Listening & { readonly child: Child }> {
  const env = { ...process.env, DOOR_DATA: await newDirectory() };
  const child = startNode([...options, serverPath], { hasMessages: true, env });
  t.after(() => child.end());
  const listening = await child.nextMessage<Listening>();
  return { ...(listening ?? assert.fail(child.err())), child };
}

/** The processor time in ms; since the last call, the longest turn of the event loop in ms and the peak memory. */
interface Figures {
  readonly cpu: number;
  readonly longestTurn: number;
  readonly peak: number;
  /** The number of open descriptors. */
  readonly files: number;
  /** The heap in use; if `heap` was requested, after a garbage collection. */
  readonly heap: number;
}

async function figuresOf({ process: server, nextMessage }: Child, what = "figures"): Promise<Figures> {
  server.send(what);
  return (await nextMessage<Figures>()) ?? assert.fail("the server has ended");
}

/** The peak memory of a server since the last call. */
async function peakMb(child: Child): Promise<number> {
  return Math.round((await figuresOf(child)).peak / 1e6);
}

/** Runs eight well-behaved clients, each on one connection, until `end` settles; returns their answers. */
async function probe(origin: string, key: string, end: Promise<unknown>): Promise<Statuses> {
  let going = true;
  void end.finally(() => (going = false)).catch(() => undefined);
  const statuses: Statuses = {};
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  async function client(): Promise<void> {
    for (let i = 0; going; i++) {
      const { status } = await ask(agent, origin + GOOD_TARGETS[i % GOOD_TARGETS.length]!, { key });
      statuses[status] = (statuses[status] ?? 0) + 1;
      await delay(5);
    }
  }
  await Promise.all(Array.from({ length: 8 }, client));
  agent.destroy();
  return statuses;
}
