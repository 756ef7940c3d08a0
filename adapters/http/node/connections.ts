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

/** The open connections. On each, one request is answered after another. */
export interface Connections {
  /** Adds a new connection, or closes it if its client has too many. */
  open(socket: Socket): void;
  /** Has a request answered when the earlier ones of its connection are, unless that ends before. */
  enqueue(request: QueuedRequest): void;
  /** Counts the memory of the connection on which a request came. */
  measure(req: IncomingMessage): void;
  /** Begins no further request; returns whether no answer has begun, so that another can be written. */
  end(socket: Duplex): boolean;
  /** Cuts what has taken too long. */
  sweep(): void;
  /** Ends each connection after the requests that it has sent. */
  drain(): void;
  /** Requests begun since the start. */
  begun(): number;
  /** `refused` are those that were closed at once, as their client had too many. */
  load(): Pick<NodeLoad, "connections" | "connectionsCut" | "waiting" | "heldBytes"> & { readonly refused: number };
  /** Closes the connections that have sent nothing yet, which Node counts as active. */
  closeUnused(): void;
}

/** A request and how to answer it. */
export interface QueuedRequest {
  readonly request: NodeRequest;
  readonly res: ServerResponse;
  /** Whether the answer may be long. */
  readonly isLong: boolean;
  /** @param isFull Tells whether the client, or all together, hold as much memory as they may. */
  readonly answer: (isFull: () => boolean) => MaybePromise<void>;
}

interface Connection extends HoldingConnection {
  readonly waiting: QueuedRequest[];
  current: QueuedRequest | undefined;
  ended: boolean;
  /** The sweep before the current request began. */
  since: number;
}

/** How long answers may take, and how much connections may ask. */
export interface ConnectionLimits extends Pick<NodeLimits, "queuedPerConnection" | "heldBytes" | "answerMs"> {
  /** Milliseconds between sweeps. */
  readonly sweepMs: number;
  /** Gives the limits of the client at an address. */
  readonly limitsOf: (address: string | undefined) => ClientLimits;
}

/** Memory of a request besides its fields. */
const REQUEST_BYTES = 2_048;
const QUEUED_WHEN_FULL = 8;

/**
 * Node starts the handlers of all pipelined requests at once, thousands from one packet. Here they wait for
 * each other, a limited number of them, and are dropped when their client leaves. Node closes idle connections and refuses
 * requests that arrive too slowly; whoever takes too long to read an answer is cut here.
 */
export function createConnections(limits: ConnectionLimits): Connections {
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
    // Node closes the connection after this answer, or the client has left: requests that wait would get no socket.
    if (!connection.socket.writable) connection.ended = true;
    while (!connection.ended && !connection.current) {
      const next = connection.waiting.shift();
      if (!next) break;
      begin(connection, next);
    }
    measure(connection);
  }

  /** A packet holds hundreds of requests, and memory is freed only with the next sweep: who brings many more when it is scarce is cut at once. */
  function mostWaiting({ client }: Connection): number {
    return held.isFull(client, true)
      ? Math.min(QUEUED_WHEN_FULL, limits.queuedPerConnection)
      : limits.queuedPerConnection;
  }

  function measure(connection: Connection): void {
    const { socket, waiting, current } = connection;
    let bytes = socket.destroyed ? 0 : socket.writableLength + (current?.request.heldBytes() ?? 0);
    for (const { request, res } of waiting) bytes += sizeOf(res.req) + request.heldBytes();
    if (bytes !== connection.heldBytes) held.update(connection, bytes, sweeps);
  }

  return {
    open(socket) {
      const { remoteAddress: address } = socket;
      const name = networkOf(address);
      let client = clients.get(name);
      if (!client) clients.set(name, (client = { connections: 0, heldBytes: 0, ...limits.limitsOf(address) }));
      if (client.connections >= client.maxConnections) {
        refused++;
        return void socket.destroy();
      }
      client.connections++;
      const connection: Connection = {
        socket,
        client,
        waiting: [],
        current: undefined,
        ended: false,
        since: sweeps,
        heldBytes: 0,
        heldSince: 0,
      };
      connections.set(socket, connection);
      socket.once("close", () => {
        connections.delete(socket);
        connection.waiting.length = 0;
        measure(connection);
        client.connections--;
        if (client.connections === 0) clients.delete(name);
      });
    },
    enqueue(request) {
      const connection = connections.get(request.res.req.socket);
      if (!connection || connection.ended) return;
      if (!connection.current) return begin(connection, request);
      if (connection.waiting.length >= mostWaiting(connection)) {
        cut.pipelined++;
        connection.ended = true;
        connection.socket.destroy();
        return;
      }
      connection.waiting.push(request);
      measure(connection);
    },
    measure({ socket }) {
      const connection = connections.get(socket);
      if (connection) measure(connection);
    },
    end(socket) {
      const connection = connections.get(socket);
      if (!connection || connection.ended) return false;
      connection.ended = true;
      return !connection.current?.res.headersSent;
    },
    sweep() {
      sweeps++;
      for (const connection of connections.values()) {
        if (connection.current && (sweeps - connection.since) * limits.sweepMs > limits.answerMs) {
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
    drain() {
      draining = true;
      for (const { current, waiting } of connections.values())
        if (current && waiting.length === 0) endAfter(current.res);
    },
    begun: () => begun,
    load() {
      let waiting = 0;
      for (const connection of connections.values()) waiting += connection.waiting.length;
      return { connections: connections.size, refused, connectionsCut: { ...cut }, waiting, heldBytes: held.total() };
    },
    closeUnused() {
      for (const { socket } of connections.values()) if (socket.bytesRead === 0) socket.destroy();
    },
  };
}

/**
 * Whether the kernel has taken the whole answer and the connection stays open, as it is when an API answers at
 * once and the client reads. Then there is no event to wait for, and listeners are most of a server's own cost.
 */
function isDone(res: ServerResponse): boolean {
  return res.writableEnded && res.writableLength === 0 && !isLast(res);
}

/** The memory of a request that waits, without its body: its target and fields. */
function sizeOf({ url = "", rawHeaders }: IncomingMessage): number {
  let bytes = REQUEST_BYTES + url.length;
  for (const part of rawHeaders) bytes += part.length;
  return bytes;
}
