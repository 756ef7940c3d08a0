/**
 * The API on Node: a listener for a server of one's own, or a hardened server.
 *
 * @module
 */
import { nodeSha256 } from "./node_digest.ts";
import { webSystem } from "./system.ts";

export { nodeListener } from "./node_http.ts";
export { createNodeServer } from "./node_server.ts";
export type { Address, NodeServer, NodeServerOptions } from "./node_server.ts";
export type { NodeLimits } from "./node_limits.ts";

/** What an API and its keys need of the machine, on Node. */
export const nodeSystem = { ...webSystem, sha256: nodeSha256 } as const;
