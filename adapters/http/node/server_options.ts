import type { RequestRate } from "../../../core/mod.ts";
import { isLocal } from "./client_addresses.ts";
import type { NodeLimits } from "./connection_limits.ts";
import type { OnExchange } from "./exchange_events.ts";
import type { TrustedProxies } from "./forwarded_headers.ts";

/** What an operator can decide on a server. */
export interface NodeServerOptions {
  /**
   * The addresses and networks of the proxies in front, e.g. `["127.0.0.1", "10.0.0.0/8"]`, or `true`: all connections come
   * from a proxy, wherever it is. Idle connections are then kept open for 72 seconds, longer than proxies do, instead of 10.
   * The limits of connections and memory for one address hold for proxies only where they are set, as a proxy brings many
   * users on each connection.
   *
   * What listed proxies write into `X-Forwarded-For`, `-Proto` and `-Host` is believed: the client's address is the rightmost
   * one that is not in the list. Where they do not name one, it is the proxy's. Proxies must overwrite or extend these fields.
   * With `true` nothing in them is believed. Default `false`.
   */
  readonly behindProxy?: boolean | readonly string[];
  /**
   * Limits the requests of each address (IPv6: each /64 network) in a short time, before the API is asked; the status route
   * is always answered. `createRequestRate` makes it. Needs to know the addresses: not with `behindProxy: true`. Default: no limit.
   */
  readonly addressRate?: RequestRate | undefined;
  /** Limits other than the defaults. */
  readonly limits?: Partial<NodeLimits>;
  /**
   * Called once for each answer, the server's own refusals included, after it was sent or its client has left.
   * Default: nobody.
   */
  readonly onExchange?: OnExchange;
}

/** What one client may use of a server. */
export interface ClientLimits {
  readonly maxConnections: number;
  /** Bytes of memory that all its connections may hold together. */
  readonly maxHeldBytes: number;
}

/** Proxies and this machine may bring many users: they are limited only where the operator says so. */
export function clientLimits(
  limits: NodeLimits,
  { behindProxy, limits: chosen = {} }: NodeServerOptions,
  proxies: TrustedProxies | undefined,
): (address: string | undefined) => ClientLimits {
  const { connectionsPerAddress, heldBytesPerAddress } = limits;
  const ofUser = { maxConnections: connectionsPerAddress, maxHeldBytes: heldBytesPerAddress };
  const ofProxy = {
    maxConnections: chosen.connectionsPerAddress ?? Infinity,
    maxHeldBytes: chosen.heldBytesPerAddress ?? Infinity,
  };
  return (address) => (behindProxy === true || proxies?.includes(address) || isLocal(address) ? ofProxy : ofUser);
}
