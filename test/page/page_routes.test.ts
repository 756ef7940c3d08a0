import assert from "node:assert/strict";
import { test } from "node:test";
import { FILES, PRELOADS, SCRIPT, STYLE, VIEWS_STYLE } from "../../adapters/page/built_files.ts";
import { assertFailure, createWorld } from "../support/api_under_test.ts";
import { type PageWorldSettings, pageWorld } from "./page_world.ts";

const POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:",
  "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join("; ");

/** The settings in the page's HTML. */
function settingsIn(html: string): Record<string, unknown> {
  const [, json = ""] = /<script type="application\/json" id="settings">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(json) as Record<string, unknown>;
}

test("page: its HTML needs no key, is free of charge, and has a policy that allows only its own files: 200", async () => {
  const { status, headers, text } = await (await pageWorld()).open("/docs");
  assert.equal(status, 200);
  assert.equal(headers["Content-Type"], "text/html; charset=utf-8");
  assert.equal(headers["Content-Security-Policy"], POLICY);
  assert.equal(headers["Referrer-Policy"], "no-referrer");
  assert.equal(headers["Cross-Origin-Opener-Policy"], "same-origin");
  assert.equal(headers["X-Content-Type-Options"], "nosniff");
  assert.equal(headers["Cache-Control"], "private, no-cache");
  assert.doesNotMatch(
    text,
    /<style| style=| on\w+=|<script(?! type="(?:module" src|application\/json"))/,
    "nothing inline",
  );
});

test("page: all its addresses are relative, and lead to files that may be cached for a year: 200, 304", async () => {
  const world = await pageWorld();
  const { text } = await world.open("/docs");
  const links = [...text.matchAll(/(?:href|src)="([^"]*)"/g)]
    .map(([, link]) => link!)
    .filter((link) => !link.startsWith("data:"));
  for (const link of links) assert.doesNotMatch(link, /^(?:\/|\w+:)/);
  const files = links.filter((link) => /^docs\/.*\./.test(link)).map((link) => link.slice("docs/".length));
  const font = Object.keys(FILES).find((name) => /^inter-.*woff2$/.test(name)); // the font is preloaded last
  assert.deepEqual(files, [STYLE, VIEWS_STYLE, ...PRELOADS, SCRIPT, font]);
  for (const name of Object.keys(FILES).filter((file) => !file.endsWith(".woff2"))) {
    const reply = await world.open(`/docs/${name}`);
    assert.deepEqual([reply.status, reply.text], [200, FILES[name]]);
    assert.equal(
      reply.headers["Content-Type"],
      name.endsWith(".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8",
    );
    assert.equal(reply.headers["Cache-Control"], "public, max-age=31536000, immutable");
    const again = await world.open(`/docs/${name}`, { headers: ["If-None-Match", reply.headers["ETag"]!] });
    assert.deepEqual([again.status, again.headers["Cache-Control"]], [304, "public, max-age=31536000, immutable"]);
  }
});

test("page: there are no other files: 404", async () => {
  const world = await pageWorld();
  const names = `app.js nothing __proto__ constructor toString ${STYLE}.map app.js/ a/b reference.de guide/`;
  for (const name of names.split(" ")) assertFailure(await world.open(`/docs/${name}`), 404, "ROUTE_NOT_FOUND");
});

test("page: / redirects to the page, even below an unknown prefix, under a mount path and with a full URL: 307", async () => {
  for (const [servers, location] of [
    [undefined, "docs"],
    [["/"], "/docs"],
    [["/market"], "/market/docs"],
    [["https://a.example/m/"], "https://a.example/m/docs"],
  ] as const) {
    const { status, headers, text } = await (await pageWorld(servers && { servers })).open("/");
    assert.deepEqual([status, headers["Location"], headers["Cache-Control"], text], [307, location, "no-store", ""]);
  }
});

test("page: its HTML has the settings and the catalog, and no text in these ends the script element: 200", async () => {
  const given = {
    application: "</script><b>R&D</b><!--",
    version: "1.2.3",
    marketTimeZone: "UTC",
    staleThresholdMinutes: 5,
  };
  const { text } = await (await pageWorld(given)).open("/docs");
  const { assets, ...stated } = settingsIn(text);
  assert.deepEqual(stated, {
    ...given,
    ...{ quotaTimeZone: "UTC", maxCandles: 10_000, isSample: false, isPublic: false, isEmpty: true },
  });
  assert.deepEqual((assets as readonly unknown[])[0], {
    code: "USD_RLS",
    category: "FX",
    labelEn: "US Dollar / Iranian Rial",
    labelFa: "دلار آمریکا / ریال ایران",
    quoteUnit: "RLS",
  });
  assert.ok(text.includes("<title>&#60;/script&#62;&#60;b&#62;R&#38;D"), "the title is escaped");
  assert.equal([...text.matchAll(/<\/script>/g)].length, 2);
});

const documentation: readonly (readonly [PageWorldSettings, stated: string | undefined])[] = [
  [{}, undefined],
  [{ documentationUrl: "/docs" }, undefined],
  [{ documentationUrl: "/market/docs", servers: ["/market"] }, undefined],
  [{ documentationUrl: "https://a.example/m/docs", servers: ["https://a.example/m/"] }, undefined],
  [{ documentationUrl: "https://keys.example/how?a=</script>" }, "https://keys.example/how?a=</script>"],
  [{ documentationUrl: "/guide" }, "/guide"],
];
test("page, docs.md, llms.txt: name the operator's documentation, unless the page itself is that documentation", async () => {
  for (const [settings, stated] of documentation) {
    const world = await pageWorld(settings);
    assert.equal(settingsIn((await world.open("/docs")).text)["documentationUrl"], stated);
    assert.equal(/gives you \((\S+) tells how\)\./.exec((await world.open("/docs.md")).text)?.[1], stated);
    assert.equal(/gives keys out \((\S+) tells how\)\.$/m.exec((await world.open("/llms.txt")).text)?.[1], stated);
  }
});

test("page: gets the demo key only while the server shows sample prices: 200", async () => {
  let isSample = true;
  const world = await pageWorld({ isSample: () => isSample, demoKey: () => "demo" });
  const first = await world.open("/docs");
  assert.deepEqual([settingsIn(first.text)["isSample"], settingsIn(first.text)["demoKey"]], [true, "demo"]);
  isSample = false;
  const second = await world.open("/docs", { headers: ["If-None-Match", first.headers["ETag"]!] });
  assert.equal(second.status, 200, "a changed page is not answered with 304");
  assert.deepEqual([settingsIn(second.text)["isSample"], "demoKey" in settingsIn(second.text)], [false, false]);
});

test("page: neither the OpenAPI document nor the status answer names the page's custom routes", async () => {
  const [own, plain] = [await pageWorld(), await createWorld()];
  const paths = Object.keys((await own.open("/openapi.json")).json["paths"]!);
  for (const path of paths) assert.match(path, /^\/(?:api\/v1\/|openapi\.json$)/);
  const [stated, wanted] = await Promise.all([own, plain].map((world) => world.ask("/api/v1/status")));
  assert.deepEqual(stated!.json["endpoints"], wanted!.json["endpoints"]);
});
