import type { RequestRate } from "../../../core/mod.ts";
import { isLocal } from "./client_addresses.ts";
import type { NodeLimits } from "./connection_limits.ts";
import type { OnExchange } from "./exchange_events.ts";
import type { TrustedProxies } from "./forwarded_headers.ts";

/** Options of `createNodeServer`. */
export interface NodeServerOptions {
  /**
   * The addresses and networks of the proxies in front, e.g. `["127.0.0.1", "10.0.0.0/8"]`. `true`: all connections
   * come from proxies at unknown addresses. Behind proxies, idle connections stay open for 72 seconds instead of 10,
   * which is longer than proxies keep them. Limits for one address apply to a proxy only if they are set, because a
   * proxy serves many users on each connection.
   *
   * `X-Forwarded-For`, `-Proto` and `-Host` are trusted only from listed proxies, which must overwrite or extend these
   * fields. The client's address is the rightmost address in `X-Forwarded-For` that is not in the list, or else the
   * proxy's address. Default `false`.
   */
  readonly behindProxy?: boolean | readonly string[];
  /**
   * Limits the request rate of each address (IPv6: each /64 network). The status route is always answered. Made by
   * `createRequestRate`. Not possible with `behindProxy: true`, as the addresses are then unknown. Default: no limit.
   */
  readonly addressRate?: RequestRate | undefined;
  /** Limits to override. */
  readonly limits?: Partial<NodeLimits>;
  /** Called for each answer, including the server's own refusals, once it is sent or its client has left. */
  readonly onExchange?: OnExchange;
}

/** The limits of one client. */
export interface ClientLimits {
  readonly maxConnections: number;
  /** Bytes of memory in use by all connections of the client. */
  readonly maxHeldBytes: number;
}

/** The limits of the client at an address. Only explicit limits apply to proxies and this machine. */
export function clientLimits(
  { connectionsPerAddress, heldBytesPerAddress }: NodeLimits,
  { behindProxy, limits: chosen = {} }: NodeServerOptions,
  proxies: TrustedProxies | undefined,
): (address: string | undefined) => ClientLimits {
  const { connectionsPerAddress: ownConnections = Infinity, heldBytesPerAddress: ownBytes = Infinity } = chosen;
  const ofUser = { maxConnections: connectionsPerAddress, maxHeldBytes: heldBytesPerAddress };
  const ofProxy = { maxConnections: ownConnections, maxHeldBytes: ownBytes };
  return (address) => (behindProxy === true || proxies?.includes(address) || isLocal(address) ? ofProxy : ofUser);
}
