/** What a server does now, and what it has refused since its start. */
export interface NodeLoad {
  /** Open connections. */
  readonly connections: number;
  /** How many may be open. */
  readonly connectionsLimit: number;
  /** Connections closed at once: as all that are allowed were open, or all that are allowed to one address. */
  readonly connectionsRefused: { readonly limit: number; readonly address: number };
  readonly connectionsCut: CutConnections;
  /** Requests that the API works on. */
  readonly inFlight: number;
  /** Requests that wait for others: of their connection, or candle requests. */
  readonly waiting: number;
  /** Bytes of unread answers and waiting requests. */
  readonly heldBytes: number;
  /** Milliseconds that the event loop took to come round; measured once a second. */
  readonly eventLoopDelayMs: number;
  /** Whether the event loop came round too late twice in a row. */
  readonly isLate: boolean;
}

/** Connections that were cut since the start, by the reason. */
export interface CutConnections {
  /** They sent more requests at once than may wait. */
  readonly pipelined: number;
  /** An answer took too long: to be made, or to be read. */
  readonly slow: number;
  /** Too much memory was held, and they were the slowest to read. */
  readonly memory: number;
}
