// The service in Fastify. Hooks do what all routes share, and response schemas configure its serializer.
import { randomUUID } from "node:crypto";
import { ERRORS } from "../../../core/http/errors.ts";
import type { ErrorCode } from "../../../core/http/errors.ts";
import { peersIn } from "../support/peers.ts";
import { CACHING_HEADERS, COMMON_HEADERS, readSetup, tellPort } from "./peer_fields.ts";
import { CANDLES, CATALOG, LIST, RECORD } from "./schemas.ts";
import { createWork } from "./work.ts";
import type { Caller, Outcome } from "./work.ts";

interface Request {
  readonly id: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  caller: Caller | null;
}

interface Reply {
  code(status: number): Reply;
  headers(fields: Readonly<Record<string, string>>): Reply;
  header(name: string, value: string): Reply;
  send(body?: unknown): Reply;
}

interface App {
  decorateRequest(name: string, value: null): void;
  addHook(name: "onRequest", hook: (request: Request, reply: Reply, done: () => void) => void): void;
  get(path: string, options: object, handler: (request: Request, reply: Reply) => Reply): void;
  listen(options: object): Promise<string>;
  readonly server: { address(): { readonly port: number } };
}

const setup = readSetup();
const { fastify } = peersIn(setup.home).require("fastify") as { fastify(options: object): App };
const work = createWork(setup);
const app = fastify({ genReqId: () => randomUUID() });

app.decorateRequest("caller", null);
app.addHook("onRequest", (request, reply, done) => {
  reply.headers(COMMON_HEADERS).header("X-Request-Id", request.id);
  const caller = work.caller(request.headers["x-api-key"]);
  if (!caller) {
    fail(request, reply.header("WWW-Authenticate", "ApiKey"), request.headers["x-api-key"] ? "API_KEY_INVALID" : "API_KEY_MISSING");
    return;
  }
  request.caller = caller;
  const granted = work.take(caller);
  if (granted) {
    done();
    return;
  }
  fail(request, reply.headers(work.quotaHeaders(caller)).header("Retry-After", "3600"), "QUOTA_EXCEEDED");
});

function answer(request: Request, reply: Reply, outcome: Outcome): Reply {
  const caller = request.caller!;
  if ("code" in outcome) {
    work.giveBack(caller);
    return fail(request, reply.headers(work.quotaHeaders(caller)), outcome.code);
  }
  const tag = `"${outcome.version}"`;
  reply.headers(work.quotaHeaders(caller)).headers(CACHING_HEADERS).header("ETag", tag);
  return request.headers["if-none-match"] === tag ? reply.code(304).send() : reply.send(outcome.data);
}

function fail(request: Request, reply: Reply, code: ErrorCode): Reply {
  const body = work.error(code, request.url.split("?")[0]!, request.id);
  return reply.code(ERRORS[code].status).header("Cache-Control", "no-store").send(body);
}

function schema(body: object): object {
  return { schema: { response: { 200: body } } };
}

const assets = "/api/v1/assets";
app.get(assets, schema(LIST), (request, reply) => answer(request, reply, work.all()));
app.get(`${assets}/supported`, schema(CATALOG), (request, reply) => answer(request, reply, work.catalog()));
app.get(`${assets}/:code`, schema(RECORD), (request, reply) => answer(request, reply, work.latest(request.params["code"]!)));
app.get(`${assets}/:code/history`, schema(LIST), (request, reply) =>
  answer(request, reply, work.history(request.params["code"]!, request.query["from"], request.query["to"])),
);
app.get(`${assets}/:code/ohlc`, schema(CANDLES), (request, reply) => {
  const { interval, from, to } = request.query;
  return answer(request, reply, work.candles(request.params["code"]!, interval, from, to));
});
await app.listen({ port: 0, host: "127.0.0.1" });
tellPort(app.server.address().port);
