import type { Socket } from "node:net";
import type { ClientLimits } from "./server_options.ts";

/** A client: an IPv4 address, the /64 network of an IPv6 address, or all Unix sockets together. */
export interface Client extends ClientLimits {
  connections: number;
  heldBytes: number;
}

/** The part of a connection that concerns its memory. */
export interface HoldingConnection {
  readonly socket: Socket;
  readonly client: Client;
  heldBytes: number;
  /** The sweep in which it began to hold bytes. */
  heldSince: number;
}

/** The memory that connections hold: answers that their clients have not read, and requests that wait behind them. */
export interface HeldBytes {
  /** Whether a client, or all together, hold as much as they may. Long answers may only fill half of it, so that short ones are still served. */
  isFull(client: Client, isLong: boolean): boolean;
  /** Counts what a connection holds now. */
  update(connection: HoldingConnection, bytes: number, sweep: number): void;
  /** Of all together. */
  total(): number;
  /** The connections to cut, the slowest first, so that others are answered again. They no longer count as holding bytes. */
  takeSlowest(sweep: number): readonly HoldingConnection[];
}

/** Sweeps for which a connection may hold bytes in any case: whoever reads is done sooner. */
const SPARED_SWEEPS = 1;

/** @param maxBytes For all clients together. */
export function createHeldBytes(maxBytes: number): HeldBytes {
  // In the order in which they began to hold bytes.
  const holding = new Set<HoldingConnection>();
  let total = 0;

  function update(connection: HoldingConnection, bytes: number, sweep: number): void {
    const more = bytes - connection.heldBytes;
    total += more;
    connection.client.heldBytes += more;
    connection.heldBytes = bytes;
    if (bytes === 0) holding.delete(connection);
    else if (!holding.has(connection)) {
      connection.heldSince = sweep;
      holding.add(connection);
    }
  }

  return {
    update,
    isFull: ({ heldBytes, maxHeldBytes }, isLong) =>
      total >= (isLong ? maxBytes / 2 : maxBytes) || heldBytes >= maxHeldBytes,
    total: () => total,
    takeSlowest(sweep) {
      // When long answers are refused, half of their share is freed: one more would fill up less at once.
      const wanted = total >= maxBytes / 2 ? maxBytes / 4 : Infinity;
      const slowest: HoldingConnection[] = [];
      for (const connection of holding) {
        if (sweep - connection.heldSince <= SPARED_SWEEPS) break;
        const { client, heldBytes } = connection;
        // One alone is not cut: it may be a single answer that is larger than the limit.
        const isForAll = total >= wanted && total > heldBytes;
        const isForClient = client.heldBytes >= client.maxHeldBytes && client.heldBytes > heldBytes;
        if (!isForAll && !isForClient) continue;
        slowest.push(connection);
        update(connection, 0, sweep);
      }
      return slowest;
    },
  };
}
