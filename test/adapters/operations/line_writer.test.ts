import assert from "node:assert/strict";
import { closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { createLineWriter } from "../../../adapters/operations/line_writer.ts";
import { temporaryDirectory } from "../../support/cli.ts";

const lost = (count: number): string => `lost ${count}`;

async function file(t: TestContext): Promise<{ fd: number; text: () => Promise<string> }> {
  const path = join(await temporaryDirectory(t), "log");
  const fd = openSync(path, "a");
  t.after(() => closeSync(fd));
  return { fd, text: () => readFile(path, "utf8") };
}

async function textWhen(read: () => Promise<string>, isThere: (text: string) => boolean): Promise<string> {
  for (let tries = 0; ; tries++) {
    const text = await read();
    if (isThere(text) || tries > 200) return text;
    await delay(10);
  }
}

test("line writer: lines arrive in order, many with one call, and a flush waits for them", async (t) => {
  const { fd, text } = await file(t);
  const writer = createLineWriter(fd, { lost, gatherMs: 3_600_000 });
  for (let line = 0; line < 1_000; line++) writer.write(`line ${line}`);
  assert.equal(await text(), "", "they are gathered");
  await writer.flush(5_000);
  assert.deepEqual((await text()).split("\n").slice(0, -1), Array.from({ length: 1_000 }, (_, line) => `line ${line}`));
  assert.deepEqual([writer.dropped(), writer.trouble()], [0, undefined]);
});

test("line writer: many lines do not wait for the time to gather", async (t) => {
  const { fd, text } = await file(t);
  const writer = createLineWriter(fd, { lost, gatherMs: 3_600_000 });
  for (let line = 0; line < 700; line++) writer.write("x".repeat(100));
  assert.ok((await textWhen(text, (found) => found.length > 60_000)).length > 60_000);
});

test("line writer: what does not fit into 1 MB is dropped and counted, and a line says how many", async (t) => {
  const { fd, text } = await file(t);
  const writer = createLineWriter(fd, { lost });
  for (let line = 0; line < 20_000; line++) writer.write("x".repeat(99));
  const dropped = writer.dropped();
  assert.ok(dropped > 5_000, String(dropped));
  await writer.flush(5_000);
  writer.write("again");
  await writer.flush(5_000);
  const lines = (await text()).split("\n").slice(0, -1);
  assert.equal(lines.filter((line) => line.startsWith("x")).length, 20_000 - dropped);
  assert.deepEqual(lines.filter((line) => !line.startsWith("x")), [`lost ${dropped}`, "again"]);
});

test("line writer: a descriptor that is closed is a trouble and no error, and a flush does not wait for it", async (t) => {
  const { fd } = await file(t);
  const other = openSync("/dev/null", "r"); // Nothing can be written to it.
  t.after(() => closeSync(other));
  assert.ok(fd !== other);
  const writer = createLineWriter(other, { lost });
  writer.write("one");
  await writer.flush(200);
  assert.equal(writer.trouble(), "cannot be written: EBADF");
  writer.writeNow();
});

test("line writer: what is held is written at once where the process is about to end", async (t) => {
  const { fd, text } = await file(t);
  const writer = createLineWriter(fd, { lost, gatherMs: 3_600_000 });
  writer.write("last words");
  writer.writeNow();
  assert.equal(await text(), "last words\n");
});
