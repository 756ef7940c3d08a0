/** The current load of a server, and its refusals since the start. */
export interface NodeLoad {
  /** Open connections. */
  readonly connections: number;
  readonly connectionsLimit: number;
  /** Connections that were closed at once, because of the limit for all connections or for one address. */
  readonly connectionsRefused: { readonly limit: number; readonly address: number };
  readonly connectionsCut: CutConnections;
  /** Requests that the API is answering. */
  readonly inFlight: number;
  /** Requests that wait for earlier ones on their connection, and candle requests that wait for their turn. */
  readonly waiting: number;
  /** Bytes of unread answers and waiting requests. */
  readonly heldBytes: number;
  /** Milliseconds that one turn of the event loop took, measured once a second. */
  readonly eventLoopDelayMs: number;
  /** Whether two measured turns in a row took too long. */
  readonly isLate: boolean;
}

/** Connections cut since the start, by reason. */
export interface CutConnections {
  /** Too many requests were waiting on the connection. */
  readonly pipelined: number;
  /** Making or reading an answer took too long. */
  readonly slow: number;
  /** Too much memory was in use, and the client was the slowest to read. */
  readonly memory: number;
}
