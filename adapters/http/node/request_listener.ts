import type { RequestListener } from "node:http";
import type { ApiFunction, ApiResponse } from "../../../core/mod.ts";
import { type BasePathOption, underBasePath } from "../base_path.ts";
import { type ExchangeOptions, exchange } from "./answer_request.ts";
import { peerOf } from "./client_addresses.ts";
import { EmbeddedRequest } from "./embedded_request.ts";
import { type OnExchange, watchExchange } from "./exchange_events.ts";

/** Options of a listener. */
export interface ListenerOptions extends BasePathOption {
  /** Called with what the API threw, or with the reason why its answer could not be sent; the client gets 500. Default: nobody. */
  readonly onError?: (error: unknown) => void;
  /** Called once for each answer, after it was sent or its client has left. Default: nobody. */
  readonly onExchange?: OnExchange;
}

/**
 * Serves an API in a `node:http` server of your own, also behind middleware and with requests that an app has made; `createNodeServer`
 * makes a hardened server. Fields come from `rawHeaders`, where repeated credentials are visible; a field that an app has added,
 * changed or removed in `req.headers` counts as it is there. It never throws.
 *
 * @throws RangeError for a `basePath` that is no path.
 * @throws TypeError for a `basePath` and an API that is not one of `createApi`.
 */
export function nodeListener(
  api: ApiFunction,
  { onError, onExchange, basePath }: ListenerOptions = {},
): RequestListener {
  const served = underBasePath(api, basePath);
  const failed = (error: unknown): ApiResponse => {
    try {
      onError?.(error);
    } catch {
      // The client is answered all the same.
    }
    return PLAIN_500;
  };
  const options: ExchangeOptions = { failed };
  return (req, res) => {
    // It would cost the client a unit for nothing.
    if (res.headersSent) return void failed(new Error("Cannot answer as the app has answered this request already"));
    if (!onExchange) return void exchange(served, new EmbeddedRequest(req), res, options);
    const request = new EmbeddedRequest(req);
    const sent = watchExchange(req, res, { onExchange, address: peerOf(req).address, fields: request });
    void exchange(served, request, res, { ...options, sent });
  };
}

const PLAIN_500: ApiResponse = {
  status: 500,
  headers: ["Content-Type", "text/plain; charset=utf-8", "Cache-Control", "no-store"],
  body: "Internal Server Error",
};
