// /docs.md and /llms.txt describe everything that is served, even if names contain special characters.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Marked, type Tokens } from "marked";
import {
  docsMarkdown,
  jsonBlock,
  llmsText,
  markdownCode,
  markdownTable,
} from "../../adapters/page/llms_and_markdown_docs.ts";
import { ASSETS, defineAsset, defineRoute, ERRORS } from "../../core/mod.ts";
import { createOpenApi, type OpenApiSettings, openApiRoute } from "../../core/openapi/mod.ts";
import { tableDocs } from "../../core/openapi/table_docs.ts";
import { ROUTES } from "../../core/routes/route_table.ts";
import { DEFAULTS, guideSource } from "./guides.ts";
import { pageWorld } from "./page_world.ts";

const GUIDE = guideSource("en");
const OWN_ASSETS = [
  ...ASSETS,
  defineAsset({ code: "SAFFRON_RLS", category: "METAL", nameEn: "Saffron | 1 \\| 2\nkg `a`", nameFa: "زعفران | نگین" }),
];
const OWN_ROUTE = defineRoute({
  method: "GET",
  path: "/api/v1/assets/{code}/own",
  auth: "key",
  charge: "success",
  query: ["days"],
  summary: "Change | of some days",
  docs: {
    description: "In percent.",
    parameters: {
      code: { description: "The code | as in\nthe catalog" },
      days: { description: "How many", schema: { type: "integer", enum: [1, 7] }, example: 7 },
    },
    answer: { schema: { type: "object", properties: { percent: { type: "number" } } }, example: { percent: 1.5 } },
    failures: ["ASSET_NOT_FOUND"],
  },
  handle: () => ({ json: null }),
});

/** The two texts for an API with these settings. */
function texts(settings: OpenApiSettings = {}): { readonly docs: string; readonly llms: string } {
  const document = createOpenApi({ ...settings, routes: [...(settings.routes ?? []), openApiRoute()] });
  const facts = { ...DEFAULTS, ...(settings.assets && { assets: settings.assets }) };
  return { docs: docsMarkdown(facts, document), llms: llmsText(facts, document) };
}

/** The tables in a Markdown text. */
function tablesOf(text: string): readonly Tokens.Table[] {
  return new Marked().lexer(text).filter((token): token is Tokens.Table => token.type === "table");
}

test("docs.md: every route has a heading, its charge, and each of its errors; every error has an item, and every asset a row", () => {
  const { docs } = texts();
  const documented: Readonly<Record<string, { readonly summary: string }>> = tableDocs(ASSETS[0]!);
  for (const { method, path } of ROUTES) {
    const [, part] = docs.split(`\n### ${method} ${path}\n`);
    assert.ok(part !== undefined, path);
    const own = part.split("\n### ")[0]!;
    assert.ok(own.includes(documented[`${method} ${path}`]!.summary), path);
    assert.match(own, /Costs (one|no) unit/);
    assert.match(own, /^Errors: 400 `INVALID_REQUEST`.*500 `INTERNAL_ERROR`, 503 `UNAVAILABLE`\.$/m);
  }
  for (const code of Object.keys(ERRORS))
    assert.equal(docs.split(`\n- ${ERRORS[code as keyof typeof ERRORS].status} \`${code}\`: `).length, 2, code);
  for (const { code, labelEn, labelFa, category, quoteUnit } of ASSETS)
    assert.ok(docs.includes(`\n| \`${code}\` | ${labelEn} | ${labelFa} | ${category} | ${quoteUnit} |\n`), code);
});

test("docs.md: has every field of every answer with its meaning, and every header field", () => {
  const { docs } = texts();
  const { schemas, headers } = createOpenApi().components as {
    schemas: Record<string, { properties?: object }>;
    headers: object;
  };
  for (const [name, { properties }] of Object.entries(schemas)) {
    if (properties === undefined) continue;
    const { rows } = tablesOf(docs.split(`\n### ${name}\n`)[1]!)[0]!;
    assert.deepEqual(
      rows.map(([field]) => field!.text),
      Object.keys(properties).map((field) => `\`${field}\``),
      name,
    );
    for (const [field, , meaning] of rows)
      assert.ok(meaning!.text.length > 3, `${name} says what ${field!.text} means`);
  }
  const { rows } = tablesOf(docs.split("\n## Header fields\n")[1]!)[0]!;
  assert.deepEqual(
    rows.map(([field]) => field!.text),
    Object.keys(headers).map((field) => `\`${field}\``),
  );
});

test("docs.md: has custom routes and assets, and no name breaks a table", () => {
  const { docs } = texts({ assets: OWN_ASSETS, routes: [OWN_ROUTE] });
  const part = docs.split("\n### GET /api/v1/assets/{code}/own\n")[1]!.split("\n### ")[0]!;
  assert.match(part, /^Change \| of some days\.\n\nIn percent\.\n\nCosts one unit/m);
  assert.deepEqual(
    tablesOf(part)[0]!.rows.map((row) => row.map(({ text }) => text)),
    [
      ["`code`", "path", "yes", "string", "The code | as in the catalog", ""],
      ["`days`", "query", "no", "1 or 7", "How many", "`7`"],
    ],
  );
  assert.equal(part.includes('"percent": 1.5'), true);
  assert.match(part, /404 `ASSET_NOT_FOUND`/);
  const last = tablesOf(docs)
    .at(-1)!
    .rows.at(-1)!
    .map(({ text }) => text);
  assert.deepEqual([last.length, last[0], last[2], last[4]], [5, "`SAFFRON_RLS`", "زعفران | نگین / ریال ایران", "RLS"]);
});

test("docs.md: contains the whole guide, without the parts for the page, and states the settings", () => {
  const { docs } = texts();
  assert.doesNotMatch(docs, /\{\{|\{#|\]\(#/);
  assert.deepEqual(
    [...docs.matchAll(/^# .*$/gm)].length - [...docs.matchAll(/^```(?:sh|python)\n(?:.*\n)*?# /gm)].length,
    1,
  );
  for (const [, title] of GUIDE.matchAll(/^## (.*) \{/gm)) assert.ok(docs.includes(`\n## ${title}\n`), title);
  assert.match(docs, /^curl BASE_URL\/api\/v1\/status$/m);
  assert.match(docs, /time zone is Asia\/Tehran\./);
});

test("docs.md, llms.txt: under a mount path, links are relative to the document, or absolute if the server knows its own address", () => {
  const mounted = texts({ servers: ["/market"] });
  assert.doesNotMatch(mounted.docs + mounted.llms, /\]\(\/|\/market/);
  const absolute = texts({ servers: ["https://prices.example/market/"] });
  assert.match(absolute.docs, /^curl https:\/\/prices\.example\/market\/api\/v1\/status$/m);
  assert.match(absolute.llms, /\]\(https:\/\/prices\.example\/market\/docs\.md\)/);
  assert.match(absolute.llms, /\]\(https:\/\/prices\.example\/market\/openapi\.json\)/);
});

test("llms.txt: follows the convention, and has every route and every code", () => {
  const { llms } = texts({ assets: OWN_ASSETS, routes: [OWN_ROUTE] });
  const [title, quote, ...rest] = new Marked().lexer(llms).filter(({ type }) => type !== "space");
  assert.deepEqual([title!.type, title!.raw.trim(), quote!.type], ["heading", "# mazaneh", "blockquote"]);
  const headings = rest.filter(({ type }) => type === "heading").map(({ raw }) => raw.trim());
  assert.deepEqual(headings, ["## Documentation", "## Optional"]);
  const links = rest.slice(rest.findIndex(({ type }) => type === "heading")).filter(({ type }) => type === "list");
  for (const { raw } of links)
    for (const line of raw.trim().split("\n")) assert.match(line, /^- \[[^\]]+\]\([^)]+\): .+$/);
  for (const { method, path } of [...ROUTES, OWN_ROUTE]) assert.ok(llms.includes(`\n- \`${method} ${path}\`: `), path);
  const codes = /^Asset codes: (.*)$/m.exec(llms)![1]!.split(", ");
  assert.deepEqual(
    codes,
    OWN_ASSETS.map(({ code }) => code),
  );
  assert.ok(llms.length < 5_000, `${llms.length} characters`);
});

test("docs.md, llms.txt: are served without a key, free of charge, with the embedder's routes and settings: 200, 304", async () => {
  const settings = { application: "ours", assets: OWN_ASSETS, marketTimeZone: "Asia/Dubai", maxCandles: 7 };
  const world = await pageWorld({ ...settings, routes: [OWN_ROUTE] });
  for (const [target, type] of [
    ["/docs.md", "text/markdown; charset=utf-8"],
    ["/llms.txt", "text/plain; charset=utf-8"],
  ] as const) {
    const { status, headers, text } = await world.open(target);
    assert.deepEqual([status, headers["Content-Type"]], [200, type]);
    for (const setting of ["# ours", "Asia/Dubai", "/api/v1/assets/{code}/own", "GET /openapi.json", "SAFFRON_RLS"])
      assert.ok(text.includes(setting), `${target} tells ${setting}`);
    assert.match(text, /at most 7 candles/);
    assert.doesNotMatch(text, /GET \/docs/);
    assert.equal((await world.open(target, { headers: ["If-None-Match", headers["ETag"]!] })).status, 304);
  }
});

test("markdown: a table keeps its shape whatever its cells contain", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "|", "\\", "`", "\n", "\r", " ", "-", "<b>", "ژ") });
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text, text), { minLength: 1 }), (rows) => {
      const [table, ...others] = new Marked()
        .lexer(markdownTable(["A", "B", "C"], rows))
        .filter(({ type }) => type !== "space");
      assert.deepEqual(others, []);
      assert.equal(table!.type, "table");
      assert.equal((table as Tokens.Table).rows.length, rows.length);
    }),
  );
});

test("markdown: code and JSON blocks end where they should, whatever they contain", () => {
  const ticks = fc.string({ unit: fc.constantFrom("`", "a", " ") }).map((text) => `a${text}a`);
  fc.assert(
    fc.property(ticks, (text) => {
      const [code] = new Marked()
        .lexer(markdownCode(text))
        .flatMap((token) => ("tokens" in token ? (token.tokens ?? []) : []));
      assert.deepEqual([code!.type, (code as Tokens.Codespan).text], ["codespan", text]);
      const blocks = new Marked().lexer(jsonBlock({ text }));
      assert.deepEqual(
        [blocks.length, blocks[0]!.type, JSON.parse((blocks[0] as Tokens.Code).text)],
        [1, "code", { text }],
      );
    }),
  );
});
