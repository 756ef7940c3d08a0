import type { RequestListener } from "node:http";
import type { ApiFunction, ApiResponse } from "../../core/mod.ts";
import { exchange } from "./exchange.ts";
import type { ExchangeOptions } from "./exchange.ts";

/** Options of a listener. */
export interface ListenerOptions {
  /** Called with what the API threw, or with the reason why its answer could not be sent; the client gets 500. Default: nobody. */
  readonly onError?: (error: unknown) => void;
}

/** Serves an API in a `node:http` server of your own; `createNodeServer` makes a hardened one. */
export function nodeListener(api: ApiFunction, { onError }: ListenerOptions = {}): RequestListener {
  const failed = (error: unknown): ApiResponse => {
    try {
      onError?.(error);
    } catch {
      // The client is answered all the same.
    }
    return PLAIN_500;
  };
  const options: ExchangeOptions = { keepAliveFields: [], failed };
  return (req, res) => void exchange(api, req, res, options);
}

const PLAIN_500: ApiResponse = {
  status: 500,
  headers: ["Content-Type", "text/plain; charset=utf-8", "Cache-Control", "no-store"],
  body: "Internal Server Error",
};
