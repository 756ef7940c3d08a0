import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { after } from "../../../core/internal.ts";
import type { MaybePromise } from "../../../core/mod.ts";
import { endAfter, isLast } from "./answer_request.ts";
import { type Client, createHeldBytes, type HoldingConnection } from "./bytes_held_by_client.ts";
import { networkOf } from "./client_addresses.ts";
import type { NodeLimits } from "./connection_limits.ts";
import type { NodeRequest } from "./node_request.ts";
import type { NodeLoad } from "./server_load.ts";
import type { ClientLimits } from "./server_options.ts";

/** A request, and the function that answers it. */
export interface QueuedRequest {
  readonly request: NodeRequest;
  readonly res: ServerResponse;
  /** Whether the answer may be long. */
  readonly isLong: boolean;
  /** @param isFull Whether this client, or all clients together, have reached the memory limit. */
  readonly answer: (isFull: () => boolean) => MaybePromise<void>;
}

interface Connection extends HoldingConnection {
  readonly waiting: QueuedRequest[];
  current: QueuedRequest | undefined;
  ended: boolean;
  /** The sequence number of the last sweep before the current request began. */
  since: number;
}

/** The open connections; each answers one request after another. */
export type Connections = ReturnType<typeof createConnections>;

/** The time between sweeps. */
export const SWEEP_MS = 1_000;
/** The memory of a waiting request, not counting its header fields. */
const REQUEST_BYTES = 2_048;
const QUEUED_WHEN_FULL = 8;

/**
 * Makes the set of connections. Node starts the handlers of all pipelined requests at once: thousands from one packet.
 * This code queues a limited number of pipelined requests, and drops them when their client leaves. Node closes idle
 * connections and refuses requests that arrive too slowly; this code cuts clients that read too slowly.
 *
 * @param limitsOf Returns the limits of the client at an address.
 */
export function createConnections(limits: NodeLimits, limitsOf: (address: string | undefined) => ClientLimits) {
  const clients = new Map<string, Client>();
  const connections = new Map<Duplex, Connection>();
  const held = createHeldBytes(limits.heldBytes);
  let sweeps = 0;
  let begun = 0;
  let refused = 0;
  const cut = { pipelined: 0, slow: 0, memory: 0 };
  let draining = false;

  function begin(connection: Connection, queued: QueuedRequest): void {
    const { request, res, isLong, answer } = queued;
    begun++;
    connection.current = queued;
    connection.since = sweeps;
    if (draining && connection.waiting.length === 0) endAfter(res);
    const answered = answer(() => held.isFull(connection.client, isLong));
    const hasBody = request.heldBytes() > 0;
    if (!hasBody && isDone(res)) return void (connection.current = undefined);
    if (hasBody) measure(connection);
    res.on("close", () => continueWith(connection));
    void after(answered, () => measure(connection));
  }

  function continueWith(connection: Connection): void {
    connection.current = undefined;
    // The connection closes after this answer, or the client has left, so waiting requests would have no socket.
    if (!connection.socket.writable) connection.ended = true;
    while (!connection.ended && !connection.current) {
      const next = connection.waiting.shift();
      if (!next) break;
      begin(connection, next);
    }
    measure(connection);
  }

  /** If memory is scarce, fewer requests may wait: one packet can contain hundreds, and only a sweep frees memory. */
  function maxWaiting({ client }: Connection): number {
    return Math.min(limits.queuedPerConnection, held.isFull(client, true) ? QUEUED_WHEN_FULL : Infinity);
  }

  function measure(connection: Connection): void {
    const { socket, waiting, current } = connection;
    let bytes = socket.destroyed ? 0 : socket.writableLength + (current?.request.heldBytes() ?? 0);
    for (const { request, res } of waiting) bytes += sizeOf(res.req) + request.heldBytes();
    if (bytes !== connection.heldBytes) held.update(connection, bytes, sweeps);
  }

  return {
    /** Adds a new connection, or closes it if its client has too many. */
    open(socket: Socket): void {
      const { remoteAddress: address } = socket;
      const name = networkOf(address);
      let client = clients.get(name);
      if (!client) clients.set(name, (client = { connections: 0, heldBytes: 0, ...limitsOf(address) }));
      if (client.connections >= client.maxConnections) {
        refused++;
        return void socket.destroy();
      }
      client.connections++;
      const unused = { waiting: [], current: undefined, ended: false, heldBytes: 0, heldSince: 0 };
      const connection: Connection = { socket, client, since: sweeps, ...unused };
      connections.set(socket, connection);
      socket.once("close", () => {
        connections.delete(socket);
        connection.waiting.length = 0;
        measure(connection);
        client.connections--;
        if (client.connections === 0) clients.delete(name);
      });
    },
    /** Answers a request after all earlier requests on its connection, unless the connection ends first. */
    enqueue(request: QueuedRequest): void {
      const connection = connections.get(request.res.req.socket);
      if (!connection || connection.ended) return;
      if (!connection.current) begin(connection, request);
      else if (connection.waiting.length < maxWaiting(connection)) {
        connection.waiting.push(request);
        measure(connection);
      } else {
        cut.pipelined++;
        connection.ended = true;
        connection.socket.destroy();
      }
    },
    /** Measures the memory of a request's connection. */
    measure({ socket }: IncomingMessage): void {
      const connection = connections.get(socket);
      if (connection) measure(connection);
    },
    /** Prevents further requests. Returns `true` if the current answer has not begun, so that a refusal can be sent. */
    end(socket: Duplex): boolean {
      const connection = connections.get(socket);
      if (!connection || connection.ended) return false;
      connection.ended = true;
      return !connection.current?.res.headersSent;
    },
    /** Cuts connections that are too slow or hold too much memory. */
    sweep(): void {
      sweeps++;
      for (const connection of connections.values()) {
        if (connection.current && (sweeps - connection.since) * SWEEP_MS > limits.answerMs) {
          cut.slow++;
          connection.socket.destroy();
        }
        if (connection.heldBytes > 0) measure(connection);
      }
      for (const { socket } of held.takeSlowest(sweeps)) {
        cut.memory++;
        socket.destroy();
      }
    },
    /** Ends each connection once the requests sent on it are answered. */
    drain(): void {
      draining = true;
      for (const { current, waiting } of connections.values())
        if (current && waiting.length === 0) endAfter(current.res);
    },
    /** The number of requests begun since the server started. */
    begun: () => begun,
    /** `refused` counts the connections that were closed at once, because their client had too many. */
    load(): Pick<NodeLoad, "connections" | "connectionsCut" | "waiting" | "heldBytes"> & { readonly refused: number } {
      let waiting = 0;
      for (const connection of connections.values()) waiting += connection.waiting.length;
      return { connections: connections.size, refused, connectionsCut: { ...cut }, waiting, heldBytes: held.total() };
    },
    /** Closes the connections that have sent nothing yet, which Node counts as active. */
    closeUnused(): void {
      for (const { socket } of connections.values()) if (socket.bytesRead === 0) socket.destroy();
    },
  };
}

/** Whether the kernel has the whole answer and the connection stays open, so that no costly listeners are needed. */
function isDone(res: ServerResponse): boolean {
  return res.writableEnded && res.writableLength === 0 && !isLast(res);
}

/** The memory of a waiting request, without its body. */
function sizeOf({ url = "", rawHeaders }: IncomingMessage): number {
  let bytes = REQUEST_BYTES + url.length;
  for (const part of rawHeaders) bytes += part.length;
  return bytes;
}
