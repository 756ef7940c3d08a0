import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { isLater } from "../../../core/internal.ts";
import type { ExchangeReport, RequestFields } from "../../../core/mod.ts";
import { peerOf } from "./client_addresses.ts";

/** One answer, for access logs and metrics. */
export interface NodeExchange {
  /** Of the API's answer, or of the server's own refusal; `undefined` where something else has answered. */
  readonly report: ExchangeReport | undefined;
  /** As sent; empty where no request could be read. */
  readonly method: string;
  readonly status: number;
  /** Length of the body as sent: compressed, and 0 for HEAD. */
  readonly bytes: number;
  /** Whether the system has taken the whole answer. If not, the connection ended before. */
  readonly isComplete: boolean;
  /** Milliseconds from the request's head until then, with the time for which it waited behind others of its connection. */
  readonly durationMs: number;
  /** The client's, as trusted proxies say where there are some; `undefined` on a Unix socket. */
  readonly address: string | undefined;
  /** Of a valid `traceparent` field. */
  readonly traceId: string | undefined;
}

/** Receives each answer after it was sent or cut. What it throws is dropped. */
export type OnExchange = (exchange: NodeExchange) => void;

/** An answer as it was written. */
export type SentAnswer = Pick<NodeExchange, "status" | "bytes" | "report">;

/** Who gets the event of a request, and where that came from. */
interface Watch extends Pick<NodeExchange, "address"> {
  readonly onExchange: OnExchange;
  readonly fields: RequestFields;
}

/** Begins to watch a request. The function returned is to be called when the answer is written: the event follows once the system has it. */
export function watchExchange(
  req: IncomingMessage,
  res: ServerResponse,
  { onExchange, address, fields }: Watch,
): (sent: SentAnswer) => void {
  const startedAt = performance.now();

  function report({ report, status, bytes }: SentAnswer, isComplete: boolean): void {
    const { method = "" } = req;
    const durationMs = performance.now() - startedAt;
    call(onExchange, {
      report,
      method,
      status,
      bytes,
      isComplete,
      durationMs,
      address,
      traceId: traceIdOf(fields),
    });
  }

  return (sent) => {
    // Nearly always the system has the whole answer by now, and there is no event to wait for.
    if (res.writableEnded && res.writableLength === 0 && !req.socket?.destroyed) return report(sent, true);
    if (res.closed) return report(sent, false);
    let isComplete = false;
    // Comes for a cut answer, too, once its connection is destroyed; `writableFinished` is then true as well.
    res.once("finish", () => (isComplete = !req.socket?.destroyed));
    // Comes after `finish`, or instead of it when the client goes away.
    res.once("close", () => report(sent, isComplete));
  };
}

/** Tells of an answer on a connection from which no request could be read. */
export function notifyRefusal(
  socket: Duplex,
  answer: SentAnswer & Pick<NodeExchange, "isComplete">,
  onExchange: OnExchange,
): void {
  const { report, status, bytes, isComplete } = answer;
  call(onExchange, {
    report,
    method: "",
    status,
    bytes,
    isComplete,
    durationMs: 0,
    address: peerOf({ socket }).address,
    traceId: undefined,
  });
}

/** Nobody could handle an error here: the answer is on its way, and the process must not end. */
function call(onExchange: OnExchange, event: NodeExchange): void {
  try {
    const result: unknown = onExchange(event);
    if (isLater(result)) result.catch(() => undefined);
  } catch {
    // As above.
  }
}

const TRACE_PARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The trace id of a `traceparent` field. Anything else than one valid field is ignored. Source: W3C Trace Context, 3.2. */
export function traceIdOf(fields: RequestFields): string | undefined {
  return TRACE_PARENT.exec(fields.get("traceparent") ?? "")?.[1];
}
