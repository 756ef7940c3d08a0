// The page over HTTP: from node:http, below a mount path, and from a fetch handler.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { fetchHandler } from "../../adapters/http/fetch_handler.ts";
import { createNodeServer, nodeListener, nodeSystem } from "../../adapters/http/node/mod.ts";
import { FILES } from "../../adapters/page/built_files.ts";
import { pageRoutes } from "../../adapters/page/mod.ts";
import { createMemoryStore } from "../../adapters/stores/memory_store.ts";
import { type Api, createApi } from "../../core/mod.ts";
import { serveFetch } from "../support/fetch_bridge.ts";
import { connectRaw, rawRequest } from "../support/raw_http.ts";
import { serveListener } from "../support/serve_listener.ts";

const MOUNT = "/market";

function pageApi(mount = ""): Api {
  const settings = { ...nodeSystem, ...createMemoryStore(), ...(mount !== "" && { servers: [mount] }) };
  return createApi({ ...settings, routes: pageRoutes(settings) });
}

/** The ways to serve the page. Each function resolves to the API's base URL. */
const HOSTS: Readonly<Record<string, (t: TestContext) => Promise<string>>> = {
  async "the server"(t) {
    const server = createNodeServer(pageApi());
    const { host, port } = await server.listen({ host: "127.0.0.1", port: 0 });
    t.after(() => server.close());
    return `http://${host}:${port}`;
  },
  async "a listener under a mount path that its app strips"() {
    const listener = nodeListener(pageApi(MOUNT));
    const origin = await serveListener((req, res) => {
      if (!req.url?.startsWith(MOUNT)) return void res.writeHead(404).end();
      req.url = req.url.slice(MOUNT.length) || "/";
      listener(req, res);
    });
    return origin + MOUNT;
  },
  async "a listener under a base path"() {
    return (await serveListener(nodeListener(pageApi(MOUNT), { basePath: MOUNT }))) + MOUNT;
  },
  async "a fetch handler"(t) {
    const { origin, close } = await serveFetch(fetchHandler(pageApi()));
    t.after(close);
    return origin;
  },
};

for (const [host, serve] of Object.entries(HOSTS)) {
  test(`page: from ${host}, / redirects to the page, and each link of the page leads to an answer: 200`, async (t) => {
    const base = await serve(t);
    const page = await fetch(`${base}/`);
    assert.deepEqual([page.status, page.url, page.redirected], [200, `${base}/docs`, true]);
    const html = await page.text();
    const links = [...html.matchAll(/(?:href|src)="([^"]*)"/g)]
      .map(([, link]) => new URL(link!, page.url))
      .filter(({ protocol }) => protocol === "http:");
    assert.ok(links.length >= 5, String(links));
    for (const link of [...links, new URL("llms.txt", page.url)])
      assert.equal((await fetch(link)).status, 200, link.href);
    const { servers } = (await (await fetch(`${base}/openapi.json`)).json()) as {
      readonly servers: readonly { readonly url: string }[];
    };
    assert.equal(new URL(servers[0]!.url, page.url).href.replace(/\/$/, ""), base);
    assert.equal((await fetch(new URL("docs/market", page.url))).status, 401);
  });

  test(`page: from ${host}, files are sent and revalidated in compressed form; HEAD is GET without a body: 200, 304`, async (t) => {
    const base = await serve(t);
    const [name, text] = Object.entries(FILES).reduce((a, b) => (a[1].length > b[1].length ? a : b));
    for (const path of ["/docs", `/docs/${name}`]) {
      const gzipped = await fetch(`${base}${path}`, { headers: { "Accept-Encoding": "gzip" } });
      assert.deepEqual([gzipped.status, gzipped.headers.get("content-encoding")], [200, "gzip"]);
      if (path !== "/docs") assert.equal(await gzipped.text(), text);
      const tag = gzipped.headers.get("etag")!;
      assert.match(tag, /^"[\w.]+-gzip"$/, "the compressed form has its own strong tag");
      assert.equal(
        (await fetch(`${base}${path}`, { headers: { "Accept-Encoding": "gzip", "If-None-Match": tag } })).status,
        304,
      );
      const head = await fetch(`${base}${path}`, { method: "HEAD", headers: { "Accept-Encoding": "identity" } });
      assert.deepEqual([head.status, await head.text()], [200, ""]);
      assert.ok(Number(head.headers.get("content-length")) > 1_000, String(head.headers.get("content-length")));
    }
    const foreign = await fetch(`${base}/docs`, { headers: { Origin: "https://a.example" } });
    assert.equal(foreign.headers.get("access-control-allow-origin"), "*");
  });

  test(`embedded price: from ${host}, its fonts and its link lead to an answer: 200`, async (t) => {
    const base = await serve(t);
    for (const file of ["USD_RLS", "USD_RLS.svg"]) {
      const address = `${base}/docs/embed/${file}?lang=fa`;
      const text = await (await fetch(address)).text();
      const links = [...text.matchAll(/href="([^"]*)"|url\(([^)]*)\)/g)].map(([, page, font]) => page ?? font!);
      assert.equal(links.length, file === "USD_RLS" ? 3 : 0);
      for (const link of links) assert.equal((await fetch(new URL(link, address))).status, 200, link);
    }
  });
}

test("page: no spelling of a path reaches other files: 4xx, and the server keeps running", async (t) => {
  const base = await HOSTS["the server"]!(t);
  const connection = connectRaw(base);
  const paths =
    "../package.json .. %2e%2e/package.json ..%2fpackage.json ..%5cpackage.json /etc/passwd %00 ..\\package.json C:";
  for (const path of paths.split(" ")) {
    const target = `/docs/${path}`;
    connection.send(rawRequest({ target }));
    const { status, body } = await connection.reply();
    assert.ok(status === 400 || status === 404, `${target}: ${status} ${body.toString()}`);
  }
  connection.destroy();
  assert.equal((await fetch(`${base}/docs`)).status, 200);
});
