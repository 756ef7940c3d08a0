// The service in Express. One middleware does what all routes share.
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { ERRORS } from "../../../core/http/errors.ts";
import type { ErrorCode } from "../../../core/http/errors.ts";
import { peersIn } from "../support/peers.ts";
import { CACHING_HEADERS, COMMON_HEADERS, readSetup, tellPort } from "./peer_fields.ts";
import { createWork } from "./work.ts";
import type { Caller, Outcome } from "./work.ts";

interface Request {
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  get(field: string): string | undefined;
}

interface Response {
  readonly locals: { id: string; caller: Caller };
  status(code: number): Response;
  set(fields: Readonly<Record<string, string>>): Response;
  json(body: unknown): void;
  end(): void;
}

interface App {
  disable(setting: string): void;
  use(handler: (req: Request, res: Response, next: () => void) => void): void;
  get(path: string, handler: (req: Request, res: Response) => void): void;
  listen(port: number, host: string, ready: () => void): { address(): AddressInfo };
}

const setup = readSetup();
const express = peersIn(setup.home).require("express") as () => App;
const work = createWork(setup);
const app = express();
app.disable("x-powered-by");

app.use((req, res, next) => {
  res.locals.id = randomUUID();
  res.set(COMMON_HEADERS).set({ "X-Request-Id": res.locals.id });
  const key = req.get("x-api-key");
  const caller = work.caller(key);
  if (!caller) {
    fail(req, res.set({ "WWW-Authenticate": "ApiKey" }), key ? "API_KEY_INVALID" : "API_KEY_MISSING");
    return;
  }
  res.locals.caller = caller;
  if (work.take(caller)) next();
  else fail(req, res.set({ ...work.quotaHeaders(caller), "Retry-After": "3600" }), "QUOTA_EXCEEDED");
});

function answer(req: Request, res: Response, outcome: Outcome): void {
  const { caller } = res.locals;
  if ("code" in outcome) {
    work.giveBack(caller);
    fail(req, res.set(work.quotaHeaders(caller)), outcome.code);
    return;
  }
  const tag = `"${outcome.version}"`;
  res.set(work.quotaHeaders(caller)).set(CACHING_HEADERS).set({ ETag: tag });
  if (req.get("if-none-match") === tag) res.status(304).end();
  else res.json(outcome.data);
}

function fail(req: Request, res: Response, code: ErrorCode): void {
  res.status(ERRORS[code].status).set({ "Cache-Control": "no-store" }).json(work.error(code, req.path, res.locals.id));
}

const assets = "/api/v1/assets";
app.get(assets, (req, res) => answer(req, res, work.all()));
app.get(`${assets}/supported`, (req, res) => answer(req, res, work.catalog()));
app.get(`${assets}/:code`, (req, res) => answer(req, res, work.latest(req.params["code"]!)));
app.get(`${assets}/:code/history`, (req, res) => answer(req, res, work.history(req.params["code"]!, req.query["from"], req.query["to"])));
app.get(`${assets}/:code/ohlc`, (req, res) => {
  const { interval, from, to } = req.query;
  answer(req, res, work.candles(req.params["code"]!, interval, from, to));
});
const server = app.listen(0, "127.0.0.1", () => tellPort(server.address().port));
