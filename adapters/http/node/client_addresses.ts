import type { Duplex } from "node:stream";
import { rateLimited } from "../../../core/internal.ts";
import type { Failure, RequestRate } from "../../../core/mod.ts";

/** Makes the function that refuses requests from an address, or from the /64 network of an IPv6 address, above a rate. */
export function createAddressLimit(rate: RequestRate): (address: string | undefined) => Failure | undefined {
  return (address) => {
    const waitMs = rate.take(networkOf(address), performance.now());
    return waitMs > 0 ? rateLimited(waitMs, "address") : undefined;
  };
}

/** The address at the other end of a connection: a client's, or that of a proxy; `undefined` on a Unix socket. */
export function peerOf({ socket }: { readonly socket: Duplex | undefined }): { readonly address: string | undefined } {
  // A request that an app has made may have no socket.
  const address =
    socket && "remoteAddress" in socket && typeof socket.remoteAddress === "string" ? socket.remoteAddress : undefined;
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
  const [left, right] = [head, tail ?? ""].map((part) => (part === "" ? [] : part.split(":"))) as [string[], string[]];
  const zeros = new Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0");
  return `${[...left, ...zeros, ...right].slice(0, 4).join(":")}::/64`;
}

/** An IPv4 address as itself: `::ffff:192.0.2.1` is what a socket for both versions makes of 192.0.2.1. */
export function unmapped(address: string): string {
  return address.startsWith("::ffff:") && address.includes(".") ? address.slice("::ffff:".length) : address;
}
