// The service in Hono, for any runtime: a middleware for what all routes share, and `c.json`.
import { randomUUID } from "node:crypto";
import { ERRORS } from "../../../core/http/errors.ts";
import type { ErrorCode } from "../../../core/http/errors.ts";
import { CACHING_HEADERS, COMMON_HEADERS } from "./peer_fields.ts";
import { createWork } from "./work.ts";
import type { Caller, Outcome, WorkSetup } from "./work.ts";

interface Context {
  readonly req: {
    readonly path: string;
    header(name: string): string | undefined;
    param(name: string): string;
    query(name: string): string | undefined;
  };
  set(name: "id", value: string): void;
  set(name: "caller", value: Caller): void;
  get(name: "id"): string;
  get(name: "caller"): Caller;
  header(name: string, value: string): void;
  json(data: unknown, status?: number): Response;
  body(data: null, status: number): Response;
}

interface App {
  use(handler: (c: Context, next: () => Promise<void>) => Promise<Response | void>): void;
  get(path: string, handler: (c: Context) => Response): void;
  fetch(request: Request): Response | Promise<Response>;
}

/** The parts of Hono that are used here. */
export interface HonoModule {
  readonly Hono: new () => App;
}

/** Makes the app. */
export function createHonoApp({ Hono }: HonoModule, setup: WorkSetup): App {
  const work = createWork(setup);
  const app = new Hono();

  app.use(async (c, next) => {
    const id = randomUUID();
    c.set("id", id);
    setAll(c, COMMON_HEADERS);
    c.header("X-Request-Id", id);
    const key = c.req.header("X-API-Key");
    const caller = work.caller(key);
    if (!caller) {
      c.header("WWW-Authenticate", "ApiKey");
      return fail(c, key ? "API_KEY_INVALID" : "API_KEY_MISSING");
    }
    c.set("caller", caller);
    if (work.take(caller)) return next();
    setAll(c, work.quotaHeaders(caller));
    c.header("Retry-After", "3600");
    return fail(c, "QUOTA_EXCEEDED");
  });

  function answer(c: Context, outcome: Outcome): Response {
    const caller = c.get("caller");
    if ("code" in outcome) {
      work.giveBack(caller);
      setAll(c, work.quotaHeaders(caller));
      return fail(c, outcome.code);
    }
    setAll(c, work.quotaHeaders(caller));
    setAll(c, CACHING_HEADERS);
    const tag = `"${outcome.version}"`;
    c.header("ETag", tag);
    return c.req.header("If-None-Match") === tag ? c.body(null, 304) : c.json(outcome.data);
  }

  function fail(c: Context, code: ErrorCode): Response {
    c.header("Cache-Control", "no-store");
    return c.json(work.error(code, c.req.path, c.get("id")), ERRORS[code].status);
  }

  const assets = "/api/v1/assets";
  app.get(assets, (c) => answer(c, work.all()));
  app.get(`${assets}/supported`, (c) => answer(c, work.catalog()));
  app.get(`${assets}/:code`, (c) => answer(c, work.latest(c.req.param("code"))));
  app.get(`${assets}/:code/history`, (c) => answer(c, work.history(c.req.param("code"), c.req.query("from"), c.req.query("to"))));
  app.get(`${assets}/:code/ohlc`, (c) =>
    answer(c, work.candles(c.req.param("code"), c.req.query("interval"), c.req.query("from"), c.req.query("to"))),
  );
  return app;
}

function setAll(c: Context, fields: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(fields)) c.header(name, value);
}
