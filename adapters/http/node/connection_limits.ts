import { readFileSync } from "node:fs";

/** Limits of a server for its clients. All are whole numbers from 1. */
export interface NodeLimits {
  /** Open connections; further ones are closed at once. At most the system's limit of open files, minus a reserve. */
  readonly connections: number;
  /**
   * Open connections of one client: an IPv4 address, or the /64 network of an IPv6 address. Unless you set this limit,
   * it does not apply to proxies and to this machine, because they may serve many users.
   */
  readonly connectionsPerAddress: number;
  /** Requests in progress with a key. The same limit applies to requests without a key. Further ones get 503. */
  readonly requests: number;
  /** Pipelined requests that may wait on a connection (8 if memory is scarce). Above that, the connection is cut. */
  readonly queuedPerConnection: number;
  /**
   * Bytes of unread answers and waiting requests of all clients. Above half of this limit, candle requests get 503 and
   * the slowest connections are cut. Above the limit, every request gets 503.
   */
  readonly heldBytes: number;
  /** `heldBytes` for one client: above the limit, its requests get 503. Applies like `connectionsPerAddress`. */
  readonly heldBytesPerAddress: number;
  /** Milliseconds until all header fields must have arrived; otherwise 408. */
  readonly headersMs: number;
  /** Milliseconds until the whole request must have arrived; otherwise 408. */
  readonly requestMs: number;
  /** Milliseconds that a candle request may wait while many others wait for a database; after that, 503. */
  readonly waitMs: number;
  /** Milliseconds from the start of a request to the last byte of its answer. After that the connection is cut. */
  readonly answerMs: number;
  /** Milliseconds that a closing server waits for open requests. */
  readonly drainMs: number;
}

/** The default limits. */
export const DEFAULT_LIMITS: NodeLimits = {
  connections: 10_000,
  connectionsPerAddress: 512,
  requests: 512,
  queuedPerConnection: 64,
  heldBytes: 96 << 20,
  heldBytesPerAddress: 16 << 20,
  headersMs: 10_000,
  requestMs: 15_000,
  waitMs: 900,
  answerMs: 30_000,
  drainMs: 8_000,
};

/** File descriptors reserved for the store and for Node itself. */
const RESERVED_FILES = 256;

/** Completes the limits with their defaults. Throws `RangeError` unless each limit is a whole number from 1. */
export function nodeLimits(chosen: Partial<NodeLimits> = {}): NodeLimits {
  const limits = { ...DEFAULT_LIMITS, ...chosen };
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isSafeInteger(value) || value < 1)
      throw new RangeError(
        `Cannot create server because limit ${name} must be a whole number >= 1: received "${value}"`,
      );
  }
  const files = maxOpenFiles() ?? Infinity;
  const reserved = Math.min(RESERVED_FILES, Math.ceil(files / 2));
  return { ...limits, connections: Math.min(limits.connections, files - reserved) };
}

/** The number of files and sockets that this process may have open; `undefined` if it is unlimited or unknown. */
export function maxOpenFiles(): number | undefined {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1")) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
