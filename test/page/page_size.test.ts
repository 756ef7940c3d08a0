// The gzipped size of all files that a browser fetches before it shows something.
import assert from "node:assert/strict";
import { test } from "node:test";
import { compress } from "../../adapters/http/node/compress.ts";
import {
  DOCS_SCRIPT,
  DOCS_STYLE,
  FILES,
  PRELOADS,
  SCRIPT,
  STYLE,
  VIEWS_STYLE,
} from "../../adapters/page/built_files.ts";
import { pageWorld } from "./page_world.ts";

const FIRST_VIEW_BYTES = 45_000;
const WITH_CHART_BYTES = 130_000;
const DOCS_BYTES = 32_000;

const world = await pageWorld({
  version: "1.0.0",
  publicMarket: true,
  isSample: () => true,
  demoKey: () => `mz_live_${"x".repeat(58)}`,
});

/** The size with gzip. The caching header is `immutable` for files and `no-cache` for HTML. */
async function packed(text: string, caching: "no-cache" | "immutable"): Promise<number> {
  return (await compress(text, "gzip", ["Cache-Control", caching]))!.length;
}

/** A file and all files that it imports statically. */
function closure(name: string, seen = new Set<string>()): Set<string> {
  seen.add(name);
  for (const [, imported] of FILES[name]!.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g))
    if (!seen.has(imported!)) closure(imported!, seen);
  return seen;
}

/** The files that a file imports on demand. */
function wanted(name: string): string[] {
  return [...FILES[name]!.matchAll(/import\("\.\/([^"]+)"\)/g)].map(([, imported]) => imported!);
}

async function weightOf(path: string, names: Iterable<string>): Promise<number> {
  let bytes = await packed((await world.open(path)).text, "no-cache");
  for (const name of names) bytes += await packed(FILES[name]!, "immutable");
  return bytes;
}

test("page: the first view takes at most 45 kB, and the HTML names all of its scripts", async () => {
  const scripts = closure(SCRIPT);
  assert.deepEqual([...PRELOADS, SCRIPT].sort(), [...scripts].sort());
  const bytes = await weightOf("/docs", [STYLE, ...scripts]);
  assert.ok(bytes <= FIRST_VIEW_BYTES, `${bytes} bytes: ${[...scripts].join(", ")}`);
});

test("page: the view of an asset with its chart takes at most 130 kB, and the chart is not in the first view", async () => {
  const asset = wanted(SCRIPT)
    .flatMap((view) => [...closure(view)])
    .find((file) => wanted(file).some((name) => name.startsWith("chart-")))!;
  const chart = wanted(asset).find((name) => name.startsWith("chart-"))!;
  assert.equal(closure(SCRIPT).has(chart), false);
  const names = new Set([STYLE, ...closure(SCRIPT), ...closure(asset), ...closure(chart), VIEWS_STYLE]);
  const bytes = await weightOf("/docs", names);
  assert.ok(bytes <= WITH_CHART_BYTES, `${bytes} bytes`);
  assert.ok(bytes > FIRST_VIEW_BYTES + 20_000, `${bytes} bytes cannot contain a chart`);
});

test("page: reference and guide take at most 32 kB each, with everything that they load", async () => {
  for (const name of ["reference", "reference.fa", "guide", "guide.fa"] as const) {
    const bytes = await weightOf(`/docs/${name}`, [STYLE, DOCS_STYLE, DOCS_SCRIPT]);
    assert.ok(bytes <= DOCS_BYTES, `${name}: ${bytes} bytes`);
  }
});
