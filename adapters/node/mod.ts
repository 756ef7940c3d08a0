/**
 * The API on Node: a listener for a server of one's own, or a hardened server.
 *
 * @module
 */

import { webSystem } from "../system.ts";
import { nodeSha256 } from "./digest.ts";

export type { NodeExchange, OnExchange } from "./exchange_events.ts";
export type { NodeLimits } from "./limits.ts";
export type { Address } from "./listen.ts";
export type { ListenerOptions } from "./listener.ts";
export { nodeListener } from "./listener.ts";
export type { CutConnections, NodeLoad } from "./load.ts";
export type { NodeServer } from "./server.ts";
export { createNodeServer } from "./server.ts";
export type { NodeServerOptions } from "./server_options.ts";

/** What an API and its keys need of the machine, on Node. */
export const nodeSystem = { ...webSystem, sha256: nodeSha256 } as const;
