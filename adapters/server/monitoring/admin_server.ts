import { createServer, type Server } from "node:http";
import type { Socket } from "node:net";
import type { ApiRequest, ApiResponse } from "../../../core/mod.ts";
import { listen } from "../../http/node/listen_on_address.ts";
import { nodeListener } from "../../http/node/mod.ts";
import { ADMIN_POLICY, adminPage, PAUSED, REFRESH_SECONDS } from "./admin_page.ts";
import type { Operations } from "./monitoring.ts";
import { EXPOSITION_TYPE } from "./prometheus_text.ts";

/** The content of the admin listener. */
export type AdminPages = Pick<Operations, "readiness" | "metrics" | "overview">;

const HOST = "127.0.0.1";
const MAX_CONNECTIONS = 20;
const TIMEOUT_MS = 5_000;
/** The allowed values of `Host`. A foreign web site may have a name that it lets resolve to 127.0.0.1. */
const LOCAL_NAME = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;
const TEXT = "text/plain; charset=utf-8";
const JSON_TYPE = "application/json; charset=utf-8";

/**
 * Listens on 127.0.0.1 for operators. Serves a page at `/`, and `/livez`, `/readyz` and `/metrics`. Rejects if the port
 * is not available.
 *
 * @param wanted The port, or 0 for any free port.
 */
export async function startAdminServer(wanted: number, pages: AdminPages) {
  const listener = nodeListener((request) => pageFor(request, pages));
  const server = createServer(
    {
      headersTimeout: TIMEOUT_MS,
      requestTimeout: TIMEOUT_MS,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 4_096,
      requireHostHeader: false,
    },
    // Connections are not kept alive, because only a few are allowed.
    (req, res) => listener(req, res.setHeader("Connection", "close")),
  );
  limitConnections(server);
  // The timeout also closes a connection whose client does not read.
  server.setTimeout(TIMEOUT_MS, (socket) => socket.destroy());
  server.on("clientError", (_error, socket) => socket.destroy());
  const { port } = await listen(server, { host: HOST, port: wanted });
  return {
    /** E.g. `http://127.0.0.1:9090`. */
    url: `http://${HOST}:${port}`,
    async close(): Promise<void> {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * Limits the number of connections, so that silent connections cannot block the listener. Above the limit, closes the
 * connection that has been silent for the longest time, which may be the new one.
 */
function limitConnections(server: Server): void {
  const open = new Set<Socket>();
  const silent = new Set<Socket>();
  const forget = (socket: Socket): boolean => open.delete(socket) && silent.delete(socket);
  server.on("request", ({ socket }) => silent.delete(socket));
  server.on("connection", (socket) => {
    open.add(socket);
    silent.add(socket);
    socket.once("close", () => forget(socket));
    const [oldest] = silent;
    if (open.size <= MAX_CONNECTIONS || !oldest) return;
    // The connection closes later, but is not counted from now on.
    forget(oldest);
    oldest.destroy();
  });
}

async function pageFor({ method, target, headers }: ApiRequest, pages: AdminPages): Promise<ApiResponse> {
  if (!LOCAL_NAME.test(headers.get("host") ?? ""))
    return textPage(421, "This listener answers to localhost, 127.0.0.1 and [::1]");
  if (method !== "GET" && method !== "HEAD")
    return textPage(405, "This listener accepts GET and HEAD", ["Allow", "GET, HEAD"]);
  const [path, query] = target.split("?");
  switch (path) {
    case "/":
      return page(200, "text/html; charset=utf-8", adminPage(await pages.overview(), query === PAUSED), [
        "Content-Security-Policy",
        ADMIN_POLICY,
        "Referrer-Policy",
        "no-referrer",
        ...(query === PAUSED ? [] : ["Refresh", String(REFRESH_SECONDS)]),
      ]);
    case "/livez":
      return textPage(200, "alive");
    case "/readyz": {
      const readiness = pages.readiness();
      return page(readiness.ready ? 200 : 503, JSON_TYPE, `${JSON.stringify(readiness)}\n`);
    }
    case "/metrics":
      return page(200, EXPOSITION_TYPE, await pages.metrics());
    default:
      return textPage(404, "The paths are /, /livez, /readyz and /metrics");
  }
}

function textPage(status: number, text: string, fields?: readonly string[]): ApiResponse {
  return page(status, TEXT, `${text}\n`, fields);
}

function page(status: number, type: string, body: string, fields: readonly string[] = []): ApiResponse {
  return {
    status,
    headers: ["Content-Type", type, "Cache-Control", "no-store", "X-Content-Type-Options", "nosniff", ...fields],
    body,
  };
}
