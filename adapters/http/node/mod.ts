/**
 * The API on Node: a listener for your own server, or a hardened server.
 *
 * @module
 */

import { webSystem } from "../web_system.ts";
import { nodeSha256 } from "./sha256.ts";

export type { NodeLimits } from "./connection_limits.ts";
export type { NodeExchange, OnExchange } from "./exchange_events.ts";
export type { Address } from "./listen_on_address.ts";
export { type ListenerOptions, nodeListener } from "./request_listener.ts";
export { createNodeServer, type NodeServer } from "./server.ts";
export type { CutConnections, NodeLoad } from "./server_load.ts";
export type { NodeServerOptions } from "./server_options.ts";

/** The clock, request ids, digests and random bytes of Node. */
export const nodeSystem = { ...webSystem, sha256: nodeSha256 } as const;
