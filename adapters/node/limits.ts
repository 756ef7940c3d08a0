/** Limits of a server on what clients may ask, and for how long. All are whole numbers from 1. */
export interface NodeLimits {
  /** Open connections; further ones are closed at once. Keep it 256 below the limit of open files. */
  readonly connections: number;
  /** Requests in progress at a time; further ones get 503. */
  readonly requests: number;
  /** Pipelined requests that may wait on one connection; with one more it is cut. */
  readonly queuedPerConnection: number;
  /** Requests answered on one connection before it is closed. */
  readonly requestsPerConnection: number;
  /** Milliseconds for the header fields to arrive; then 408. */
  readonly headersMs: number;
  /** Milliseconds for the whole request to arrive; then 408. */
  readonly requestMs: number;
  /** Milliseconds without a byte either way while a request is open; then the connection is cut. */
  readonly silenceMs: number;
  /** Milliseconds from the start of a request to the last byte of its answer; then the connection is cut. */
  readonly answerMs: number;
  /** Milliseconds for open requests to finish once the server closes. */
  readonly drainMs: number;
}

/** Used where none are set. */
export const DEFAULT_LIMITS: NodeLimits = {
  connections: 10_000,
  requests: 512,
  queuedPerConnection: 64,
  requestsPerConnection: 1_000,
  headersMs: 10_000,
  requestMs: 15_000,
  silenceMs: 20_000,
  answerMs: 30_000,
  drainMs: 8_000,
};

/** Completes limits with the defaults. Throws `RangeError` on one that is no whole number from 1. */
export function nodeLimits(chosen: Partial<NodeLimits> = {}): NodeLimits {
  const limits = { ...DEFAULT_LIMITS, ...chosen };
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new RangeError(`Cannot create server as limit ${name} must be a whole number >= 1: received "${value}"`);
    }
  }
  return limits;
}
