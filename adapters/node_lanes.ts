import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { endAfter } from "./node_http.ts";
import type { NodeLimits } from "./node_limits.ts";

/** The open connections, each a lane on which one request is answered after another. */
export interface Lanes {
  /** Adds a new connection. */
  open(socket: Duplex): void;
  /** Lets a request begin when the earlier ones of the connection have been answered, unless it ends before. */
  enter(socket: Duplex, res: ServerResponse, turn: Turn): void;
  /** Lets nothing more enter; tells whether no answer has begun, so that another can be written. */
  end(socket: Duplex): boolean;
  /** Closes the connections on which nothing was ever sent: the server takes them for busy. */
  closeUnused(): void;
}

/** What to do with a request. */
export interface Turn {
  /** Answers it. */
  begin(): void;
  /** Called after that, when its answer has been sent or its connection has ended. */
  closed(): void;
}

interface Entry {
  readonly res: ServerResponse;
  readonly turn: Turn;
}

interface Lane {
  readonly waiting: Entry[];
  current: ServerResponse | undefined;
  answered: number;
  ended: boolean;
}

/**
 * Node starts the handlers of all pipelined requests at once, thousands from one packet. Here they
 * wait for each other, a limited number of them, and are dropped when their client leaves.
 */
export function createLanes(limits: Pick<NodeLimits, "queuedPerConnection" | "requestsPerConnection">): Lanes {
  const lanes = new Map<Duplex, Lane>();

  function begin(lane: Lane, { res, turn }: Entry): void {
    lane.current = res;
    lane.answered++;
    if (lane.answered >= limits.requestsPerConnection) endAfter(res);
    res.on("close", () => {
      turn.closed();
      lane.current = undefined;
      // Node has begun to close the connection if this answer was its last, for whatever reason, or
      // the client has left: what waits gets no socket to write to, and would never be done.
      if (!res.req.socket.writable) lane.ended = true;
      if (lane.ended) return;
      const next = lane.waiting.shift();
      if (next) begin(lane, next);
    });
    turn.begin();
  }

  return {
    open(socket) {
      lanes.set(socket, { waiting: [], current: undefined, answered: 0, ended: false });
      socket.once("close", () => lanes.delete(socket));
    },
    enter(socket, res, turn) {
      const lane = lanes.get(socket);
      if (!lane || lane.ended) return;
      if (!lane.current) return begin(lane, { res, turn });
      if (lane.waiting.length >= limits.queuedPerConnection) {
        lane.ended = true;
        socket.destroy();
        return;
      }
      lane.waiting.push({ res, turn });
    },
    end(socket) {
      const lane = lanes.get(socket);
      if (!lane || lane.ended) return false;
      lane.ended = true;
      return !lane.current?.headersSent;
    },
    closeUnused() {
      for (const socket of lanes.keys()) if ("bytesRead" in socket && socket.bytesRead === 0) socket.destroy();
    },
  };
}
