import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { type Started, startListener } from "./serve_listener.ts";

type Handler = (request: Request) => Response | Promise<Response>;

/** Serves a fetch handler on a free port of 127.0.0.1, as a runtime would. Only for tests. */
export function serveFetch(handle: Handler): Promise<Started> {
  return startListener((req, res) => void pass(handle, req, res));
}

async function pass(handle: Handler, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const headers = new Headers();
  for (let i = 0; i + 1 < req.rawHeaders.length; i += 2) headers.append(req.rawHeaders[i]!, req.rawHeaders[i + 1]!);
  const method = req.method ?? "GET";
  const hasBody = method !== "GET" && method !== "HEAD";
  const body = hasBody ? { body: Readable.toWeb(req), duplex: "half" as const } : {};
  const response = await handle(new Request(`http://${req.headers.host}${req.url}`, { method, headers, ...body }));
  res.writeHead(response.status, [...response.headers].flat());
  res.end(response.body ? new Uint8Array(await response.arrayBuffer()) : undefined);
}
