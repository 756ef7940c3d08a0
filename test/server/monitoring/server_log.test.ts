import assert from "node:assert/strict";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { test } from "node:test";
import type { NodeExchange } from "../../../adapters/http/node/mod.ts";
import { systemClock } from "../../../adapters/http/web_system.ts";
import { createAccessLog } from "../../../adapters/server/monitoring/access_log.ts";
import { formatEntry, formatFor, isJournal } from "../../../adapters/server/monitoring/log_entry.ts";
import { createLineWriter } from "../../../adapters/server/monitoring/log_line_writer.ts";
import { createLog } from "../../../adapters/server/monitoring/server_log.ts";
import { type AccountId, Unavailable, type UtcMillis } from "../../../core/mod.ts";
import { temporaryDirectory } from "../../support/cli.ts";
import { logStream } from "../../support/watched_server.ts";
import { exchange } from "./made_exchange.ts";

test("lines: for a stuck reader, 1 MB is held in memory; further lines are lost and counted until the reader continues", async () => {
  let read = (): void => undefined;
  const stuck = new Writable({ decodeStrings: false, write: (_chunk, _encoding, done) => void (read = done) });
  const writer = createLineWriter(stuck);
  for (let line = 0; line < 20_000; line++) writer.write("x".repeat(99));
  assert.ok(stuck.writableLength <= (1 << 20) + 100, `${stuck.writableLength} are held`);
  assert.equal(writer.lost(), 20_000 - stuck.writableLength / 100);
  const lost = writer.lost();
  while (stuck.writableLength > 0) {
    read();
    await new Promise((resolve) => setImmediate(resolve));
  }
  writer.write("again");
  assert.deepEqual([writer.lost(), stuck.writableLength], [lost, 6]);
});

test("lines: a line that cannot be written is counted, and the server continues", async () => {
  const writer = createLineWriter(new Writable({ write: (_chunk, _encoding, done) => done(new Error("no space")) }));
  writer.write("one");
  await writer.flush();
  assert.equal(writer.lost(), 1);
});

const EXCHANGE = exchange({
  ...{ status: 429, bytes: 12, isComplete: false, durationMs: 1.23456 },
  ...{ address: "2001:db8::1", traceId: "4bf92f3577b34da6a3ce929d0e0e4736" },
  report: { accountId: 'al"ice\n' as AccountId, code: "QUOTA_EXCEEDED", units: "denied" },
});
/** An exchange of a server whose API makes no reports. */
const BARE: NodeExchange = {
  ...{ ...EXCHANGE, report: undefined, method: "BREW\n" },
  ...{ isComplete: true, address: undefined, traceId: undefined },
};

function accessLines(format: "json" | "text", ...exchanges: NodeExchange[]): string[] {
  const stream = new PassThrough();
  let text = "";
  stream.setEncoding("utf8").on("data", (part: string) => (text += part));
  const log = createAccessLog(stream, { format, clock: () => Date.UTC(2026, 0, 1) as UtcMillis });
  for (const exchange of exchanges) log.write(exchange);
  return text.split("\n").slice(0, -1);
}

test("access log: a line of JSON has these members in this order, and any text from outside is escaped", () => {
  const [line, bare] = accessLines("json", EXCHANGE, BARE);
  assert.deepEqual(Object.entries(JSON.parse(line!) as object), [
    ["time", "2026-01-01T00:00:00.000Z"],
    ["requestId", "req_1"],
    ["method", "GET"],
    ["route", "/api/v1/assets"],
    ["status", 429],
    ["code", "QUOTA_EXCEEDED"],
    ["bytes", 12],
    ["ms", 1.23],
    ["cut", true],
    ["accountId", 'al"ice\n'],
    ["keyId", "k"],
    ["address", "2001:db8::1"],
    ["traceId", "4bf92f3577b34da6a3ce929d0e0e4736"],
  ]);
  const request = { time: "2026-01-01T00:00:00.000Z", requestId: "", method: "_OTHER", route: "unmatched" };
  assert.deepEqual(JSON.parse(bare!), { ...request, status: 429, bytes: 12, ms: 1.23 });
});

test("access log: an entry as text is a single line", () => {
  const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  assert.deepEqual(accessLines("text", EXCHANGE, BARE), [
    `2026-01-01T00:00:00.000Z 2001:db8::1 al"ice\\u000a/k GET /api/v1/assets 429 12 B cut 1.2 ms req_1 ${trace}`,
    "2026-01-01T00:00:00.000Z - - _OTHER unmatched 429 12 B 1.2 ms -",
  ]);
});

test("log: masks texts that look like keys, and escapes characters that would end a line or move the cursor", () => {
  const key = "mz_live_3kT9xQ2a_V1StGXR8Z5jdHi6BmyTz0123456789abcdefghi";
  const entry = {
    level: "warn",
    event: "not-ready",
    message: `The folder "/${key}/obs" is missing`,
    stack: key,
  } as const;
  for (const format of ["json", "text"] as const) {
    const line = formatEntry(entry, 0 as UtcMillis, format);
    assert.equal(line.includes(key.slice(17)), false, line);
    assert.equal(line.split("\n").length, format === "json" ? 1 : 2);
  }
  const odd = { level: "info", event: "recovered", message: "a\nb\u2028c\u001b[2J" } as const;
  assert.doesNotMatch(formatEntry(odd, 0 as UtcMillis, "text"), /[\n\u2028\u001b]/);
});

test("log: in the text format, a line has the number of repetitions and the request; `auto` chooses text on a terminal, else JSON", () => {
  const entry = { level: "error", event: "request-failed", message: "M", count: 3, requestId: "req_1" } as const;
  const line = formatEntry(entry, 0 as UtcMillis, "text");
  assert.equal(line, "1970-01-01T00:00:00.000Z error M (3 times since the last line), request req_1");
  const formats = [formatFor("auto", { isTTY: true }), formatFor("auto", {}), formatFor("text", {})];
  assert.deepEqual(formats, ["text", "json", "text"]);
});

test("log: 500s get one line a minute for each place in the program, whatever their messages, with a stack; all 503s share one line", (t) => {
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const { stream, lines } = logStream();
  const log = createLog(stream, { format: "json", clock: systemClock });
  const places = [(text: string) => new Error(text), (text: string) => new TypeError(text)];
  for (let i = 0; i < 500; i++) {
    for (const make of places) log.failedRequest(make(`no ${i}`), `req_${i}`);
    log.failedRequest(new Unavailable(`disk ${i}`), `req_${i}`);
  }
  now += 60_000;
  log.sweep();
  const three = (n: number, count?: number) => [
    ["request-failed", `no ${n}`, `req_${n}`, count],
    ["request-failed", `no ${n}`, `req_${n}`, count],
    ["requests-unavailable", `disk ${n}`, `req_${n}`, count],
  ];
  assert.deepEqual(
    lines().map(({ event, message, requestId, count }) => [event, String(message).split(": ")[1], requestId, count]),
    [...three(0), ...three(499, 499)],
  );
  assert.match(String(lines()[0]?.["stack"]), /^Error: no 0\n.*server_log\.test\.ts/);
  assert.match(String(lines()[1]?.["stack"]), /^TypeError: no 0\n/);
});

test("log: in the journal of systemd each line begins with its priority, even each line of a stack trace; other streams get no priorities", async (t) => {
  const { stream } = logStream();
  const written: string[] = [];
  stream.on("data", (text: string) => written.push(text));
  const log = createLog(stream, { format: "text", clock: () => 0 as UtcMillis, toJournal: true });
  for (const level of ["info", "warn", "error"] as const) log.write({ level, event: "warning", message: level });
  log.write({ level: "error", event: "crashed", message: "no", stack: "Error: no\n  at a" });
  await log.close();
  const priorities = written.join("").replace(/^(.{3}).*\n/gm, "$1");
  assert.equal(priorities, "<6><4><3><3><3><3>");
  const file = await open(join(await temporaryDirectory(t), "log"), "w");
  t.after(() => file.close());
  const { dev, ino } = await file.stat();
  const places = [
    [`${dev}:${ino}`, file.fd, true],
    [`${dev}:${ino + 1}`, file.fd, false],
    [undefined, file.fd, false],
    [`${dev}:${ino}`, undefined, false],
  ] as const;
  for (const [JOURNAL_STREAM, fd, wanted] of places)
    assert.equal(isJournal({ fd }, { JOURNAL_STREAM }), wanted, `${JOURNAL_STREAM} ${fd}`);
});

test("log: a recovery is logged at once, even within a minute after its reason; a reason that comes and goes often gets one line a minute for each event, in order and with the times", (t) => {
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const { stream, lines } = logStream();
  const log = createLog(stream, { format: "json", clock: () => now as UtcMillis });
  const message = "The newest record is old";
  const reason = { code: "stale-feed", message, since: "1970-01-01T00:00:00.000Z" } as const;
  const change = (second: number, kind: "appeared" | "gone"): void => {
    now = second * 1_000;
    log.changed({ appeared: [], gone: [], [kind]: [reason] });
  };
  change(0, "appeared");
  change(8, "gone");
  change(10, "appeared");
  now = 70_000;
  log.sweep();
  change(71, "gone");
  for (let second = 72; second < 120; second += 4) {
    change(second, "appeared");
    change(second + 1, "gone");
  }
  change(121, "appeared");
  now = 122_000;
  log.write({ level: "info", event: "stopped", message: "Stopped" });
  assert.deepEqual(
    lines().map(({ time, event, count }) => [Date.parse(String(time)) / 1_000, event, count]),
    [
      [0, "not-ready", undefined],
      [8, "recovered", undefined],
      [10, "not-ready", undefined],
      [71, "recovered", undefined],
      [117, "recovered", 12],
      [121, "not-ready", 13],
      [122, "stopped", undefined],
    ],
  );
  assert.match(String(lines()[1]?.["message"]), /^stale-feed .* The newest record is old$/);
});
