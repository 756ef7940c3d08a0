import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after } from "node:test";

/** A server on a free port of 127.0.0.1. */
export interface Started {
  readonly origin: string;
  close(): Promise<void>;
}

export async function startListener(
  listener: RequestListener,
  server: Server = createServer(),
): Promise<Started & { readonly server: Server }> {
  server.on("request", listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    server,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Serves a listener until the current test, or the file's tests, have ended; returns the origin. */
export async function serveListener(listener: RequestListener): Promise<string> {
  const { origin, close } = await startListener(listener);
  after(close);
  return origin;
}
