import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";

/** Serves a fetch handler on a free port of 127.0.0.1, as a runtime would. Only for tests. */
export async function serveFetch(
  handle: (request: Request) => Response | Promise<Response>,
): Promise<{ origin: string; close(): Promise<void> }> {
  const server = createServer((req, res) => void pass(handle, req, res));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function pass(
  handle: (request: Request) => Response | Promise<Response>,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const headers = new Headers();
  for (let i = 0; i + 1 < req.rawHeaders.length; i += 2) headers.append(req.rawHeaders[i]!, req.rawHeaders[i + 1]!);
  const method = req.method ?? "GET";
  const hasBody = method !== "GET" && method !== "HEAD";
  const body = hasBody ? { body: Readable.toWeb(req), duplex: "half" as const } : {};
  const response = await handle(new Request(`http://${req.headers.host}${req.url}`, { method, headers, ...body }));
  res.writeHead(response.status, [...response.headers].flat());
  res.end(response.body ? new Uint8Array(await response.arrayBuffer()) : undefined);
}
