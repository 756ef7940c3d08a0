// Clients that ask again and again on connections that they keep, while the server closes.
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { plain, startServer } from "../../support/node_stub.ts";
import { connectRaw, rawRequest } from "../../support/raw_http.ts";
import { askUntilClosed } from "../../support/closing_load.ts";

suite("node server: closing under load", () => {
  for (const [how, api] of [
    ["answers at once", () => plain("well")],
    ["answers later", async () => plain("well")],
  ] as const) {
    test(`an API that ${how}: each client's last answer says Connection: close, and none is reset`, async () => {
      const { origin, server } = await startServer(api);
      const { started, endings } = askUntilClosed(origin, 32);
      await started;
      await server.close();
      const outcomes = await endings;
      assert.deepEqual(outcomes.filter((outcome) => outcome !== "told"), []);
      assert.equal(outcomes.length, 32);
    });
  }

  test("requests that were sent before are answered, the last one with Connection: close", async (t) => {
    let open = (): void => undefined;
    const held = new Promise<void>((resolve) => (open = resolve));
    const { origin, server } = await startServer(({ target }) => held.then(() => plain(target)));
    const connection = connectRaw(origin);
    t.after(() => connection.destroy());
    connection.send(Buffer.concat(["/1", "/2", "/3"].map((target) => rawRequest({ target }))));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const closed = server.close();
    open();
    const replies = [];
    for (let i = 0; i < 3; i++) replies.push(await connection.reply());
    assert.deepEqual(replies.map(({ body }) => body.toString()), ["/1", "/2", "/3"]);
    assert.deepEqual(replies.map(({ headers }) => headers.get("connection")), ["keep-alive", "keep-alive", "close"]);
    await closed;
    assert.equal(await connection.rest(), "");
  });
});
