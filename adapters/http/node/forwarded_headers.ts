import type { IncomingMessage } from "node:http";
import { BlockList, isIP, SocketAddress } from "node:net";
import { valueOf } from "../../../core/internal.ts";
import { peerOf, unmapped } from "./client_addresses.ts";

/** The origin of a request, as far as it is known. */
export interface Origin {
  /** The client's address; `undefined` on a Unix socket. */
  readonly address: string | undefined;
  /** How the client reached the nearest proxy, as the proxy reports it; `undefined` if no trusted proxy reports it. */
  readonly scheme?: "http" | "https" | undefined;
  readonly host?: string | undefined;
}

/** The list of trusted proxies. */
export type TrustedProxies = ReturnType<typeof createTrustedProxies>;

/** At most this many items of each X-Forwarded field are read, from the right. */
const MAX_ITEMS = 16;
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
      let address = peer;
      // Starts at the nearest proxy, and stops at an address that is unknown or not in the list.
      for (const item of itemsOf(req.rawHeaders, "x-forwarded-for").toReversed()) {
        const known = addressOf(item);
        address = known ?? address;
        if (!includes(known)) break;
      }
      const sentScheme = itemsOf(req.rawHeaders, "x-forwarded-proto").at(-1)?.toLowerCase();
      const sentHost = itemsOf(req.rawHeaders, "x-forwarded-host").at(-1) ?? "";
      return { address, scheme: SCHEMES.find((one) => one === sentScheme), host: HOST.exec(sentHost)?.[0] };
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

/** The items of a field, of which the nearest proxy has added the last. All lines of the field form one list. */
function itemsOf(rawHeaders: readonly string[], name: string): readonly string[] {
  const items = valueOf(rawHeaders, name)?.split(",") ?? [];
  return items.slice(-MAX_ITEMS).map((item) => item.trim());
}

/** The address in `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:80`, normalised. */
function addressOf(node = ""): string | undefined {
  const [, bracketed, plain = node] = /^(?:\[([^\]]*)\](?::\w*)?|([^:]*)(?::\w*)?)$/.exec(node) ?? [];
  const address = bracketed ?? plain;
  const version = isIP(address);
  if (version === 0 || address.includes("%") || (bracketed !== undefined && version === 4)) return undefined;
  return version === 4 ? address : unmapped(new SocketAddress({ address, family: "ipv6" }).address);
}
