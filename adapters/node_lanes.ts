import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { endAfter } from "./node_http.ts";
import type { NodeLimits } from "./node_limits.ts";

/** The open connections, each a lane on which one request is answered after another. */
export interface Lanes {
  /** Adds a new connection. */
  open(socket: Duplex): void;
  /** Calls `run` when the earlier requests of the connection have been answered, unless it ends before. */
  enter(socket: Duplex, res: ServerResponse, run: () => void): void;
  /** Lets nothing more enter; tells whether no answer has begun, so that another can be written. */
  end(socket: Duplex): boolean;
  /** Closes the connections on which nothing was ever sent: the server takes them for busy. */
  closeUnused(): void;
}

interface Turn {
  readonly res: ServerResponse;
  readonly run: () => void;
}

interface Lane {
  readonly waiting: Turn[];
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

  function next(lane: Lane): void {
    const turn = lane.waiting.shift();
    lane.current = turn?.res;
    if (!turn) return;
    const { res, run } = turn;
    lane.answered++;
    if (lane.answered >= limits.requestsPerConnection) endAfter(res);
    res.once("close", () => {
      // Node has begun to close the connection if this answer was its last, for whatever reason, or
      // the client has left: what waits gets no socket to write to, and would never be done.
      if (!res.req.socket.writable) lane.ended = true;
      if (!lane.ended) next(lane);
    });
    run();
  }

  return {
    open(socket) {
      lanes.set(socket, { waiting: [], current: undefined, answered: 0, ended: false });
      socket.once("close", () => lanes.delete(socket));
    },
    enter(socket, res, run) {
      const lane = lanes.get(socket);
      if (!lane || lane.ended) return;
      if (lane.waiting.length >= limits.queuedPerConnection) {
        lane.ended = true;
        socket.destroy();
        return;
      }
      lane.waiting.push({ res, run });
      if (!lane.current) next(lane);
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
