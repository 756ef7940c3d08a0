// The HTML documentation is complete without script, and texts from custom routes are escaped.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ASSETS, defineRoute, ERRORS } from "../../core/mod.ts";
import { ROUTES } from "../../core/routes/route_table.ts";
import { sectionsOf } from "./guides.ts";
import { type PageWorld, pageWorld } from "./page_world.ts";

const PAGES = ["reference", "reference.fa", "guide", "guide.fa"] as const;

async function pageOf(world: PageWorld, name: string): Promise<string> {
  const { status, text } = await world.open(`/docs/${name}`);
  assert.equal(status, 200);
  return text;
}

for (const name of PAGES) {
  test(`documentation: ${name} has no inline script or style, declares its language, and has no broken link: 200, 304`, async () => {
    const world = await pageWorld();
    const { headers, text } = await world.open(`/docs/${name}`);
    assert.match(headers["Content-Security-Policy"]!, /default-src 'none'; script-src 'self'; style-src 'self'/);
    assert.ok(
      text.includes(name.endsWith(".fa") ? '<html lang="fa" dir="rtl">' : '<html lang="en" dir="ltr">'),
      "the language",
    );
    assert.doesNotMatch(text, /<style| style=| on\w+=|<script(?! type="module" src)/);
    const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);
    assert.equal(new Set(ids).size, ids.length, "each id occurs once");
    const links = [...text.matchAll(/(?:href|src)="([^"]*)"/g)]
      .map(([, link]) => link!)
      .filter((link) => !link.startsWith("data:"));
    for (const link of new Set(links)) {
      const { pathname, hash } = new URL(link, `http://h/docs/${name}`);
      const target = await world.open(pathname);
      assert.equal(target.status, 200, link);
      if (hash !== "" && pathname !== "/docs") assert.ok(target.text.includes(` id="${hash.slice(1)}"`), link);
    }
    assert.equal((await world.open(`/docs/${name}?x=1`, { headers: ["If-None-Match", headers["ETag"]!] })).status, 304);
  });
}

test("documentation: the reference has every route with four examples, every error with its advice, and every asset", async () => {
  const world = await pageWorld();
  for (const name of ["reference", "reference.fa"]) {
    const html = await pageOf(world, name);
    const operations = html.split('<section class="operation"').slice(1);
    assert.equal(operations.length, ROUTES.length + 1);
    for (const { method, path } of ROUTES)
      assert.ok(
        html.includes(
          `<b class="${method.toLowerCase()}">${method}</b> ${path.replace("{assetName}/ohlc", "{assetCode}/ohlc")}<`,
        ),
        path,
      );
    for (const operation of operations) {
      const languages = [...operation.matchAll(/<pre class="(\w+)"/g)].map(([, language]) => language);
      assert.deepEqual(languages, ["sh", "js", "python", "php"]);
    }
    for (const code of Object.keys(ERRORS))
      assert.match(html, new RegExp(`<tr id="${code}"><td>\\d{3}</td><td><code>${code}</code></td><td>.{20,}</td>`));
    for (const { code } of ASSETS) assert.ok(html.includes(`<tr><td><code>${code}</code></td>`), code);
  }
  for (const language of ["en", "fa"] as const) {
    const html = await pageOf(world, language === "fa" ? "guide.fa" : "guide");
    for (const { name } of sectionsOf(language))
      assert.ok(html.includes(`<h2 id="${name}"`) && html.includes(`<a href="#${name}">`), name);
    assert.doesNotMatch(html, /\{\{/);
  }
});

test("documentation: no text from an embedder is read as HTML, ends an example, or is marked as Persian", async () => {
  const evil = `<script>alert("1")</script> */ ?> ' </pre>{{key}}`;
  const own = defineRoute({
    method: "POST",
    path: "/api/v1/own/{thing}",
    auth: "key",
    charge: "free",
    query: ["q"],
    summary: evil,
    docs: {
      operationId: `own"'<b>`,
      description: `${evil}\n\n\`${evil}\` [${evil}](#x)`,
      parameters: {
        thing: { description: evil, example: evil },
        q: { description: evil, schema: { type: "string", enum: [evil, "a"] }, example: evil },
      },
      body: { contentType: 'text/"<b>', example: evil },
      answer: {
        description: evil,
        contentType: "*/*",
        schema: { type: "object", properties: { [evil]: { description: evil } } },
        example: { [evil]: evil },
      },
    },
    handle: () => ({ json: null }),
  });
  const settings = { application: evil, version: evil, routes: [own], documentationUrl: "javascript:alert(1)//<b>" };
  const world = await pageWorld(settings);
  for (const name of PAGES) {
    const html = await pageOf(world, name);
    assert.doesNotMatch(html, /<script>|<b>|alert\("1"\)|href="javascript/);
    assert.equal((html.match(/<\/pre>/g) ?? []).length, (html.match(/<pre[ >]/g) ?? []).length);
    if (name === "reference.fa") assert.match(html, /<h2 tabindex="-1"><span lang="en" dir="ltr">&#60;script/);
    if (name.startsWith("reference")) {
      const calls = [...html.matchAll(/data-call="([^"]*)"/g)].map(([, text]) =>
        JSON.parse(text!.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))),
      );
      assert.deepEqual(calls.find(({ path }) => path === "/api/v1/own/{thing}").body, {
        contentType: 'text/"<b>',
        text: evil,
      });
    }
  }
});

test("documentation: examples use the service's address, if it has one; while prices are made up, the page says so, and examples use the demo key", async () => {
  let isSample = true;
  const world = await pageWorld({
    servers: ["https://prices.example/m/"],
    isSample: () => isSample,
    demoKey: () => "mz_demo",
  });
  for (const name of PAGES) {
    isSample = true;
    const sample = await pageOf(world, name);
    for (const text of ["https://prices.example/m/api/v1/", "mz_demo", 'class="sample"'])
      assert.ok(sample.includes(text), `${name}: ${text}`);
    assert.equal(await pageOf(world, name), sample);
    isSample = false;
    const real = await pageOf(world, name);
    assert.ok(real.includes("YOUR_KEY") && !real.includes("mz_demo") && !real.includes('class="sample"'), name);
  }
  const html = await pageOf(await pageWorld({ servers: ["/m"] }), "reference");
  assert.ok(
    html.includes("BASE_URL/api/v1/assets") && html.includes('class="placeholders'),
    "without a full URL of the service",
  );
});
