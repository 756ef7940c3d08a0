import type { RequestListener } from "node:http";
import type { ApiFunction, ApiResponse } from "../../../core/mod.ts";
import { type BasePathOption, underBasePath } from "../base_path.ts";
import { callSafely } from "../call_safely.ts";
import { exchange } from "./answer_request.ts";
import { peerOf } from "./client_addresses.ts";
import { EmbeddedRequest } from "./embedded_request.ts";
import { type OnExchange, watchExchange } from "./exchange_events.ts";

/** Options of a listener. */
export interface ListenerOptions extends BasePathOption {
  /** Called with an error from the API, or with the reason why its answer could not be sent. The client gets 500. */
  readonly onError?: (error: unknown) => void;
  /** Called for each answer once it is sent or its client has left. */
  readonly onExchange?: OnExchange;
}

/**
 * Serves an API in your own `node:http` server, including behind middleware or with requests that an app constructs;
 * `createNodeServer` makes a hardened server. Header fields come from `rawHeaders`, where repeated credentials are
 * visible. Only fields that an app has added, changed or removed come from `req.headers`. The listener never throws.
 *
 * @throws RangeError for an invalid `basePath`, and TypeError for a `basePath` with an API that `createApi` has not
 *   made.
 */
export function nodeListener(api: ApiFunction, options: ListenerOptions = {}): RequestListener {
  const { onError, onExchange, basePath } = options;
  const served = underBasePath(api, basePath);
  const failed = (error: unknown): ApiResponse => {
    callSafely(onError, error);
    return PLAIN_500;
  };
  return (req, res) => {
    // Calling the API now would charge the client a unit for nothing.
    if (res.headersSent)
      return void failed(new Error("Cannot answer because the app has already answered this request"));
    const request = new EmbeddedRequest(req);
    const sent = onExchange && watchExchange(req, res, { onExchange, address: peerOf(req).address, fields: request });
    void exchange({ api: served, request, res, failed, sent });
  };
}

const PLAIN_500: ApiResponse = {
  status: 500,
  headers: ["Content-Type", "text/plain; charset=utf-8", "Cache-Control", "no-store"],
  body: "Internal Server Error",
};
