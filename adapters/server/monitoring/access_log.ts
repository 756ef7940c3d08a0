import type { Writable } from "node:stream";
import { formatTimestamp } from "../../../core/internal.ts";
import type { UtcClock } from "../../../core/mod.ts";
import type { NodeExchange } from "../../http/node/mod.ts";
import { methodLabel } from "./exchange_metrics.ts";
import { type LineFormat, printable } from "./log_entry.ts";
import { createLineWriter } from "./log_line_writer.ts";

/** A log with a line for each exchange: caller, route and result, but no query, header field or secret. */
export type AccessLog = ReturnType<typeof createAccessLog>;

/** Makes an access log that writes to a stream. */
export function createAccessLog(
  stream: Writable,
  { format, clock }: { readonly format: LineFormat; readonly clock: UtcClock },
) {
  const line = format === "json" ? jsonLine : textLine;
  const writer = createLineWriter(stream);
  return { ...writer, write: (exchange: NodeExchange): void => writer.write(line(exchange, formatTimestamp(clock()))) };
}

function jsonLine(
  { report, method, status, bytes, isComplete, durationMs, address, traceId }: NodeExchange,
  time: string,
): string {
  return JSON.stringify({
    time,
    requestId: report?.requestId ?? "",
    method: methodLabel(method),
    route: report?.route ?? "unmatched",
    status,
    code: report?.code,
    bytes,
    ms: Math.round(durationMs * 100) / 100,
    ...(!isComplete && { cut: true }),
    accountId: report?.accountId,
    keyId: report?.keyId,
    address,
    traceId,
  });
}

function textLine(
  { report, method, status, bytes, isComplete, durationMs, address = "-", traceId }: NodeExchange,
  time: string,
): string {
  const who = report?.accountId === undefined ? "-" : `${printable(report.accountId)}/${report.keyId}`;
  const what = `${methodLabel(method)} ${report?.route ?? "unmatched"} ${status} ${bytes} B${isComplete ? "" : " cut"} ${durationMs.toFixed(1)} ms`;
  return `${time} ${address} ${who} ${what} ${report?.requestId ?? "-"}${traceId === undefined ? "" : ` ${traceId}`}`;
}
