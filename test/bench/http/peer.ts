// The service in a framework: Fastify with response schemas for fast serializers, or Hono with its own server.
import { loadPeer } from "../support/peers.ts";
import { createService, PATHS, type RouteName, type Service } from "./service.ts";

/** The program's argument, as JSON. */
export interface PeerSetup {
  readonly name: "fastify" | "hono";
  readonly now: number;
  readonly key: string;
  /** The folder whose `node_modules` holds the packages. */
  readonly home: string;
}

type Texts = Readonly<Record<string, string | undefined>>;
const ROUTES = (Object.keys(PATHS) as RouteName[]).map((route) => ({ route, path: `/api/v1/assets${PATHS[route]}` }));

const { name, now, key, home } = JSON.parse(process.argv[2]!) as PeerSetup;
const printUrl = (port: number): void => console.log(`http://127.0.0.1:${port}`);
await { fastify: startFastify, hono: startHono }[name](createService(now, key));

async function startFastify(service: Service): Promise<void> {
  interface Reply {
    code(status: number): Reply;
    headers(fields: Texts): Reply;
    send(data: unknown): Reply;
  }
  interface Request {
    readonly url: string;
    readonly params: Texts;
    readonly query: Texts;
    readonly headers: Texts;
  }
  interface App {
    get(path: string, options: object, handler: (request: Request, reply: Reply) => Reply): void;
    listen(options: object): Promise<string>;
    readonly server: { address(): { readonly port: number } };
  }
  const app = (loadPeer(home, "fastify") as () => App)();
  for (const { route, path } of ROUTES) {
    const schema = { response: { 200: schemaOf(service, route) } };
    app.get(path, { schema }, ({ url, params, query, headers }, reply) => {
      const request = { path: url.split("?")[0]!, code: params["code"], query, key: headers["x-api-key"] };
      const answer = service(route, request);
      return reply.code(answer.status).headers(answer.headers).send(answer.data);
    });
  }
  await app.listen({ port: 0, host: "127.0.0.1" });
  printUrl(app.server.address().port);
}

function startHono(service: Service): void {
  interface Context {
    readonly req: {
      readonly path: string;
      header(name: string): string | undefined;
      param(name: string): string | undefined;
      query(): Texts;
    };
    json(data: unknown, status: number, headers: Texts): Response;
  }
  interface App {
    get(path: string, handler: (context: Context) => Response): void;
    readonly fetch: unknown;
  }
  const { Hono } = loadPeer(home, "hono") as { readonly Hono: new () => App };
  const { serve } = loadPeer(home, "@hono/node-server") as {
    serve(options: object, ready: (info: { readonly port: number }) => void): void;
  };
  const app = new Hono();
  for (const { route, path } of ROUTES) {
    app.get(path, (c) => {
      const answer = service(route, {
        path: c.req.path,
        code: c.req.param("code"),
        query: c.req.query(),
        key: c.req.header("X-API-Key"),
      });
      return c.json(answer.data, answer.status, answer.headers);
    });
  }
  serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => printUrl(port));
}

/** The JSON schema of a route's answer, derived from an example. */
function schemaOf(service: Service, route: RouteName): object {
  const day = 86_400_000;
  const [from, to] = [now - 20 * day, now - day].map((time) => new Date(time).toISOString());
  const { data } = service(route, { path: "", key, code: "BTC_USD", query: { from, to, interval: "1h" } });
  return schemaOfValue(data);
}

function schemaOfValue(value: unknown): object {
  if (Array.isArray(value)) return { type: "array", items: schemaOfValue(value[0]) };
  if (typeof value !== "object" || value === null) return { type: typeof value };
  return {
    type: "object",
    properties: Object.fromEntries(Object.entries(value).map(([member, one]) => [member, schemaOfValue(one)])),
  };
}
