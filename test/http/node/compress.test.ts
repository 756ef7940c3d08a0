import assert from "node:assert/strict";
import { createHook } from "node:async_hooks";
import { readFile } from "node:fs/promises";
import { suite, type TestContext, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { compress } from "../../../adapters/http/node/compress.ts";
import type { ApiFunction } from "../../../core/http/messages.ts";
import { plain, startServer, until } from "../../support/node_stub.ts";
import { connectRaw, rawRequest, sendRaw } from "../../support/raw_http.ts";

const DECODE = { br: brotliDecompressSync, gzip: gunzipSync };
const BR = { headers: ["Accept-Encoding: br"] };

suite("compression", { concurrency: false }, () => {
  test("two encoders run at a time, eight bodies wait, and further bodies are refused", async (t) => {
    const encoders = countEncoders(t);
    const bodies = Array.from({ length: 12 }, (_, i) => bytes(`body ${i} `));
    const results = bodies.map((body) => compress(body, "br"));
    assert.equal(encoders(), 2);
    assert.equal(results.indexOf(undefined), 10);
    const made = await Promise.all(results);
    assert.equal(encoders(), 10);
    for (const [i, compressed] of made.entries())
      if (compressed) assert.deepEqual(brotliDecompressSync(compressed), bodies[i]);
    const later = await compress(bodies[11]!, "br");
    assert.notEqual(later, undefined, "once the others are done, a further body is compressed");
  });

  for (const encoding of ["br", "gzip"] as const) {
    test(`${encoding}: a body is compressed only once, even if requested in parallel; a body may be bytes or a text`, async (t) => {
      const encoders = countEncoders(t);
      const body = bytes("one body ");
      const [first, second] = await Promise.all([compress(body, encoding), compress(body, encoding)]);
      assert.equal(second, first);
      assert.equal(compress(body, encoding), first);
      assert.equal(encoders(), 1);
      assert.deepEqual(DECODE[encoding](first!), body);
      assert.equal(DECODE[encoding]((await compress("یک متن", encoding))!).toString(), "یک متن");
    });
  }

  test("an immutable answer is compressed better, because it is compressed only once", async () => {
    const body = await readFile("README.md");
    for (const encoding of ["br", "gzip"] as const) {
      const cachings = ["private, no-cache", "public, max-age=31536000, immutable"];
      const [usual, small] = await Promise.all(
        cachings.map((caching) => compress(Buffer.from(body), encoding, ["Cache-Control", caching])),
      );
      assert.ok(small!.length < usual!.length, `${encoding}: ${small!.length} of ${usual!.length} bytes`);
      assert.deepEqual(DECODE[encoding](small!), body);
    }
  });

  test("if no encoder is free, a body is sent uncompressed, with the entity tag from the API", async (t) => {
    const text = "as it is ".repeat(200);
    const jobs: unknown[] = [];
    const busy: ApiFunction = () => {
      for (let i = 0; i < 10; i++) jobs.push(compress(bytes(`busy ${i} `), "br"));
      return { ...plain(text), headers: ["Content-Type", "text/plain", "ETag", '"1a.2"'] };
    };
    const { origin, close } = await startServer(busy);
    t.after(close);
    const { headers, body } = await sendRaw(origin, BR);
    const fields = ["content-encoding", "vary", "etag"].map((name) => headers.get(name));
    assert.deepEqual([...fields, body.toString()], [undefined, "Accept-Encoding", '"1a.2"', text]);
    await Promise.all(jobs);
  });

  test("clients that leave while their bodies wait do not block the encoders", async (t) => {
    const begun: string[] = [];
    const { origin, close } = await startServer(({ target }) => {
      begun.push(target);
      return { ...plain(""), body: bytes(target) };
    });
    t.after(close);
    const names = ["0", "1", "2", "3", "4"];
    const left = names.map((name) => {
      const connection = connectRaw(origin);
      connection.send(rawRequest({ ...BR, target: `/left/${name}/` }));
      return connection;
    });
    await until(() => begun.length === left.length);
    for (const connection of left) connection.destroy();
    const replies = await Promise.all(names.map((name) => sendRaw(origin, { ...BR, target: `/${name}/` })));
    for (const [i, { body }] of replies.entries()) assert.deepEqual(brotliDecompressSync(body), bytes(`/${i}/`));
  });
});

/** A body that takes some milliseconds to compress. */
function bytes(text: string): Buffer {
  return Buffer.from(text.repeat(100_000));
}

/** Counts the encoders and decoders that zlib makes after this call. */
function countEncoders(t: TestContext): () => number {
  let made = 0;
  const hook = createHook({ init: (_id, type) => void (made += type === "ZLIB" ? 1 : 0) });
  hook.enable();
  t.after(() => hook.disable());
  return () => made;
}
