import { readFileSync } from "node:fs";

/** Limits of a server on what clients may ask, and for how long. All are whole numbers from 1. */
export interface NodeLimits {
  /** Open connections; further ones are closed at once. Never more than the open files that the system allows, less a reserve. */
  readonly connections: number;
  /**
   * Open connections of one client: an IPv4 address or the /64 network of an IPv6 address. Proxies and this machine,
   * which may bring many users, are limited only where this is set.
   */
  readonly connectionsPerAddress: number;
  /** Requests in progress at a time, and as many for routes without a key; further ones get 503. */
  readonly requests: number;
  /**
   * Pipelined requests that may wait on one connection; with one more it is cut. At most eight while its client, or all together,
   * hold so much memory that candle requests get 503.
   */
  readonly queuedPerConnection: number;
  /**
   * Bytes of unread answers and waiting requests that are kept in memory for all clients together. With half of them
   * candle requests get 503, and the connections that have taken longest to read are cut; with all of them every request
   * gets 503.
   */
  readonly heldBytes: number;
  /** Such bytes of one client, with the exceptions of `connectionsPerAddress`; with more its requests get 503, and its slowest connections are cut. */
  readonly heldBytesPerAddress: number;
  /** Milliseconds for the header fields to arrive; then 408. */
  readonly headersMs: number;
  /** Milliseconds for the whole request to arrive; then 408. */
  readonly requestMs: number;
  /** Milliseconds that a candle request may wait for its turn while many others wait for a database; then 503. */
  readonly waitMs: number;
  /** Milliseconds from the start of a request to the last byte of its answer; then the connection is cut. */
  readonly answerMs: number;
  /** Milliseconds for open requests to finish once the server closes. */
  readonly drainMs: number;
}

/** Used where none are set. */
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

/** File descriptors for all but connections: the store's files, and what Node opens itself. */
const RESERVED_FILES = 256;

/** Completes limits with the defaults. Throws `RangeError` on one that is no whole number from 1. */
export function nodeLimits(chosen: Partial<NodeLimits> = {}): NodeLimits {
  const limits = { ...DEFAULT_LIMITS, ...chosen };
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isSafeInteger(value) || value < 1)
      throw new RangeError(`Cannot create server as limit ${name} must be a whole number >= 1: received "${value}"`);
  }
  const files = maxOpenFiles() ?? Infinity;
  const reserved = Math.min(RESERVED_FILES, Math.ceil(files / 2));
  return { ...limits, connections: Math.min(limits.connections, files - reserved) };
}

/** Files and sockets that this process may open at a time; `undefined` where there is no limit, or the system does not say. */
export function maxOpenFiles(): number | undefined {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1")) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
