import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { isBodyComing } from "./framing.ts";
import { endAfter } from "./listener.ts";
import type { NodeLimits } from "./limits.ts";

/** The open connections, each a lane on which one request is answered after another. */
export interface Lanes {
  /** Adds a new connection. */
  open(socket: Duplex): void;
  /** Calls `answer` when the earlier requests of the connection have been answered, unless it ends before. */
  enter(socket: Duplex, res: ServerResponse, answer: () => void): void;
  /** Lets nothing more enter; tells whether no answer has begun, so that another can be written. */
  end(socket: Duplex): boolean;
  /** Closes the connections on which nothing was ever sent: the server takes them for busy. */
  closeUnused(): void;
}

interface Turn {
  readonly res: ServerResponse;
  readonly answer: () => void;
}

interface Lane {
  readonly waiting: Turn[];
  current: ServerResponse | undefined;
  answered: number;
  ended: boolean;
  /** Bytes that had gone either way, and the beat in which they were found to be more than before. */
  bytes: number;
  movedAt: number;
}

/** How long connections may be silent, and how much they may ask. */
export interface LaneLimits extends Pick<NodeLimits, "queuedPerConnection" | "requestsPerConnection" | "silenceMs"> {
  /** Milliseconds without a byte after which a connection is closed that has no request open. */
  readonly keepMs: number;
}

/** Silence is looked for so often in the time allowed, and at least once a second. */
const BEATS = 10;
/** A request that has begun to arrive is Node's to refuse, with an answer; it looks once a second. */
const GRACE_MS = 2_000;

/**
 * Node starts the handlers of all pipelined requests at once, thousands from one packet. Here they
 * wait for each other, a limited number of them, and are dropped when their client leaves.
 */
export function createLanes(limits: LaneLimits): Lanes {
  const lanes = new Map<Duplex, Lane>();
  const beatMs = Math.max(1, Math.min(1_000, limits.silenceMs / BEATS, limits.keepMs / BEATS));
  let beat = 0;
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    beat++;
    for (const [socket, lane] of lanes) {
      const { bytesRead, bytesWritten } = socket as Socket;
      const silentMs = (beat - lane.movedAt) * beatMs;
      if (bytesRead + bytesWritten !== lane.bytes) {
        lane.bytes = bytesRead + bytesWritten;
        lane.movedAt = beat;
      } else if (lane.current ? silentMs > limits.silenceMs : lane.answered > 0 && silentMs > limits.keepMs + GRACE_MS) {
        socket.destroy();
      }
    }
    if (lanes.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function begin(lane: Lane, { res, answer }: Turn): void {
    lane.current = res;
    lane.answered++;
    if (lane.answered >= limits.requestsPerConnection) endAfter(res);
    answer();
    if (isDone(res)) lane.current = undefined;
    else res.on("close", () => goOn(lane, res));
  }

  function goOn(lane: Lane, { req }: ServerResponse): void {
    lane.current = undefined;
    // Node has begun to close the connection if this answer was its last, for whatever reason, or
    // the client has left: what waits gets no socket to write to, and would never be done.
    if (!req.socket.writable) lane.ended = true;
    while (!lane.ended && !lane.current) {
      const next = lane.waiting.shift();
      if (!next) return;
      begin(lane, next);
    }
  }

  return {
    open(socket) {
      lanes.set(socket, { waiting: [], current: undefined, answered: 0, ended: false, bytes: 0, movedAt: beat });
      timer ??= setInterval(look, beatMs).unref();
      socket.once("close", () => lanes.delete(socket));
    },
    enter(socket, res, answer) {
      const lane = lanes.get(socket);
      if (!lane || lane.ended) return;
      if (!lane.current) return begin(lane, { res, answer });
      if (lane.waiting.length >= limits.queuedPerConnection) {
        lane.ended = true;
        socket.destroy();
        return;
      }
      lane.waiting.push({ res, answer });
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

/**
 * Whether an answer is with the kernel already, to the last byte, and its connection goes on: so it is when an
 * API answers at once and the client reads. Then nothing has to be waited for, which is what most of a server's
 * own time would be spent on.
 */
export function isDone(res: ServerResponse): boolean {
  const isLast = !res.shouldKeepAlive || res.getHeader("connection") !== undefined;
  return res.writableEnded && res.writableLength === 0 && !isLast && !isBodyComing(res.req);
}
