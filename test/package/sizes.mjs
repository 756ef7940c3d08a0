// What the package costs an app that bundles it, for the browser platform: there a `node:` import does not resolve.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { kilobytes } from "./packed.mjs";

/** Of what an app bundles that serves the API by fetch, of all that the two doors have, and of one function. */
const BUDGETS = { core: 20_000, whole: 21_500, foldCandles: 2_000 };
/** Doors that need Node; all others have to do without. */
const NODE_DOORS = ["./node", "./json-files", "./package.json"];

export async function measureSizes(check, consumer) {
  const bundled = async (contents, minify = true) => {
    const options = { bundle: true, minify, write: false, format: "esm", platform: "browser", target: "es2023", charset: "utf8", logLevel: "silent", metafile: true };
    const { outputFiles, metafile } = await build({ ...options, stdin: { contents, resolveDir: consumer } });
    const imports = Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path));
    assert.deepEqual(imports, [], "everything is in the bundle");
    return outputFiles[0].text;
  };
  const packed = (text) => gzipSync(text, { level: 9 }).length;

  await check("doors for the web need no node: module", async () => {
    const doors = Object.keys(JSON.parse(readFileSync("package.json", "utf8")).exports).filter((door) => !NODE_DOORS.includes(door));
    const all = await bundled(doors.map((door) => `export * from "mazaneh${door.slice(1)}";`).join("\n"));
    return `all ${doors.length} are ${kilobytes(packed(all))} minified and gzipped`;
  });
  await check(`core with the fetch adapter fits into ${kilobytes(BUDGETS.core)}`, async () => {
    const whole = await bundled('export * from "mazaneh";\nexport * from "mazaneh/fetch";');
    const used = await bundled('export { createApi } from "mazaneh";\nexport { fetchHandler } from "mazaneh/fetch";');
    const labels = packed(whole) - packed(withoutLabels(whole, await labelNames(consumer)));
    const note = `${packed(used)} bytes minified and gzipped (labels ${labels} of them; ${used.length} characters before gzip); with all that the two doors export ${packed(whole)}`;
    assert.ok(packed(used) <= BUDGETS.core && packed(whole) <= BUDGETS.whole, note);
    return note;
  });
  await check(`foldCandles alone fits into ${kilobytes(BUDGETS.foldCandles)}`, async () => {
    const text = await bundled('export { foldCandles } from "mazaneh";');
    const note = `${text.length} bytes minified, ${packed(text)} gzipped`;
    assert.ok(text.length < BUDGETS.foldCandles, note);
    return note;
  });
  await check("createPrices alone leaves the routes out", async () => {
    const text = await bundled('export { createPrices } from "mazaneh";');
    assert.ok(!text.includes("/docs"), "the page that lists the routes is in it");
    return `${packed(text)} bytes minified and gzipped`;
  });
}

async function labelNames(consumer) {
  const { ASSETS } = await import(pathToFileURL(join(consumer, "node_modules/mazaneh/dist/core/mod.js")).href);
  return new Set(ASSETS.flatMap(({ labelEn, labelFa }) => [labelEn, labelFa].map((label) => label.slice(0, label.lastIndexOf(" / ")))));
}

function withoutLabels(text, names) {
  let rest = text;
  for (const name of names) rest = rest.replaceAll(JSON.stringify(name), '""');
  return rest;
}
