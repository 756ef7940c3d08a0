import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { createResponder, failure } from "../../core/internal.ts";
import type { Failure } from "../../core/internal.ts";
import type { Api, ApiRequest, ApiResponse, Clock, CorsRule, RequestIds } from "../../core/mod.ts";
import { drain } from "./drain.ts";
import { connectionFailure, framingFailure } from "./framing.ts";
import { endAfter, exchange } from "./listener.ts";
import type { Manner } from "./listener.ts";
import { createLanes, isDone } from "./connections.ts";
import { nodeLimits } from "./limits.ts";
import type { NodeLimits } from "./limits.ts";
import { rawAnswer } from "./raw_fields.ts";
import { createWork } from "./in_flight.ts";

/** What a server needs besides its API. */
export interface NodeServerOptions {
  /** For the errors that the server answers by itself. */
  readonly clock: Clock;
  readonly requestIds: RequestIds;
  /** Keeps unused connections for 72 seconds, longer than proxies do, instead of 10. Default `false`. */
  readonly behindProxy?: boolean;
  /** Which web pages may read the errors that the server answers by itself; as the API's own setting. Default `*`. */
  readonly cors?: CorsRule;
  /** Limits other than the defaults. */
  readonly limits?: Partial<NodeLimits>;
}

/** Where a server listens. */
export interface Address {
  readonly host: string;
  /** 0 asks for any free port. */
  readonly port: number;
}

/** A server made, not yet listening. */
export interface NodeServer {
  /** Starts to listen; tells the actual address. Rejects when the address cannot be had. */
  listen(where: Address): Promise<Address>;
  /** Finishes the open requests, closes all connections. Safe to call again; each call settles when all is done. */
  close(): Promise<void>;
}

/** Makes a `node:http` server for an API, hardened against slow, greedy and ambiguous clients. */
export function createNodeServer(api: Api, options: NodeServerOptions): NodeServer {
  const { clock, requestIds, behindProxy = false, cors = "*" } = options;
  const limits = nodeLimits(options.limits);
  const keepMs = behindProxy ? 72_000 : 10_000;
  const lanes = createLanes({ ...limits, keepMs });
  // What Node says of it by itself where it keeps the time itself.
  const manner: Manner = { keptFields: ["Keep-Alive", `timeout=${Math.floor(keepMs / 1_000)}`] };
  const respond = createResponder(cors);
  const work = createWork(limits);
  let closing: Promise<void> | undefined;

  const answerTo = (reason: Failure, request: ApiRequest): ApiResponse =>
    respond.failure({ request, requestId: requestIds(), now: clock() }, undefined, reason);

  function receive(req: IncomingMessage, res: ServerResponse, reason: Failure | undefined, how: Manner = manner): void {
    lanes.enter(req.socket, res, () => {
      if (reason || closing) endAfter(res);
      const refused = reason ?? (work.isFull() ? BUSY : undefined);
      const made = exchange(refused ? (request) => answerTo(refused, request) : api, req, res, how);
      if (!isDone(res)) work.add(res, made);
    });
  }

  function refuseConnection(socket: Duplex, reason: Failure | undefined): void {
    const text = lanes.end(socket) && reason ? rawAnswer(answerTo(reason, NO_REQUEST), clock()) : "";
    socket.end(text, () => socket.destroy());
  }

  const server = createServer(serverOptions(limits));
  server.maxConnections = limits.connections;
  server.on("connection", (socket) => lanes.open(socket));
  server.on("request", (req, res) => receive(req, res, framingFailure(req)));
  // By default Node asks for the body before anyone has looked at the key.
  server.on("checkContinue", (req, res) => receive(req, res, framingFailure(req), { ...manner, beforeReading: () => res.writeContinue() }));
  // By default Node answers an empty 417, which the contract has for date ranges.
  server.on("checkExpectation", (req, res) => receive(req, res, framingFailure(req) ?? UNMET));
  server.on("clientError", (error, socket) => refuseConnection(socket, connectionFailure(error)));
  server.on("connect", (_req, socket) => refuseConnection(socket, failure("INVALID_REQUEST", "This is no proxy")));

  return {
    listen: (where) => listen(server, where),
    close: () => (closing ??= drain(server, lanes, work, limits.drainMs)),
  };
}

const NO_REQUEST: ApiRequest = { method: "", target: "", headers: new Map<string, string>(), scheme: "http", text: async () => ({ ok: true, value: "" }) };
const BUSY = failure("UNAVAILABLE", undefined, ["Retry-After", "1"]);
const UNMET = failure("INVALID_REQUEST", "Expect may only be 100-continue");

function serverOptions(limits: NodeLimits): ServerOptions {
  return {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    // Node would set a timer anew with each request and each packet: the lanes look after silence with one for all.
    keepAliveTimeout: 0,
    // How often the timeouts are looked at: by default they come up to 30 s late.
    connectionsCheckingInterval: 1_000,
    maxHeaderSize: 8_192,
    insecureHTTPParser: false,
    rejectNonStandardBodyWrites: true,
    // The framing gate asks for it, and answers with an error body.
    requireHostHeader: false,
  };
}

function listen(server: Server, where: Address): Promise<Address> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: where.host, port: where.port }, () => {
      server.off("error", reject);
      // A connection that cannot be accepted, for want of file descriptors, is no reason to end.
      server.on("error", () => undefined);
      const address = server.address();
      if (address === null || typeof address === "string") reject(new TypeError(`Cannot tell the port of "${address}"`));
      else resolve({ host: address.address, port: address.port });
    });
  });
}
