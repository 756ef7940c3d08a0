import type { IncomingMessage } from "node:http";
import { BlockList, isIP, SocketAddress } from "node:net";
import { valueOf } from "../../../core/internal.ts";
import { peerOf, unmapped } from "./client_addresses.ts";

/** Where a request came from, as far as it is known. */
export interface Origin {
  /** The client's address; `undefined` on a Unix socket. */
  readonly address: string | undefined;
  /** How the client reached the first proxy; `undefined` where no proxy that is believed says so. */
  readonly scheme?: "http" | "https" | undefined;
  readonly host?: string | undefined;
}

/** The proxies that are believed. */
export interface TrustedProxies {
  includes(address: string | undefined): boolean;
  /** Where a request came from. Only what proxies in the list have written is believed. */
  originOf(req: Pick<IncomingMessage, "rawHeaders" | "socket">): Origin;
}

/** How many proxies in a row are followed: a longer list is not read to its left end. */
const MAX_HOPS = 16;
/** What the core takes for the documentation URL, too. */
const HOST = /^[\w.:[\]-]{1,255}$/;

/**
 * Makes the list of the proxies that are believed.
 *
 * @param networks Addresses and networks: `127.0.0.1`, `10.0.0.0/8`, `fd00::/8`.
 * @throws RangeError for any other text.
 */
export function createTrustedProxies(networks: readonly string[]): TrustedProxies {
  const list = new BlockList();
  for (const network of networks) addNetwork(list, network);

  function includes(address: string | undefined): boolean {
    const plain = address?.split("%", 1)[0] ?? "";
    const version = isIP(plain);
    return version !== 0 && list.check(plain, version === 4 ? "ipv4" : "ipv6");
  }

  return {
    includes,
    originOf(req) {
      const { address: peer } = peerOf(req);
      if (!includes(peer)) return { address: peer };
      let origin: Origin = { address: peer };
      // From proxy to proxy, beginning with the nearest, until one is not in the list or does not know.
      for (const hop of hopsOf(req.rawHeaders).toReversed()) {
        origin = {
          address: hop.address ?? origin.address,
          scheme: hop.scheme ?? origin.scheme,
          host: hop.host ?? origin.host,
        };
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
      `Cannot trust a proxy as it must be an address or a network such as 10.0.0.0/8: received "${network}"`,
    );
  list.addSubnet(address, prefix, version === 4 ? "ipv4" : "ipv6");
}

/** What each proxy has written into `X-Forwarded-For`, `-Proto` and `-Host`, the nearest one last. */
function hopsOf(rawHeaders: readonly string[]): readonly Origin[] {
  const [addresses = [], schemes = [], hosts = []] = ["for", "proto", "host"].map((name) =>
    listOf(rawHeaders, `x-forwarded-${name}`),
  );
  const hops = addresses.length > 0 ? addresses : [""];
  // Some proxies add to the lists of all three, others write a scheme and a host of their own.
  const at = (list: readonly string[], i: number): string | undefined =>
    list.length === hops.length ? list[i] : list.at(-1);
  return hops.map((hop, i) => ({
    address: addressOf(hop),
    scheme: schemeOf(at(schemes, i)),
    host: hostOf(at(hosts, i)),
  }));
}

/** The last items of a list, of all lines with this name. */
function listOf(rawHeaders: readonly string[], name: string): readonly string[] {
  return (
    valueOf(rawHeaders, name)
      ?.split(",")
      .slice(-MAX_HOPS)
      .map((item) => item.trim()) ?? []
  );
}

/** The address in `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` and `[2001:db8::1]:80`, in its usual form. */
function addressOf(node = ""): string | undefined {
  const [, bracketed, plain = ""] = /^(?:\[([^\]]*)\](?::\w*)?|([^:]*)(?::\w*)?)$/.exec(node) ?? [
    undefined,
    undefined,
    node,
  ];
  const address = bracketed ?? plain;
  const version = isIP(address);
  if (version === 0 || address.includes("%") || (bracketed !== undefined && version === 4)) return undefined;
  return version === 4 ? address : unmapped(new SocketAddress({ address, family: "ipv6" }).address);
}

function schemeOf(scheme = ""): "http" | "https" | undefined {
  const lower = scheme.toLowerCase();
  return lower === "http" || lower === "https" ? lower : undefined;
}

function hostOf(host = ""): string | undefined {
  return HOST.test(host) ? host : undefined;
}
