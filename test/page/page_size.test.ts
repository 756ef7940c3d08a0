// What a browser has to fetch before it shows something, as the server sends it: with gzip of level 4.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import {
  DOCS_SCRIPT,
  DOCS_STYLE,
  FILES,
  PRELOADS,
  SCRIPT,
  STYLE,
  VIEWS_STYLE,
} from "../../adapters/page/built_files.ts";
import { docsHtml } from "../../adapters/page/docs_html.ts";
import { pageHtml } from "../../adapters/page/page_html.ts";
import { ASSETS } from "../../core/mod.ts";
import { createOpenApi } from "../../core/openapi/mod.ts";

const FIRST_VIEW_BYTES = 46_600;
const WITH_CHART_BYTES = 134_500;

const DOCS_BYTES = 32_100;

const SETTINGS = {
  application: "mazaneh",
  isSample: true,
  isPublic: true,
  isEmpty: false,
  demoKey: `mz_live_${"x".repeat(58)}`,
  version: "0.1.0",
  marketTimeZone: "Asia/Tehran",
  quotaTimeZone: "UTC",
  staleThresholdMinutes: 60,
  maxCandles: 10_000,
  assets: ASSETS.map(({ code, category, labelEn, labelFa, quoteUnit }) => ({
    code,
    category,
    labelEn,
    labelFa,
    quoteUnit,
  })),
};
const HTML = pageHtml(SETTINGS);

function packed(text: string): number {
  return gzipSync(text, { level: 4 }).length;
}

/** A file with all that it imports at once. */
function closure(name: string, seen = new Set<string>()): Set<string> {
  seen.add(name);
  for (const [, imported] of FILES[name]!.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g))
    if (!seen.has(imported!)) closure(imported!, seen);
  return seen;
}

/** The files that a file imports when they are wanted. */
function wanted(name: string): string[] {
  return [...FILES[name]!.matchAll(/import\("\.\/([^"]+)"\)/g)].map(([, imported]) => imported!);
}

function weightOf(names: Iterable<string>): number {
  return [...names].reduce((sum, name) => sum + packed(FILES[name]!), packed(HTML) + packed(FILES[STYLE]!));
}

test("page: the first view is small, and the HTML names all of its scripts", () => {
  const scripts = closure(SCRIPT);
  assert.deepEqual([...PRELOADS, SCRIPT].sort(), [...scripts].sort());
  const bytes = weightOf(scripts);
  assert.ok(bytes <= FIRST_VIEW_BYTES, `${bytes} bytes: ${[...scripts].join(", ")}`);
});

test("page: with an asset and its chart it is not much more, and the chart is not in the first view", () => {
  const asset = wanted(SCRIPT)
    .flatMap((view) => [...closure(view)])
    .find((file) => wanted(file).some((name) => name.startsWith("chart-")))!;
  const chart = wanted(asset).find((name) => name.startsWith("chart-"))!;
  assert.equal(closure(SCRIPT).has(chart), false);
  const bytes = weightOf(new Set([...closure(SCRIPT), ...closure(asset), ...closure(chart), VIEWS_STYLE]));
  assert.ok(bytes <= WITH_CHART_BYTES, `${bytes} bytes`);
  assert.ok(bytes > FIRST_VIEW_BYTES + 20_000, `${bytes} bytes cannot have a chart in them`);
});

test("page: reference and guide are small, with all that they load", () => {
  for (const name of ["reference", "reference.fa", "guide", "guide.fa"] as const) {
    const bytes = [
      docsHtml(name, SETTINGS, createOpenApi()),
      FILES[STYLE]!,
      FILES[DOCS_STYLE]!,
      FILES[DOCS_SCRIPT]!,
    ].reduce((sum, text) => sum + packed(text), 0);
    assert.ok(bytes <= DOCS_BYTES, `${name}: ${bytes} bytes`);
  }
});
