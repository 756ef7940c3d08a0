import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { suite, test } from "node:test";
import { until } from "../../support/node_stub.ts";
import { connectRaw, rawRequest, sendRaw } from "../../support/raw_http.ts";

suite("node server: open files", { skip: process.platform !== "linux" && "only Linux reports the limit" }, () => {
  test("with a low limit of open files, connections leave enough for the files of a store: no EMFILE", async (t) => {
    const child = spawn("sh", [
      "-c",
      'ulimit -n 300 && exec "$0" --import tsx "$1"',
      process.execPath,
      new URL("../../support/low_files_child.ts", import.meta.url).pathname,
    ]);
    t.after(() => child.kill());
    child.stderr.pipe(process.stderr);
    const [line] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
    const origin = line.trim();
    const connections = Array.from({ length: 300 }, () => connectRaw(origin));
    t.after(() => connections.forEach((connection) => connection.destroy()));
    for (const connection of connections) connection.send(rawRequest({}));
    const replies = await Promise.allSettled(connections.map((connection) => connection.reply()));
    const served = replies.filter((reply) => reply.status === "fulfilled");
    assert.equal(served.length, 150);
    connections.find((_, i) => replies[i]!.status === "fulfilled")!.destroy();
    // Until the server notices that a connection has ended, it closes new connections at once.
    let answer = "";
    await until(async () => {
      const reply = await sendRaw(origin, { target: "/files" }).catch(() => undefined);
      answer = reply?.body.toString() ?? "";
      return reply !== undefined;
    });
    assert.equal(answer, "100 files opened");
  });
});
