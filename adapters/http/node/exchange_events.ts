import type { IncomingMessage, ServerResponse } from "node:http";
import type { ExchangeReport, RequestFields } from "../../../core/mod.ts";
import { callSafely } from "../call_safely.ts";

/** One answer, for access logs and metrics. */
export interface NodeExchange {
  /** The report of the API's answer or refusal; `undefined` if something other than the API answered. */
  readonly report: ExchangeReport | undefined;
  /** The method as sent; empty if no request could be read. */
  readonly method: string;
  readonly status: number;
  /** Length of the body as sent: compressed, and 0 for HEAD. */
  readonly bytes: number;
  /** Whether the system accepted the whole answer. If not, the connection ended early. */
  readonly isComplete: boolean;
  /** Milliseconds from the head of the request to the end of its answer, including any wait for earlier requests. */
  readonly durationMs: number;
  /** The address of the client, according to trusted proxies if there are any; `undefined` on a Unix socket. */
  readonly address: string | undefined;
  /** The trace id of a valid `traceparent` field. */
  readonly traceId: string | undefined;
}

/** Receives each answer after it was sent or cut. Its errors are dropped. */
export type OnExchange = (exchange: NodeExchange) => void;

/** A written answer. */
export type SentAnswer = Pick<NodeExchange, "status" | "bytes" | "report">;

/** Watches a request. Call the returned function once the answer is written; `onExchange` is called once it is sent. */
export function watchExchange(
  req: IncomingMessage,
  res: ServerResponse,
  { onExchange, address, fields }: Pick<NodeExchange, "address"> & { onExchange: OnExchange; fields: RequestFields },
): (sent: SentAnswer) => void {
  const startedAt = performance.now();

  function report(sent: SentAnswer, isComplete: boolean): void {
    const { method = "" } = req;
    const durationMs = performance.now() - startedAt;
    callSafely(onExchange, { ...sent, method, isComplete, durationMs, address, traceId: traceIdOf(fields) });
  }

  return (sent) => {
    // The system nearly always has the whole answer already, so there is no event to wait for.
    if (res.writableEnded && res.writableLength === 0 && !req.socket?.destroyed) return report(sent, true);
    if (res.closed) return report(sent, false);
    let isComplete = false;
    // `finish` is also emitted, and `writableFinished` is true, for a cut answer whose connection is destroyed.
    res.once("finish", () => (isComplete = !req.socket?.destroyed));
    // `close` comes after `finish`, or instead of `finish` if the client leaves.
    res.once("close", () => report(sent, isComplete));
  };
}

const TRACE_PARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The trace id of the only `traceparent` field; `undefined` unless it is valid. Source: W3C Trace Context, 3.2. */
export function traceIdOf(fields: RequestFields): string | undefined {
  return TRACE_PARENT.exec(fields.get("traceparent") ?? "")?.[1];
}
