import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { isBodyComing } from "./framing.ts";
import { endAfter, isLast } from "./listener.ts";
import type { NodeLimits } from "./limits.ts";

/** The open connections. On each, one request is answered after another. */
export interface Connections {
  /** Adds a new connection. */
  open(socket: Duplex): void;
  /** Calls `answer` when the earlier requests of the connection have been answered, unless it ends before. */
  enqueue(socket: Duplex, res: ServerResponse, answer: () => void): void;
  /** Begins no further request; returns whether no answer has begun, so that another can be written. */
  end(socket: Duplex): boolean;
  /** Closes the connections that have sent nothing yet, which Node counts as active. */
  closeUnused(): void;
}

interface Waiting {
  readonly res: ServerResponse;
  readonly answer: () => void;
}

interface Connection {
  readonly waiting: Waiting[];
  current: ServerResponse | undefined;
  answered: number;
  ended: boolean;
  /** Bytes both ways, and the sweep that found them changed. */
  bytes: number;
  movedAt: number;
}

/** How long connections may be silent, and how much they may ask. */
export interface ConnectionLimits extends Pick<NodeLimits, "queuedPerConnection" | "requestsPerConnection" | "silenceMs"> {
  /** Milliseconds without a byte after which a connection is closed that has no request open. */
  readonly keepMs: number;
}

/** Sweeps within the shortest of the times, and at least one a second. */
const SWEEPS = 10;
/** Node refuses a request that arrives too slowly, with an answer; it checks once a second. */
const GRACE_MS = 2_000;

/**
 * Node starts the handlers of all pipelined requests at once, thousands from one packet. Here they wait for
 * each other, a limited number of them, and are dropped when their client leaves. One timer checks all
 * connections: Node's own would be set anew with each request and each packet.
 */
export function createConnections(limits: ConnectionLimits): Connections {
  const connections = new Map<Duplex, Connection>();
  const sweepMs = Math.max(1, Math.min(1_000, limits.silenceMs / SWEEPS, limits.keepMs / SWEEPS));
  let sweeps = 0;
  let timer: NodeJS.Timeout | undefined;

  function sweep(): void {
    sweeps++;
    for (const [socket, connection] of connections) {
      const { bytesRead, bytesWritten } = socket as Socket;
      const silentMs = (sweeps - connection.movedAt) * sweepMs;
      if (bytesRead + bytesWritten !== connection.bytes) {
        connection.bytes = bytesRead + bytesWritten;
        connection.movedAt = sweeps;
      } else if (connection.current ? silentMs > limits.silenceMs : connection.answered > 0 && silentMs > limits.keepMs + GRACE_MS) {
        socket.destroy();
      }
    }
    if (connections.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function begin(connection: Connection, { res, answer }: Waiting): void {
    connection.current = res;
    connection.answered++;
    if (connection.answered >= limits.requestsPerConnection) endAfter(res);
    answer();
    if (isDone(res)) connection.current = undefined;
    else res.on("close", () => continueWith(connection, res));
  }

  function continueWith(connection: Connection, { req }: ServerResponse): void {
    connection.current = undefined;
    // Node closes the connection after this answer, or the client has left: requests that wait would get no socket.
    if (!req.socket.writable) connection.ended = true;
    while (!connection.ended && !connection.current) {
      const next = connection.waiting.shift();
      if (!next) return;
      begin(connection, next);
    }
  }

  return {
    open(socket) {
      connections.set(socket, { waiting: [], current: undefined, answered: 0, ended: false, bytes: 0, movedAt: sweeps });
      timer ??= setInterval(sweep, sweepMs).unref();
      socket.once("close", () => connections.delete(socket));
      // Node takes its own listener off for CONNECT, and an error without one would end the process.
      socket.on("error", () => undefined);
    },
    enqueue(socket, res, answer) {
      const connection = connections.get(socket);
      if (!connection || connection.ended) return;
      if (!connection.current) return begin(connection, { res, answer });
      if (connection.waiting.length >= limits.queuedPerConnection) {
        connection.ended = true;
        socket.destroy();
        return;
      }
      connection.waiting.push({ res, answer });
    },
    end(socket) {
      const connection = connections.get(socket);
      if (!connection || connection.ended) return false;
      connection.ended = true;
      return !connection.current?.headersSent;
    },
    closeUnused() {
      for (const socket of connections.keys()) if ("bytesRead" in socket && socket.bytesRead === 0) socket.destroy();
    },
  };
}

/**
 * Whether the kernel has taken the whole answer and the connection stays open, as it is when an API answers at
 * once and the client reads. Then there is no event to wait for, and listeners are most of a server's own cost.
 */
export function isDone(res: ServerResponse): boolean {
  return res.writableEnded && res.writableLength === 0 && !isLast(res) && !isBodyComing(res.req);
}
