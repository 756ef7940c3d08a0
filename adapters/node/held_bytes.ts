import type { Client } from "./clients.ts";

/** The part of a connection that concerns its memory. */
export interface Holder {
  readonly client: Client;
  heldBytes: number;
  /** The sweep in which it began to hold bytes. */
  heldSince: number;
}

/** The memory that connections hold: answers that their clients have not read, and requests that wait behind them. */
export interface HeldBytes<T extends Holder> {
  /** Whether a client, or all together, hold as much as they may. Long answers may only fill half of it, so that short ones are still served. */
  isFull(client: Client, isLong: boolean): boolean;
  /** Counts what a connection holds now. */
  update(holder: T, bytes: number, sweep: number): void;
  /** Of all together. */
  total(): number;
  /** The connections that hold bytes. */
  holders(): Iterable<T>;
  /** The connections to cut, the slowest first, so that others are answered again. They no longer count as holding bytes. */
  takeSlowest(sweep: number): T[];
}

/** Sweeps for which a connection may hold bytes in any case: whoever reads is done sooner. */
const SPARED_SWEEPS = 1;

/** @param maxBytes For all clients together. */
export function createHeldBytes<T extends Holder>(maxBytes: number): HeldBytes<T> {
  // In the order in which they began to hold bytes.
  const holders = new Set<T>();
  let total = 0;

  function update(holder: T, bytes: number, sweep: number): void {
    const more = bytes - holder.heldBytes;
    total += more;
    holder.client.heldBytes += more;
    holder.heldBytes = bytes;
    if (bytes === 0) holders.delete(holder);
    else if (!holders.has(holder)) {
      holder.heldSince = sweep;
      holders.add(holder);
    }
  }

  return {
    update,
    isFull: ({ heldBytes, maxHeldBytes }, isLong) => total >= (isLong ? maxBytes / 2 : maxBytes) || heldBytes >= maxHeldBytes,
    total: () => total,
    holders: () => holders,
    takeSlowest(sweep) {
      // When long answers are refused, half of their share is freed: one more would fill up less at once.
      const wanted = total >= maxBytes / 2 ? maxBytes / 4 : Infinity;
      const slowest: T[] = [];
      for (const holder of holders) {
        if (sweep - holder.heldSince <= SPARED_SWEEPS) break;
        const { client, heldBytes } = holder;
        // One alone is not cut: it may be a single answer that is larger than the limit.
        const isForAll = total >= wanted && total > heldBytes;
        const isForClient = client.heldBytes >= client.maxHeldBytes && client.heldBytes > heldBytes;
        if (!isForAll && !isForClient) continue;
        slowest.push(holder);
        update(holder, 0, sweep);
      }
      return slowest;
    },
  };
}
