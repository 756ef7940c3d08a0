// `import - --follow` beside a server that stands still: the writer of the stream is held up.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { mazaneh, servingChild, startMazaneh, temporaryStore } from "../support/cli.ts";
import { until } from "../support/wait_until.ts";

const object = (value: number): string =>
  `${JSON.stringify({ code: "BTC_USD", value: 50_000 + value, businessTime: new Date(Date.UTC(2026, 0, 1) + value * 1_000).toISOString() })}\n`;

test("follow: while the store is slow, the writer of the stream is held up, and everything arrives in the end", async (t) => {
  const data = await temporaryStore(t);
  const server = await servingChild(t, ["--data", data]);
  const child = startMazaneh(["import", "-", "--follow", "--data", data]);
  t.after(() => child.kill("SIGKILL"));
  const closed = once(child, "close");
  let acknowledged = 0;
  createInterface(child.stdout).on("line", (line) => ({ acknowledged } = JSON.parse(line) as { acknowledged: number }));
  child.stdin.write(object(1));
  await until("the first line is acknowledged", () => acknowledged === 1);
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
  assert.equal(acknowledged, 1);
  server.child.kill("SIGCONT");
  while (written < count) if (!child.stdin.write(object(++written))) await once(child.stdin, "drain");
  child.stdin.end();
  assert.deepEqual(await closed, [0, null]);
  assert.equal(acknowledged, count);
  assert.equal((await mazaneh(["export", "--data", data])).out.split("\n").length, count + 2);
});
