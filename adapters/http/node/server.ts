import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { type Failure, failure, rateLimited } from "../../../core/internal.ts";
import type { Api, MaybePromise, RequestHead } from "../../../core/mod.ts";
import { callSafely } from "../call_safely.ts";
import { type Exchange, endAfter, exchange } from "./answer_request.ts";
import { networkOf, peerOf } from "./client_addresses.ts";
import { nodeLimits } from "./connection_limits.ts";
import { createConnections, SWEEP_MS } from "./connections.ts";
import { drain } from "./drain_connections.ts";
import { watchExchange } from "./exchange_events.ts";
import { createTrustedProxies } from "./forwarded_headers.ts";
import { type Address, listen } from "./listen_on_address.ts";
import { NodeRequest } from "./node_request.ts";
import { createAdmission, loadOf } from "./request_admission.ts";
import { connectionFailure, framingFailure, rawAnswer } from "./request_framing.ts";
import type { NodeLoad } from "./server_load.ts";
import { clientLimits, type NodeServerOptions } from "./server_options.ts";

/** A hardened server. */
export interface NodeServer {
  /** Starts to listen. Returns the actual address; rejects if the address is not available. */
  listen(where: Address): Promise<Address>;
  /** Finishes the open requests, then closes all connections. May be called again. */
  close(): Promise<void>;
  /** The current load, for metrics. */
  load(): NodeLoad;
}

/**
 * Makes a `node:http` server for an API. It is hardened against slow or greedy clients and ambiguous requests.
 *
 * @throws RangeError for invalid options.
 */
export function createNodeServer(api: Api, options: NodeServerOptions = {}): NodeServer {
  const { behindProxy = false, addressRate, onExchange } = options;
  if (behindProxy === true && addressRate)
    throw new RangeError("Cannot limit requests by address because all come from proxies, which behindProxy must list");
  const proxies = typeof behindProxy === "object" ? createTrustedProxies(behindProxy) : undefined;
  const originOf = proxies?.originOf ?? peerOf;
  const limits = nodeLimits(options.limits);
  const connections = createConnections(limits, clientLimits(limits, options, proxies));
  const admission = createAdmission(limits);
  const failed: Exchange["failed"] = (error, request) => api.fail(request, error);
  let connectionsDropped = 0;
  let closing: Promise<void> | undefined;

  function receive(req: IncomingMessage, res: ServerResponse, reason: Failure | undefined): void {
    const origin = originOf(req);
    const load = loadOf(api, req, origin.address);
    // Made before the request's turn, so that its body is collected while earlier requests are answered.
    const request = new NodeRequest(req, origin, connections.measure);
    const sent = onExchange && watchExchange(req, res, { onExchange, address: origin.address, fields: request });
    const parts: Exchange = { api, request, res, failed, sent };
    connections.enqueue({ request, res, isLong: load.isLong, answer });

    function answer(isFull: () => boolean): MaybePromise<void> {
      if (reason) endAfter(res);
      const refused =
        reason ??
        (load.isStatus ? undefined : overRate(origin.address)) ??
        (admission.refuses(load, isFull()) ? BUSY : undefined);
      if (refused) return refuse(refused);
      // During the wait, the client may have left, or other clients may have used up the memory.
      const begin = (): MaybePromise<void> => {
        if (res.destroyed) return undefined;
        return load.isLong && isFull() ? refuse(BUSY) : exchange(parts);
      };
      return admission.run(load, begin, () => (res.destroyed ? undefined : refuse(BUSY)));
    }

    function refuse(why: Failure): MaybePromise<void> {
      return exchange({ ...parts, api: (head) => api.refuse(head, why) });
    }
  }

  function overRate(address: string | undefined): Failure | undefined {
    const waitMs = addressRate ? addressRate.take(networkOf(address), performance.now()) : 0;
    return waitMs > 0 ? rateLimited(waitMs, "address") : undefined;
  }

  function refuseConnection(socket: Duplex, reason: Failure | undefined): void {
    const answer = connections.end(socket) && reason ? api.refuse(NO_REQUEST, reason) : undefined;
    socket.end(answer ? rawAnswer(answer) : "", (error?: Error | null) => {
      socket.destroy();
      if (!answer) return;
      const { status, body, report } = answer;
      const noRequest = { method: "", durationMs: 0, traceId: undefined, ...peerOf({ socket }) };
      callSafely(onExchange, { ...noRequest, status, report, bytes: Buffer.byteLength(body), isComplete: !error });
    });
  }

  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: behindProxy ? 72_000 : 10_000,
    // With Node's default, a timeout would be detected up to 30 s late.
    connectionsCheckingInterval: 1_000,
    maxHeaderSize: 8_192,
    insecureHTTPParser: false,
    rejectNonStandardBodyWrites: true,
    // `framingFailure` checks the Host field, so that the refusal has an error body.
    requireHostHeader: false,
  });
  server.maxConnections = limits.connections;
  server.on("drop", () => connectionsDropped++);
  server.on("connection", (socket) => connections.open(socket));
  server.on("request", (req, res) => receive(req, res, framingFailure(req)));
  // Node would answer with an empty 417, a status that the contract uses for date ranges.
  server.on("checkExpectation", (req, res) => receive(req, res, framingFailure(req) ?? UNMET));
  // Without this listener, Node would cut the connection. The target of CONNECT never has a path.
  server.on("connect", (_req, socket) => {
    // Node has removed its own listener. The client may leave before it reads the refusal.
    socket.on("error", () => undefined);
    refuseConnection(socket, failure("INVALID_REQUEST", "CONNECT is not supported"));
  });
  server.on("clientError", (error, socket) => refuseConnection(socket, connectionFailure(error)));

  let timer: NodeJS.Timeout | undefined;
  server.once("listening", () => {
    timer = setInterval(() => {
      connections.sweep();
      admission.sweep();
    }, SWEEP_MS).unref();
  });

  async function close(): Promise<void> {
    await drain(server, connections, { drainMs: limits.drainMs, answered: admission.empty });
    clearInterval(timer);
  }

  function load(): NodeLoad {
    const { refused: address, ...ofConnections } = connections.load();
    const ofRequests = admission.load();
    const connectionsRefused = { limit: connectionsDropped, address };
    const waiting = ofConnections.waiting + ofRequests.waiting;
    return { ...ofConnections, ...ofRequests, connectionsLimit: limits.connections, connectionsRefused, waiting };
  }

  return { listen: (where) => listen(server, where), close: () => (closing ??= close()), load };
}

const NO_REQUEST: RequestHead = { method: "", target: "", headers: new Map<string, string>() };
const BUSY = failure("UNAVAILABLE", undefined, ["Retry-After", "1"]);
const UNMET = failure("INVALID_REQUEST", "Expect may only be 100-continue");
