// Serves the API under /prices in apps made with the packages of host_packages.json, and asks each. Prints one line of JSON: for
// each host what it answered. Run by hosts.nightly.ts, in a folder that has the packages.
import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import { serve } from "@hono/node-server";
import compression from "compression";
import express from "express";
import session from "express-session";
import Fastify from "fastify";
import { Hono } from "hono";
import Koa from "koa";
import { createApi, createIngest, createKey } from "mazaneh";
import { fetchHandler } from "mazaneh/fetch";
import { createMemoryStore } from "mazaneh/memory-store";
import { nodeListener, nodeSystem } from "mazaneh/node";
import morgan from "morgan";
import mocks from "node-mocks-http";
import responseTime from "response-time";
import serverless from "serverless-http";

const BASE = { basePath: "/prices" };
const USD = "/prices/api/v1/assets/USD_RLS";
const store = createMemoryStore();
await createIngest({ ...nodeSystem, ...store })([
  { code: "USD_RLS", value: 1_905_000, businessTime: new Date(Date.now() - 60_000) },
]);
const api = createApi({ ...nodeSystem, ...store });
const prices = nodeListener(api, BASE);
const today = new Date().toISOString().slice(0, 10);

const withExpress = (middleware) => async () => {
  const app = express();
  app.use(middleware);
  app.all("/prices/*path", prices);
  return listening(createServer(app));
};
const HOSTS = {
  "node:http": () => listening(createServer(prices)),
  express: withExpress((_req, _res, next) => next()),
  compression: withExpress(compression({ threshold: 0 })),
  morgan: withExpress(morgan("tiny", { stream: { write: () => undefined } })),
  "express-session": withExpress(session({ secret: "x", resave: false, saveUninitialized: true })),
  "response-time": withExpress(responseTime()),
  "express.json": withExpress(express.json()),
  "express mount": () => {
    const app = express();
    app.use("/prices", nodeListener(api));
    return listening(createServer(app));
  },
  fastify: async () => {
    const app = Fastify();
    app.register(
      async (scope) => {
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser("*", (_request, _body, done) => done(null));
        scope.all("/*", (request, reply) => {
          reply.hijack();
          prices(request.raw, reply.raw);
        });
      },
      { prefix: "/prices" },
    );
    await app.ready();
    return listening(app.server);
  },
  koa: () => {
    const app = new Koa();
    app.use((ctx) => {
      ctx.respond = false;
      prices(ctx.req, ctx.res);
    });
    return listening(createServer(app.callback()));
  },
  hono: async () => {
    const app = new Hono();
    const handle = fetchHandler(api, BASE);
    app.all("/prices/*", (c) => handle(c.req.raw));
    return listening(serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }));
  },
  "serverless-http": () => invoking(serverless(prices)),
  "express in serverless-http": () => {
    const app = express();
    app.disable("x-powered-by").use(prices);
    return invoking(serverless(app));
  },
  "node-mocks-http": () => ({ ask: askMocks, close: () => undefined }),
};

async function listening(server) {
  if (!server.listening) await once(server.listen(0, "127.0.0.1"), "listening");
  const ask = async (path, init) => {
    const answer = await fetch(`http://127.0.0.1:${server.address().port}${path}`, init);
    return { status: answer.status, fields: Object.fromEntries(answer.headers), body: await answer.text() };
  };
  return { ask, close: () => server.close().closeAllConnections() };
}

/** Calls a function as Amazon's gateway does. */
function invoking(handler) {
  const ask = async (path, { method = "GET", headers = {}, body }) => {
    const http = { method, path, sourceIp: "127.0.0.1" };
    const event = { version: "2.0", rawPath: path, rawQueryString: "", headers, requestContext: { http }, body };
    const answer = await handler(event, {});
    return { status: answer.statusCode, fields: answer.headers, body: answer.body };
  };
  return { ask, close: () => undefined };
}

async function askMocks(url, { method = "GET", headers = {}, body }) {
  const req = mocks.createRequest({ method, url, headers, body: body && JSON.parse(body) });
  const res = mocks.createResponse({ eventEmitter: EventEmitter, req });
  const ended = once(res, "end");
  prices(req, res);
  await ended;
  return {
    status: res._getStatusCode(),
    fields: res._getHeaders(),
    body: res._getBuffer().toString() || res._getData(),
  };
}

const answers = {};
for (const [name, open] of Object.entries(HOSTS)) {
  const key = { "x-api-key": await createKey(store.accounts, nodeSystem, name.replaceAll(/\W/g, "-")) };
  const { ask, close } = await open();
  const post = {
    method: "POST",
    headers: { ...key, "content-type": "application/json" },
    body: JSON.stringify({ fromDate: today, toDate: today }),
  };
  answers[name] = [];
  for (const [path, init] of [
    [USD, { headers: key }],
    [USD, post],
    [`${USD}/2026-02-30`, { headers: key }],
    [USD, {}],
    [`${USD}/`, { headers: key }],
  ]) {
    const { status, fields, body } = await ask(path, init);
    const { labelFa, path: named } = [JSON.parse(body)].flat()[0] ?? {};
    answers[name].push([status, fields["content-type"], labelFa ?? named, fields["x-ratelimit-remaining"]]);
  }
  close();
}
console.log(JSON.stringify(answers));
process.exit();
