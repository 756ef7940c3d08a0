import type { Socket } from "node:net";
import type { ClientLimits } from "./server_options.ts";

/** A client: an IPv4 address, the /64 network of an IPv6 address, or all Unix sockets together. */
export interface Client extends ClientLimits {
  connections: number;
  heldBytes: number;
}

/** The memory of a connection. */
export interface HoldingConnection {
  readonly socket: Socket;
  readonly client: Client;
  heldBytes: number;
  /** The sequence number of the sweep during which the connection began to hold bytes. */
  heldSince: number;
}

/** A connection is not cut before it has held bytes for this many sweeps. Clients that read steadily need less. */
const SPARED_SWEEPS = 1;

/**
 * Counts the memory that connections hold: unread answers, and requests that wait behind them.
 *
 * @param maxBytes The limit for all clients together.
 */
export function createHeldBytes(maxBytes: number) {
  // The connections that have held bytes for the longest time come first.
  const holding = new Set<HoldingConnection>();
  let total = 0;

  /** Sets the bytes that a connection holds. */
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
    /** Whether a client reached its limit, or all clients together `maxBytes` (half of it for a long answer). */
    isFull({ heldBytes, maxHeldBytes }: Client, isLong: boolean): boolean {
      return total >= (isLong ? maxBytes / 2 : maxBytes) || heldBytes >= maxHeldBytes;
    },
    total: () => total,
    /** The connections to cut, slowest first. The returned connections no longer count as holding bytes. */
    takeSlowest(sweep: number): readonly HoldingConnection[] {
      // At half of the limit, long answers are refused, and connections are cut until only a quarter of it is in use.
      const wanted = total >= maxBytes / 2 ? maxBytes / 4 : Infinity;
      const slowest: HoldingConnection[] = [];
      for (const connection of holding) {
        if (sweep - connection.heldSince <= SPARED_SWEEPS) break;
        const { client, heldBytes } = connection;
        // Never cuts the only connection that holds bytes, because one answer may exceed the limit.
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
