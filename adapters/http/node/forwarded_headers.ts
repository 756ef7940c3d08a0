import type { IncomingMessage } from "node:http";
import { BlockList, isIP, SocketAddress } from "node:net";
import { valueOf } from "../../../core/internal.ts";
import { peerOf, unmapped } from "./client_addresses.ts";

/** The origin of a request, as far as it is known. */
export interface Origin {
  /** The client's address; `undefined` on a Unix socket. */
  readonly address: string | undefined;
  /** How the client reached the first proxy; `undefined` if no trusted proxy reports it. */
  readonly scheme?: "http" | "https" | undefined;
  readonly host?: string | undefined;
}

/** The list of trusted proxies. */
export type TrustedProxies = ReturnType<typeof createTrustedProxies>;

/** At most this many entries of each X-Forwarded field are read, from the right. */
const MAX_HOPS = 16;
const SCHEMES = ["http", "https"] as const;
/** The pattern of a host, which the core also uses for the documentation URL. */
const HOST = /^[\w.:[\]-]{1,255}$/;

/** Makes the list of addresses and networks such as `127.0.0.1`, `fd00::/8`. Throws `RangeError` for any other text. */
export function createTrustedProxies(networks: readonly string[]) {
  const list = new BlockList();
  for (const network of networks) addNetwork(list, network);

  function includes(address: string | undefined): boolean {
    const plain = address?.split("%", 1)[0] ?? "";
    const version = isIP(plain);
    return version !== 0 && list.check(plain, version === 4 ? "ipv4" : "ipv6");
  }

  return {
    includes,
    /** The origin of a request according to the trusted proxies. */
    originOf(req: Pick<IncomingMessage, "rawHeaders" | "socket">): Origin {
      const { address: peer } = peerOf(req);
      if (!includes(peer)) return { address: peer };
      let origin: Origin = { address: peer };
      // Starts at the nearest proxy, and stops at an address that is unknown or not in the list.
      for (const hop of hopsOf(req.rawHeaders).toReversed()) {
        const { address = origin.address, scheme = origin.scheme, host = origin.host } = hop;
        origin = { address, scheme, host };
        if (!includes(hop.address)) break;
      }
      return origin;
    },
  };
}

function addNetwork(list: BlockList, network: string): void {
  const [address = "", bits, ...rest] = network.split("/");
  const version = isIP(address);
  const maxBits = version === 4 ? 32 : 128;
  const prefix = Number(bits ?? maxBits);
  const isPrefix = /^\d{1,3}$/.test(String(bits ?? maxBits)) && prefix <= maxBits;
  if (version === 0 || address.includes("%") || rest.length > 0 || !isPrefix)
    throw new RangeError(
      `Cannot trust a proxy because it must be an address or a network such as 10.0.0.0/8: received "${network}"`,
    );
  list.addSubnet(address, prefix, version === 4 ? "ipv4" : "ipv6");
}

/** The entries of each proxy in `X-Forwarded-For`, `-Proto` and `-Host`. The nearest proxy's entries come last. */
function hopsOf(rawHeaders: readonly string[]): readonly Origin[] {
  // All lines of a field form one list, of which only the last items are read.
  const [addresses = [], schemes = [], hosts = []] = ["for", "proto", "host"].map((name) => {
    const items = valueOf(rawHeaders, `x-forwarded-${name}`)?.split(",") ?? [];
    return items.slice(-MAX_HOPS).map((item) => item.trim());
  });
  const hops = addresses.length > 0 ? addresses : [""];
  // Some proxies extend all three lists. Other proxies replace the scheme and the host.
  const at = (list: readonly string[], i: number): string | undefined =>
    list.length === hops.length ? list[i] : list.at(-1);
  return hops.map((hop, i) => ({
    address: addressOf(hop),
    scheme: SCHEMES.find((scheme) => scheme === at(schemes, i)?.toLowerCase()),
    host: HOST.exec(at(hosts, i) ?? "")?.[0],
  }));
}

/** The address in `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:80`, normalised. */
function addressOf(node = ""): string | undefined {
  const [, bracketed, plain = node] = /^(?:\[([^\]]*)\](?::\w*)?|([^:]*)(?::\w*)?)$/.exec(node) ?? [];
  const address = bracketed ?? plain;
  const version = isIP(address);
  if (version === 0 || address.includes("%") || (bracketed !== undefined && version === 4)) return undefined;
  return version === 4 ? address : unmapped(new SocketAddress({ address, family: "ipv6" }).address);
}
