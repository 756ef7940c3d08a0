// The client in Chromium, on a page whose origin differs from the API's. Tests CORS, and where the key may be sent.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import type { RequestListener } from "node:http";
import { test } from "node:test";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { nodeListener } from "../../adapters/http/node/mod.ts";
import { pageText } from "../readme/pages.ts";
import { createWorld } from "../support/api_under_test.ts";
import { serveListener } from "../support/serve_listener.ts";

const CHROMIUM = "/usr/bin/chromium-headless-shell";
const skip = !existsSync(CHROMIUM) && `there is no ${CHROMIUM} (package chromium-headless-shell)`;

test("the client in Chromium, across origins", { skip }, async (t) => {
  const world = await createWorld();
  await world.feed(
    ["USD_RLS", 1_905_000, "2026-11-20T16:30:00Z"],
    ["BTC_USD", 83_125.4, "2026-11-20T09:45:00Z"],
    ["USD_RLS", 1_500_000, "2026-08-01T10:00:00Z"],
  );
  const strays: unknown[] = [];
  const elsewhere = await serveListener((request, response) => {
    strays.push([request.method, request.headers["x-api-key"], request.headers["access-control-request-headers"]]);
    response.writeHead(200, { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*" }).end("{}");
  });
  const api = nodeListener(world.api);
  const baseUrl = await serveListener((request, response) => {
    const isPreflight = request.method === "OPTIONS";
    const [, place] = request.url!.split("/");
    if (place === "silent" && !isPreflight) return;
    if (place === "moved" && !isPreflight)
      return void response
        .writeHead(307, { Location: `${elsewhere}${request.url}`, "Access-Control-Allow-Origin": "*" })
        .end();
    request.url = request.url!.replace(/^\/(?:moved|silent)/, "");
    api(request, response);
  });
  const closed = await serveListener(nodeListener((await createWorld({ cors: "none" })).api));

  const entryPoints = ["adapters/client/mod.ts"];
  const { outputFiles } = await build({ entryPoints, bundle: true, write: false, format: "esm" });
  const { key } = await world.account({ units: 50 });
  const [, board] = /^```html\n(.*?)^```/ms.exec(pageText("adapters/client/README.md")) ?? [];
  const site: RequestListener = (request, response) => {
    if (request.url === "/") {
      const html = board!.replace("http://127.0.0.1:8080", baseUrl).replace("YOUR_KEY", key);
      response.setHeader("Content-Type", "text/html").end(html);
    } else if (request.url === "/mazaneh/adapters/client/mod.js")
      response.setHeader("Content-Type", "text/javascript").end(outputFiles[0]!.text);
    else response.writeHead(404).end();
  };

  const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
  const browser = await chromium.launch({ executablePath: CHROMIUM, args });
  t.after(() => browser.close());
  const page = await browser.newPage({ locale: "en-US", timezoneId: "UTC" });
  await page.goto(await serveListener(site));

  /** Runs a program that can use `createClient` and the addresses, and returns its result. */
  const run = (program: string): Promise<unknown> =>
    page.evaluate(`(async () => {
      const { createClient, PriceError, QuotaExceeded } = await import("/mazaneh/adapters/client/mod.js");
      const clientAt = (baseUrl, options) => createClient({ baseUrl, key: ${JSON.stringify(key)}, retries: 0, ...options });
      const failure = (promise) => promise.then(() => "answered", (error) => [error.name, error.code, error.status]);
      const [baseUrl, closed] = ${JSON.stringify([baseUrl, closed])};
      ${program}
    })()`);

  await t.test("the price board from the documents shows prices and the remaining requests", async () => {
    await page.waitForFunction("document.querySelector('p').textContent !== ''");
    const shown = (await page.evaluate(
      "[...document.querySelectorAll('tr, p')].map(({ textContent }) => textContent)",
    )) as string[];
    assert.deepEqual(
      shown.map((text) => text.replace("\u202f", " ")),
      [
        "US Dollar / Iranian Rial: 1,905,000 RLS, 11/20/2026, 4:30:00 PM",
        "Bitcoin / US Dollar: 83,125.4 USD, 11/20/2026, 9:45:00 AM",
        "Requests left today: 49",
      ],
    );
  });

  await t.test("the page can read the quota, the request id and the start of the next quota day", async () => {
    const { key: spent } = await world.account({ units: 1 });
    assert.deepEqual(
      await run(`
        const client = clientAt(baseUrl, { key: "${spent}" });
        await client.latest("USD_RLS");
        const { limit, remaining, resetsAt } = client.quota;
        const error = await client.latest("USD_RLS").catch((thrown) => thrown);
        return [
          limit, remaining, resetsAt.toISOString(), error instanceof QuotaExceeded, error instanceof PriceError,
          error.resetsAt.toISOString(), error.retryAfterSeconds, error.requestId.slice(0, 4),
        ];`),
      [1, 0, "2026-11-22T00:00:00.000Z", true, true, "2026-11-22T00:00:00.000Z", 14 * 3_600, "req_"],
    );
  });

  await t.test("a redirect is not followed: no request, with a key or without, reaches the other server", async () => {
    const outcome = await run(`return failure(clientAt(baseUrl + "/moved").latest("USD_RLS"));`);
    assert.deepEqual(outcome, ["PriceError", "UNEXPECTED_ANSWER", 0]);
    assert.deepEqual(strays, []);
  });

  await t.test("the call rejects: after a timeout, after an abort, and if CORS hides the answer", async () => {
    const late = await run(`return failure(clientAt(baseUrl + "/silent", { timeoutMs: 200 }).latest("USD_RLS"));`);
    assert.deepEqual(late, ["PriceError", "TIMEOUT", 0]);
    const signal = `{ signal: AbortSignal.abort("left") }`;
    const left = await run(`return clientAt(baseUrl).latest("USD_RLS", ${signal}).catch((reason) => reason);`);
    assert.equal(left, "left");
    assert.deepEqual(await run(`return failure(clientAt(closed).status());`), ["PriceError", "NETWORK_ERROR", 0]);
  });
});
