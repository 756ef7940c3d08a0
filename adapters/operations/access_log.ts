import { formatTimestamp } from "../../core/internal.ts";
import type { Clock } from "../../core/mod.ts";
import type { NodeExchange } from "../node/mod.ts";
import type { Watcher } from "../store/watcher.ts";
import { createLineWriter } from "./line_writer.ts";
import { printable } from "./log_entry.ts";
import type { LineFormat } from "./log_entry.ts";
import { troublesOf } from "./log.ts";
import { methodLabel } from "./metrics.ts";

/** A log with a line for each exchange: who asked for what, and how it went; never a query, a header field or a secret. */
export interface AccessLog extends Watcher {
  write(exchange: NodeExchange): void;
  close(): Promise<void>;
  dropped(): number;
}

const GATHER_MS = 100;
const FLUSH_MS = 1_000;

/** Makes an access log on an open file descriptor. */
export function createAccessLog(fd: number, { format, clock }: { readonly format: LineFormat; readonly clock: Clock }): AccessLog {
  const line = format === "json" ? jsonLine : textLine;
  const writer = createLineWriter(fd, { gatherMs: GATHER_MS, lost });

  function lost(count: number): string {
    const time = formatTimestamp(clock());
    return format === "json" ? `{"time":"${time}","linesLost":${count}}` : `${time} ${count} lines are lost`;
  }

  return {
    write: (exchange) => writer.write(line(exchange, formatTimestamp(clock()))),
    troubles: () => troublesOf(writer, "access log"),
    close: () => writer.flush(FLUSH_MS),
    dropped: () => writer.dropped(),
  };
}

function jsonLine({ report, method, status, bytes, isComplete, durationMs, address, traceId }: NodeExchange, time: string): string {
  // Put together by hand, as this is done for each request. Only account and address could hold what JSON escapes.
  const account = report?.accountId === undefined ? "" : `,"accountId":${JSON.stringify(report.accountId)}`;
  const key = report?.keyId === undefined ? "" : `,"keyId":"${report.keyId}"`;
  const code = report?.code === undefined ? "" : `,"code":"${report.code}"`;
  const from = address === undefined ? "" : `,"address":${JSON.stringify(address)}`;
  const trace = traceId === undefined ? "" : `,"traceId":"${traceId}"`;
  const cut = isComplete ? "" : `,"cut":true`;
  return (
    `{"time":"${time}","requestId":"${report?.requestId ?? ""}","method":"${methodLabel(method)}","route":"${report?.route ?? "unmatched"}",` +
    `"status":${status}${code},"bytes":${bytes},"ms":${Math.round(durationMs * 100) / 100}${cut}${account}${key}${from}${trace}}`
  );
}

function textLine({ report, method, status, bytes, isComplete, durationMs, address = "-", traceId }: NodeExchange, time: string): string {
  const who = report?.accountId === undefined ? "-" : `${printable(report.accountId)}/${report.keyId}`;
  const trace = traceId === undefined ? "" : ` ${traceId}`;
  return `${time} ${address} ${who} ${methodLabel(method)} ${report?.route ?? "unmatched"} ${status} ${bytes} B${isComplete ? "" : " cut"} ${durationMs.toFixed(1)} ms ${report?.requestId ?? "-"}${trace}`;
}
