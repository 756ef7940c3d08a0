import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { listen } from "../node/listen.ts";
import { EXPOSITION_TYPE } from "./exposition.ts";
import type { Readiness } from "./readiness.ts";

/** What the admin listener shows. */
export interface AdminPages {
  readiness(): Readiness;
  metrics(): Promise<string>;
}

/** An admin listener. */
export interface AdminServer {
  /** E.g. `http://127.0.0.1:9090`. */
  readonly url: string;
  close(): Promise<void>;
}

interface Page {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const HOST = "127.0.0.1";
const MAX_CONNECTIONS = 20;
const TIMEOUT_MS = 5_000;
/** The names of this machine. Under any other, a web page may be calling whose name was bound to this address. */
const LOCAL_NAME = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;
const TEXT = "text/plain; charset=utf-8";
const JSON_TYPE = "application/json; charset=utf-8";

/**
 * Listens on 127.0.0.1 for those who watch the server: `/livez`, `/readyz` and `/metrics`. Rejects when the port cannot be had.
 *
 * @param wanted The port: 0 asks for any free port.
 */
export async function startAdminServer(wanted: number, pages: AdminPages): Promise<AdminServer> {
  const server = createServer(
    { headersTimeout: TIMEOUT_MS, requestTimeout: TIMEOUT_MS, connectionsCheckingInterval: 1_000, maxHeaderSize: 4_096, requireHostHeader: false },
    (req, res) => void answer(req, res, pages),
  );
  server.maxConnections = MAX_CONNECTIONS;
  // Also ends whoever does not send, or does not read.
  server.setTimeout(TIMEOUT_MS, (socket) => socket.destroy());
  server.on("clientError", (_error, socket) => socket.destroy());
  const { port } = await listen(server, { host: HOST, port: wanted });
  return {
    url: `http://${HOST}:${port}`,
    async close() {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(req: IncomingMessage, res: ServerResponse, pages: AdminPages): Promise<void> {
  const { status, type, body } = await pageFor(req, pages).catch(() => textPage(500, "Something went wrong"));
  res.on("error", () => undefined);
  res.writeHead(status, {
    "Content-Type": type,
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    // Few connections are allowed: none is held for a next request.
    Connection: "close",
    ...(status === 405 && { Allow: "GET, HEAD" }),
  });
  res.end(req.method === "HEAD" ? undefined : body);
}

async function pageFor(req: IncomingMessage, pages: AdminPages): Promise<Page> {
  if (!LOCAL_NAME.test(req.headers.host ?? "")) return textPage(421, "This listener answers to localhost, 127.0.0.1 and [::1]");
  if (req.method !== "GET" && req.method !== "HEAD") return textPage(405, "This listener takes GET and HEAD");
  switch (req.url?.split("?", 1)[0]) {
    case "/livez":
      return textPage(200, "alive");
    case "/readyz": {
      const readiness = pages.readiness();
      return { status: readiness.ready ? 200 : 503, type: JSON_TYPE, body: `${JSON.stringify(readiness)}\n` };
    }
    case "/metrics":
      return { status: 200, type: EXPOSITION_TYPE, body: await pages.metrics() };
    default:
      return textPage(404, "There are /livez, /readyz and /metrics");
  }
}

function textPage(status: number, body: string): Page {
  return { status, type: TEXT, body: `${body}\n` };
}
