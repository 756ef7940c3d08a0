import { randomBytes } from "node:crypto";
import type { Duplex } from "node:stream";
import { rateLimited } from "../../core/internal.ts";
import type { Failure, RequestRate } from "../../core/mod.ts";

/** What one client may use of a server. */
export interface ClientLimits {
  readonly maxConnections: number;
  /** Bytes of memory that all its connections may hold together. */
  readonly maxHeldBytes: number;
}

/** A client: an IPv4 address, the /64 network of an IPv6 address, or all Unix sockets together. */
export interface Client extends ClientLimits {
  readonly name: string;
  connections: number;
  heldBytes: number;
}

/** The clients that have connections. */
export interface Clients {
  /** Counts a connection; `undefined` if its client has as many as it may have. */
  connect(address: string | undefined): Client | undefined;
  /** Ends what `connect` has counted. */
  disconnect(client: Client): void;
}

/** @param limitsOf Gives the limits of the client at an address. */
export function createClients(limitsOf: (address: string | undefined) => ClientLimits): Clients {
  const clients = new Map<string, Client>();
  return {
    connect(address) {
      const name = networkOf(address);
      let client = clients.get(name);
      if (!client) clients.set(name, (client = { name, connections: 0, heldBytes: 0, ...limitsOf(address) }));
      if (client.connections >= client.maxConnections) return undefined;
      client.connections++;
      return client;
    },
    disconnect(client) {
      client.connections--;
      if (client.connections === 0) clients.delete(client.name);
    },
  };
}

/** Makes the function that refuses requests from an address, or from the /64 network of an IPv6 address, above a rate. */
export function createAddressLimit(rate: RequestRate): (address: string | undefined) => Failure | undefined {
  // Whoever can choose among many addresses must not find out which ones count as one.
  const salt = randomBytes(16).toString("hex");
  return (address) => {
    const waitMs = rate.take(salt + networkOf(address), performance.now());
    return waitMs > 0 ? rateLimited(waitMs, "address") : undefined;
  };
}

/** The address at the other end of a connection: a client's, or that of a proxy; `undefined` on a Unix socket. */
export function peerOf({ socket }: { readonly socket: Duplex }): { readonly address: string | undefined } {
  const address = "remoteAddress" in socket && typeof socket.remoteAddress === "string" ? socket.remoteAddress : undefined;
  return { address: address === undefined ? undefined : unmapped(address) };
}

/** Whether an address is of this machine, where a proxy may bring everybody. Unix sockets have none. */
export function isLocal(address: string | undefined): boolean {
  return address === undefined || address === "::1" || unmapped(address).startsWith("127.");
}

/** The address itself for IPv4, the first 64 bits for IPv6, as one site has a whole /64 network. */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return "unix";
  const plain = unmapped(address);
  if (!plain.includes(":")) return plain;
  const [head = "", tail] = plain.split("%", 1)[0]!.split("::", 2);
  const [left, right] = [groupsOf(head), groupsOf(tail ?? "")];
  const zeros = new Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0");
  return `${[...left, ...zeros, ...right].slice(0, 4).join(":")}::/64`;
}

/** An IPv4 address as itself: `::ffff:192.0.2.1` is what a socket for both versions makes of 192.0.2.1. */
export function unmapped(address: string): string {
  return address.startsWith("::ffff:") && address.includes(".") ? address.slice("::ffff:".length) : address;
}

/** The groups of 16 bits in a part of an IPv6 address, which may end like an IPv4 address. */
function groupsOf(part: string): string[] {
  if (part === "") return [];
  return part.split(":").flatMap((group) => (group.includes(".") ? [group, ""] : [group]));
}
