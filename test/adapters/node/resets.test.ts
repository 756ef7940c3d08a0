// Clients that reset their connections at any byte of a request. An error without a listener would end the process, and
// fails a test here.
import assert from "node:assert/strict";
import { test } from "node:test";
import { plain, startServer } from "../../support/node_stub.ts";
import { sendRaw } from "../../support/raw_http.ts";
import { RESET_REQUESTS, resetFlood } from "../../support/resets.ts";
import { runs } from "../../support/size.ts";

const RESETS = runs(150);

for (const [how, api] of [
  ["answers at once", () => plain("x".repeat(3_000))],
  ["answers later", async () => plain("x".repeat(3_000))],
] as const) {
  test(`${RESETS} resets at any byte of ${RESET_REQUESTS.length} kinds of requests, an API that ${how}: the server lives`, async (t) => {
    const { origin, close } = await startServer(api);
    t.after(close);
    await resetFlood(origin, RESETS);
    assert.equal((await sendRaw(origin, {})).status, 200);
  });
}
