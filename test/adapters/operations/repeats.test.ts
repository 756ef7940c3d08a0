import assert from "node:assert/strict";
import { closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createLog } from "../../../adapters/operations/log.ts";
import type { LogEntry } from "../../../adapters/operations/log_entry.ts";
import { createRepeats } from "../../../adapters/operations/repeats.ts";
import { systemClock } from "../../../adapters/system.ts";
import { Unavailable } from "../../../core/mod.ts";
import type { UtcMillis } from "../../../core/mod.ts";
import { temporaryDirectory } from "../../support/cli.ts";

function entry(message: string): LogEntry {
  return { level: "warn", event: "warning", message };
}

function world() {
  const written: (readonly [seconds: number, message: string, count: number | undefined])[] = [];
  let now = 0;
  const repeats = createRepeats(({ message, count }) => written.push([now / 1_000, message, count]), systemClock, () => now);
  return { repeats, written, at: (seconds: number) => (now = seconds * 1_000) };
}

test("repeats: what happens once is written at once, and only once", () => {
  const { repeats, written, at } = world();
  repeats.tell("a", entry("one"));
  for (let second = 0; second < 300; second += 2) {
    at(second);
    repeats.sweep();
  }
  assert.deepEqual(written, [[0, "one", undefined]]);
});

test("repeats: what happens all the time takes a line a minute, with its count and the last of them", () => {
  const { repeats, written, at } = world();
  for (let second = 0; second <= 180; second++) {
    at(second);
    repeats.tell("a", entry(`${second}`));
    repeats.sweep();
  }
  assert.deepEqual(written, [[0, "0", undefined], [60, "60", 60], [120, "120", 60], [180, "180", 60]]);
});

test("repeats: each kind has its own minute; more than 30 kinds share a line", () => {
  const { repeats, written } = world();
  for (let kind = 0; kind < 1_000; kind++) repeats.tell(`kind ${kind}`, entry(`${kind}`));
  assert.equal(written.length, 31);
  repeats.flush();
  assert.deepEqual(written.slice(31), [[0, "999", 969]]);
});

test("repeats: a line for later comes after a minute, or at the end", () => {
  const { repeats, written, at } = world();
  repeats.tellLater("a", entry("one"));
  repeats.tellLater("a", entry("two"));
  at(59);
  repeats.sweep();
  assert.deepEqual(written, []);
  at(60);
  repeats.sweep();
  assert.deepEqual(written, [[60, "two", 2]]);
  repeats.tellLater("a", entry("three"));
  repeats.flush();
  assert.deepEqual(written.slice(1), [[60, "three", undefined]], "what happened once is no repeat");
});

test("log: 500s with ever other messages take one line a minute for each place in the program, with a stack; 503s take one in all", async (t) => {
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const path = join(await temporaryDirectory(t), "log");
  const fd = openSync(path, "a");
  t.after(() => closeSync(fd));
  const log = createLog(fd, { format: "json", clock: systemClock });
  const places = [(text: string) => new Error(text), (text: string) => new TypeError(text)];
  for (let i = 0; i < 500; i++) {
    for (const make of places) log.failedRequest(make(`no ${i}`), `req_${i}`);
    log.failedRequest(new Unavailable(`disk ${i}`), `req_${i}`);
  }
  now += 60_000;
  await log.sweep?.();
  await log.close();
  const lines = (await readFile(path, "utf8")).trim().split("\n").map((line) => JSON.parse(line) as LogEntry);
  assert.deepEqual(lines.map(({ event, message, requestId, count }) => [event, message, requestId, count]), [
    ["request-failed", "A request got 500: no 0", "req_0", undefined],
    ["request-failed", "A request got 500: no 0", "req_0", undefined],
    ["request-failed", "A request got 500: no 499", "req_499", 499],
    ["request-failed", "A request got 500: no 499", "req_499", 499],
    ["requests-unavailable", "Requests got 503: disk 499", "req_499", 500],
  ]);
  assert.match(String(lines[0]!.stack), /^Error: no 0\n.*repeats\.test\.ts/);
  assert.match(String(lines[1]!.stack), /^TypeError: no 0\n/);
});

test("log: a recovery is logged at once, also within a minute of its reason; flapping takes a line a minute for each, in the order and with the times of its events", async (t) => {
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const path = join(await temporaryDirectory(t), "log");
  const fd = openSync(path, "a");
  t.after(() => closeSync(fd));
  const log = createLog(fd, { format: "json", clock: () => now as UtcMillis });
  const reason = { code: "stale-feed", message: "The newest record is old", since: "1970-01-01T00:00:00.000Z" } as const;
  const begins = (second: number): void => ((now = second * 1_000), log.changed({ appeared: [reason], gone: [] }));
  const ends = (second: number): void => ((now = second * 1_000), log.changed({ appeared: [], gone: [reason] }));
  begins(0);
  ends(8);
  begins(10);
  now = 70_000;
  await log.sweep();
  ends(71);
  for (let second = 72; second < 120; second += 4) (begins(second), ends(second + 1));
  begins(121);
  now = 122_000;
  log.write({ level: "info", event: "stopped", message: "Stopped" });
  await log.close();
  const lines = (await readFile(path, "utf8")).trim().split("\n").map((line) => JSON.parse(line) as LogEntry & { time: string });
  assert.deepEqual(lines.map(({ time, event, count }) => [Date.parse(time) / 1_000, event, count]), [
    [0, "not-ready", undefined],
    [8, "recovered", undefined],
    [10, "not-ready", undefined],
    [71, "recovered", undefined],
    [117, "recovered", 12],
    [121, "not-ready", 13],
    [122, "stopped", undefined],
  ]);
  assert.equal(lines[1]!.message, "stale-feed is over; it was: The newest record is old");
});
