// Requests that are broken at random, pipelined or incomplete, and connections that are reset at any byte.
// The server must survive, and no request may stay open. An `error` event without a listener fails the test.
import assert from "node:assert/strict";
import { test } from "node:test";
import { RESET_REQUESTS, resetFlood } from "../../support/connection_resets.ts";
import { plain, startServer } from "../../support/node_stub.ts";
import { connectRaw, sendRaw } from "../../support/raw_http.ts";
import { createRandom } from "../../support/seeded_random.ts";
import { runs } from "../../support/suite_size.ts";

const AT_A_TIME = 100;
const REQUESTS = runs(6) * AT_A_TIME;
const RESETS = runs(150);

const SEEDS = [
  "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
  "HEAD / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
  "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
  "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
  "POST /x HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\nhello",
  "GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n",
].map((text) => Buffer.from(text));

test(`${REQUESTS} broken requests: the server survives, and no request stays open after its client has left`, async (t) => {
  const seed = Number(process.env["FUZZ_SEED"] ?? 1);
  t.diagnostic(`FUZZ_SEED=${seed}`);
  const { below: pick } = createRandom(seed);
  const { origin, server } = await startServer(
    async (request) => {
      // Reads the body late, like the core, which first checks the key. Meanwhile, some clients have left.
      const waitMs = pick(4);
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      if (request.method === "POST") await request.text(100).catch(() => undefined);
      return plain("well");
    },
    { limits: { drainMs: 60_000 } },
  );

  for (let sent = 0; sent < REQUESTS; sent += AT_A_TIME) {
    await Promise.all(
      Array.from({ length: AT_A_TIME }, async () => {
        const connection = connectRaw(origin);
        connection.send(broken(pick));
        await new Promise((resolve) => setTimeout(resolve, pick(12)));
        connection.destroy();
        await connection.rest();
      }),
    );
  }

  assert.equal((await sendRaw(origin, {})).body.toString(), "well");
  // If a request stays open, `close` never resolves.
  await server.close();
  assert.equal(server.load().inFlight, 0);
});

for (const [how, api] of [
  ["answers at once", () => plain("x".repeat(3_000))],
  ["answers later", async () => plain("x".repeat(3_000))],
] as const) {
  test(`${RESETS} resets at any byte of ${RESET_REQUESTS.length} kinds of requests, with an API that ${how}: the server survives`, async (t) => {
    const { origin, close } = await startServer(api);
    t.after(close);
    await resetFlood(origin, RESETS);
    assert.equal((await sendRaw(origin, {})).status, 200);
  });
}

/** Two consecutive requests, in which up to five pieces are changed, removed or doubled. */
function broken(pick: (below: number) => number): Buffer {
  let bytes = Buffer.concat([SEEDS[pick(SEEDS.length)]!, SEEDS[pick(SEEDS.length)]!]);
  for (let changes = pick(6); changes > 0; changes--) {
    const at = pick(bytes.length);
    const kind = pick(3);
    if (kind === 0) bytes[at] = pick(256);
    else if (kind === 1) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + pick(5))]);
    else bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(pick(at + 1))]);
  }
  return bytes;
}
