// Measures what the package adds to the bundle of an app for browsers. In such a bundle, `node:` imports fail.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { kilobytes } from "./packed.mjs";

/** Apps, each with the maximum size of its bundle in bytes, and texts that the bundle must not contain. */
const BUDGETS = [
  [
    "an app that serves the API with the fetch adapter",
    'export { createApi } from "mazaneh";\nexport { fetchHandler } from "mazaneh/fetch";',
    23_000,
  ],
  [
    "everything that the core and the fetch adapter export",
    'export * from "mazaneh";\nexport * from "mazaneh/fetch";',
    27_500,
  ],
  ["foldCandles alone", 'export { foldCandles } from "mazaneh";', 1_000],
  [
    "the client that reads",
    'export { createClient, PriceError, QuotaExceeded, quotaOf } from "mazaneh/client";',
    4_500,
  ],
  ["createPrices without the routes", 'export { createPrices } from "mazaneh";', 10_000, "/api/v1/access"],
];
/** Entry points that may depend on Node. */
const NODE_ENTRIES = ["./node", "./json-files", "./package.json"];

export async function measureSizes(check, consumer) {
  const bundled = async (contents) => {
    const { outputFiles, metafile } = await build({
      ...{ stdin: { contents, resolveDir: consumer }, bundle: true, minify: true, write: false, metafile: true },
      ...{ format: "esm", platform: "browser", target: "es2023", charset: "utf8", logLevel: "silent" },
    });
    const imports = Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path));
    assert.deepEqual(imports, [], "nothing is left to import at run time");
    return outputFiles[0].text;
  };
  const packed = (text) => gzipSync(text, { level: 9 }).length;

  await check("the web's entry points do not import node: modules", async () => {
    const entries = Object.keys(JSON.parse(readFileSync("package.json", "utf8")).exports).filter(
      (entry) => !NODE_ENTRIES.includes(entry),
    );
    const all = await bundled(entries.map((entry) => `export * from "mazaneh${entry.slice(1)}";`).join("\n"));
    return `all ${entries.length} entry points together take ${kilobytes(packed(all))}, minified and gzipped`;
  });
  for (const [what, source, most, absent] of BUDGETS) {
    await check(`${what} takes at most ${kilobytes(most)}, minified and gzipped`, async () => {
      const text = await bundled(source);
      assert.ok(packed(text) <= most, `${packed(text)} bytes`);
      assert.ok(absent === undefined || !text.includes(absent), `${absent} is in it`);
      return `${packed(text)} bytes`;
    });
  }
}
