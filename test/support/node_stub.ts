import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import type { TestContext } from "node:test";
import type { NodeServer, NodeServerOptions } from "../../adapters/http/node/mod.ts";
import { createNodeServer } from "../../adapters/http/node/server.ts";
import { nodeSha256 } from "../../adapters/http/node/sha256.ts";
import { createMemoryStore } from "../../adapters/stores/memory_store.ts";
import type { UtcMillis } from "../../core/branded_types.ts";
import {
  type Api,
  type ApiFunction,
  type ApiOptions,
  type ApiRequest,
  type ApiResponse,
  createApi,
} from "../../core/mod.ts";
import { connectRaw, type RawConnection, type RawOptions, type Reply } from "./raw_http.ts";

export { until } from "./wait_until.ts";

/** 2026-01-31T12:00:00Z: the clock of the servers under test. */
export const NOW = Date.UTC(2026, 0, 31, 12) as UtcMillis;

/** The settings of a server, and of the answers that the server makes itself. */
export type StubOptions = NodeServerOptions & Pick<ApiOptions, "cors" | "onError">;

/** An API that answers with `answer`. Refusals have the time and the request id of the tests. */
export function stubApi(answer: ApiFunction, options: Pick<ApiOptions, "cors" | "onError"> = {}): Api {
  const { refuse, fail, routeOf } = createApi({
    clock: () => NOW,
    requestIds: () => "req_test",
    sha256: nodeSha256,
    ...createMemoryStore(),
    ...options,
  });
  return Object.assign((request: ApiRequest) => answer(request), { refuse, fail, routeOf });
}

/** Time limits that no client exceeds, even on a busy machine. A test of a limit sets its own value. */
const PATIENT = { headersMs: 3_600_000, requestMs: 3_600_000, answerMs: 3_600_000, drainMs: 3_600_000, waitMs: 60_000 };

/** A server for `answer` on a free port, with predictable request ids, that waits long for its clients. */
export async function startServer(
  answer: ApiFunction,
  options: StubOptions = {},
): Promise<{ origin: string; server: NodeServer; close(): Promise<void> }> {
  const limits = { ...PATIENT, ...options.limits };
  const server = createNodeServer(stubApi(answer, options), { ...options, limits });
  const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
  return { origin: `http://127.0.0.1:${port}`, server, close: () => server.close() };
}

/** A server that counts its requests. When the test ends, the server and the clients from `connect` are closed. */
export async function startCounted(
  t: TestContext,
  api: ApiFunction = async () => plain("well"),
  options: StubOptions = {},
) {
  const seen: string[] = [];
  const counted: ApiFunction = (request) => {
    seen.push(request.target);
    return api(request);
  };
  const { origin, server } = await startServer(counted, options);
  const connections: RawConnection[] = [];
  t.after(() => {
    // Closes the connections first, because the server would wait for requests on open connections.
    for (const connection of connections) connection.destroy();
    return server.close();
  });
  const connect = (how?: RawOptions): RawConnection => {
    const connection = connectRaw(origin, how);
    connections.push(connection);
    return connection;
  };
  return { origin, server, seen, connect };
}

/** Asserts that an answer is an error in the contract's shape, made by the server itself. */
export function assertRefusal(reply: Reply, status: number, code: string, { path = "/a" } = {}): void {
  const { message, ...body } = JSON.parse(reply.body.toString()) as Record<string, unknown>;
  assert.deepEqual(body, { status, code, timestamp: "2026-01-31T12:00:00.000Z", path, requestId: "req_test" });
  assert.ok(typeof message === "string" && message !== "", "a text is wanted");
  assert.equal(reply.status, status);
  assert.equal(reply.headers.get("x-request-id"), "req_test");
  assert.equal(reply.headers.get("cache-control"), "no-store");
  assert.equal(reply.headers.get("content-type"), "application/json; charset=utf-8");
  assert.equal(reply.headers.has("date"), true);
}

/** A plain answer. */
export function plain(body: string, status = 200): ApiResponse {
  return { status, headers: ["Content-Type", "text/plain"], body };
}

/** A promise that the test settles, to delay requests without a timer. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

/** Whether a server no longer listens. */
export async function refusesConnections(origin: string): Promise<boolean> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  const isRefused = await once(socket, "connect").then(
    () => false,
    () => true,
  );
  socket.destroy();
  return isRefused;
}
