// A mirror in front of a real server, with a proxy in between that breaks answers on the wire.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import { createMemoryStore } from "../../../adapters/memory_store.ts";
import { memoryMirrorState, startMirror } from "../../../adapters/mirror/mod.ts";
import type { Mirror, MirrorStatus } from "../../../adapters/mirror/mod.ts";
import { createNodeServer } from "../../../adapters/node/mod.ts";
import { until } from "../../support/until.ts";
import { createWorld } from "../../support/world.ts";

/** What the proxy does to answers of routes that cost a unit. */
type Fault = "none" | "cut body" | "garbled gzip" | "redirect" | "slow" | "endless";

interface Relay {
  readonly mirror: Mirror;
  setFault(fault: Fault): void;
  /** Keys that a server has seen to which only a redirect leads. */
  readonly strayKeys: string[];
  /** Settles when the status is as wanted. */
  until(holds: (status: MirrorStatus) => boolean): Promise<MirrorStatus>;
  /** Units that the upstream has counted. */
  counted(): Promise<number>;
}

async function startRelay(t: TestContext, fault: Fault): Promise<Relay> {
  const world = await createWorld();
  await world.feed(["USD_RLS", 1_900_000, "2026-11-21T09:50:00Z"]);
  const { key, id } = await world.account({ units: 50 });
  const upstream = createNodeServer(world.api);
  const { port } = await upstream.listen({ host: "127.0.0.1", port: 0 });
  const strayKeys: string[] = [];
  const stray = createServer((req, res) => {
    strayKeys.push(String(req.headers["x-api-key"]));
    res.end("[]");
  }).listen(0, "127.0.0.1");
  await once(stray, "listening");

  const proxy = createServer((req, res) => {
    const isPaid = req.url?.includes("/assets");
    if (isPaid && fault === "redirect") return res.writeHead(307, { Location: `http://127.0.0.1:${(stray.address() as AddressInfo).port}${req.url}` }).end();
    const onward = forward({ host: "127.0.0.1", port, path: req.url, method: req.method, headers: req.headers }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      if (!isPaid || fault === "none") return res.writeHead(answer.statusCode!, answer.headers).end(body);
      if (fault === "garbled gzip") {
        const zipped = gzipSync("[]");
        zipped[12]! ^= 0xff;
        return res.writeHead(200, { "Content-Type": "application/json", "Content-Encoding": "gzip" }).end(zipped);
      }
      res.writeHead(200, { "Content-Type": "application/json", "content-length": "100000" });
      if (fault === "cut body") return res.write(body, () => setImmediate(() => req.socket.destroy()));
      if (fault === "endless") return void setInterval(() => res.write(" "), 50).unref(); // One that never ends: the time-out cuts it.
      return undefined; // Slow: nothing comes at all.
    });
    onward.on("error", () => req.socket.destroy());
    req.pipe(onward);
    return undefined;
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");

  const store = createMemoryStore();
  // The clock of both goes on by each sleep of the mirror, which takes a millisecond.
  let slept = 0;
  const mirror = await startMirror({
    upstream: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/`,
    key,
    codes: ["USD_RLS"],
    observations: store.observations,
    state: memoryMirrorState(),
    clock: () => world.now(),
    chance: () => 0.5,
    async sleep(ms, signal) {
      if (signal.aborted) return;
      slept += ms;
      world.setNow(new Date(Date.parse("2026-11-21T10:00:00Z") + slept).toISOString());
      await new Promise((resolve) => setTimeout(resolve, 1));
    },
  });
  t.after(async () => {
    await mirror.close();
    proxy.closeAllConnections();
    proxy.close();
    stray.close();
    await upstream.close();
  });
  return {
    mirror, strayKeys,
    setFault: (next) => void (fault = next),
    async until(holds) {
      let status = mirror.status();
      await until(String(holds), () => holds((status = mirror.status())));
      return status;
    },
    counted: async () => world.store.quota.used(id, mirror.status().units.day as never),
  };
}

const faults: readonly (readonly [Fault, RegExp])[] = [
  ["cut body", /^The connection failed: /],
  ["garbled gzip", /^The connection failed: /],
  ["redirect", /redirects to "http:.*which is not followed/],
];
for (const [fault, reason] of faults) {
  test(`mirror behind a proxy: ${fault}: tried again later, at the cost of a unit, and mended by itself`, async (t) => {
    const { setFault, until, counted, strayKeys, mirror } = await startRelay(t, fault);
    const failing = await until(({ state, units }) => state === "failing" && units.used >= 2);
    assert.match(failing.trouble!.message, reason);
    assert.ok((await counted()) <= mirror.status().units.used || mirror.status().units.day !== failing.units.day, "each unit that was counted had been written down");
    assert.deepEqual(strayKeys, []);
    setFault("none");
    assert.equal((await until(({ state, lastRefresh }) => state === "running" && lastRefresh !== null)).trouble, null);
  });
}

for (const fault of ["slow", "endless"] as const) {
  test(`mirror behind a proxy: an answer that is ${fault} does not keep a mirror from being closed`, async (t) => {
    const { mirror, until } = await startRelay(t, fault);
    await until(({ units }) => units.used === 1);
    await mirror.close();
    assert.equal(mirror.status().units.used, 1);
  });
}
