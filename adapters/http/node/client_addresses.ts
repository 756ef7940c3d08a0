import type { Duplex } from "node:stream";

/** The address at the other end of a connection, which may be a client or a proxy; `undefined` on a Unix socket. */
export function peerOf({ socket }: { readonly socket: Duplex | undefined }): { readonly address: string | undefined } {
  // A request made by an app may have no socket.
  const address = socket && "remoteAddress" in socket ? socket.remoteAddress : undefined;
  return { address: typeof address === "string" ? unmapped(address) : undefined };
}

/** Whether an address belongs to this machine: a local proxy may serve all clients. Unix sockets have no address. */
export function isLocal(address: string | undefined): boolean {
  return address === undefined || address === "::1" || unmapped(address).startsWith("127.");
}

/** An IPv4 address, or the /64 network of an IPv6 address, because one site usually owns the whole network. */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return "unix";
  const plain = unmapped(address);
  if (!plain.includes(":")) return plain;
  const [head = "", tail] = plain.split("%", 1)[0]!.split("::", 2);
  const [left, right] = [head, tail ?? ""].map((part) => (part === "" ? [] : part.split(":"))) as [string[], string[]];
  const zeros = new Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0");
  return `${[...left, ...zeros, ...right].slice(0, 4).join(":")}::/64`;
}

/** Restores an IPv4 address that a socket for both versions reports as `::ffff:192.0.2.1`. */
export function unmapped(address: string): string {
  return address.startsWith("::ffff:") && address.includes(".") ? address.slice("::ffff:".length) : address;
}
