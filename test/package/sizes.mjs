// How much the package adds to an app that bundles it for browsers, where a `node:` import does not resolve.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { kilobytes } from "./packed.mjs";

/** Bytes of an app that serves the API by fetch, of everything in the two entry points, of one function, and of the client. */
const BUDGETS = { core: 21_500, whole: 26_000, foldCandles: 2_000, client: 4_096 };
/** Entry points that may need Node. */
const NODE_ENTRIES = ["./node", "./json-files", "./package.json"];

export async function measureSizes(check, consumer) {
  const bundled = async (contents, minify = true) => {
    const options = { bundle: true, minify, write: false, format: "esm", platform: "browser", target: "es2023", charset: "utf8", logLevel: "silent", metafile: true };
    const { outputFiles, metafile } = await build({ ...options, stdin: { contents, resolveDir: consumer } });
    const imports = Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path));
    assert.deepEqual(imports, [], "everything is in the bundle");
    return outputFiles[0].text;
  };
  const packed = (text) => gzipSync(text, { level: 9 }).length;

  await check("entry points for the web need no node: module", async () => {
    const entries = Object.keys(JSON.parse(readFileSync("package.json", "utf8")).exports).filter((entry) => !NODE_ENTRIES.includes(entry));
    const all = await bundled(entries.map((entry) => `export * from "mazaneh${entry.slice(1)}";`).join("\n"));
    return `all ${entries.length} are ${kilobytes(packed(all))} minified and gzipped`;
  });
  await check(`core with the fetch adapter fits into ${kilobytes(BUDGETS.core)}`, async () => {
    const whole = await bundled('export * from "mazaneh";\nexport * from "mazaneh/fetch";');
    const used = await bundled('export { createApi } from "mazaneh";\nexport { fetchHandler } from "mazaneh/fetch";');
    const note = `${packed(used)} bytes minified and gzipped; with all that the two entry points export ${packed(whole)}`;
    assert.ok(packed(used) <= BUDGETS.core && packed(whole) <= BUDGETS.whole, note);
    return note;
  });
  await check(`foldCandles alone fits into ${kilobytes(BUDGETS.foldCandles)}`, async () => {
    const text = await bundled('export { foldCandles } from "mazaneh";');
    const note = `${text.length} bytes minified, ${packed(text)} gzipped`;
    assert.ok(text.length < BUDGETS.foldCandles, note);
    return note;
  });
  await check(`the client with all that its entry point exports fits into ${kilobytes(BUDGETS.client)}`, async () => {
    const text = await bundled('export * from "mazaneh/client";');
    const note = `${packed(text)} bytes minified and gzipped`;
    assert.ok(packed(text) <= BUDGETS.client, note);
    return note;
  });
  await check("createPrices alone leaves the routes out", async () => {
    const text = await bundled('export { createPrices } from "mazaneh";');
    assert.ok(!text.includes("/api/v1/access"), "the table of routes is in it");
    return `${packed(text)} bytes minified and gzipped`;
  });
}
