import type { UtcMillis } from "../../core/mod.ts";
import type { NodeLoad } from "../node/mod.ts";
import { counter, family, gauge } from "../store/metrics.ts";
import type { Family } from "../store/metrics.ts";
import { REASON_CODES } from "../store/watcher.ts";
import type { ProcessFigures } from "./process_figures.ts";
import type { Readiness } from "./readiness.ts";

/** The figures of a server other than those of its exchanges. */
export interface ServerFigures {
  readonly version: string;
  readonly readiness: Readiness;
  readonly load: NodeLoad | undefined;
  /** Those of the engine. */
  readonly ofStore: readonly Family[];
  readonly ofProcess: ProcessFigures;
  readonly newest: UtcMillis | undefined;
  readonly newestAgeSeconds: number | undefined;
  /** `undefined` where the store does not tell just now. */
  readonly records: number | undefined;
  readonly damages: number | undefined;
  readonly droppedLines: { readonly log: number; readonly access_log: number };
}

/** The metrics of these figures. */
export function serverFamilies(figures: ServerFigures): readonly Family[] {
  const { version, readiness, newest, droppedLines } = figures;
  const reasons = new Set(readiness.reasons.map(({ code }) => code));
  return [
    family("mazaneh_build_info", "gauge", "Always 1; the label tells the version.", [{ labels: { version }, value: 1 }]),
    gauge("mazaneh_ready", "Whether the server is ready: 1 or 0.", readiness.ready ? 1 : 0),
    family("mazaneh_not_ready_reason", "gauge", "Reasons why the server is not ready, each 1 or 0.", REASON_CODES.map((code) => ({ labels: { code }, value: reasons.has(code) ? 1 : 0 }))),
    ...loadFamilies(figures.load),
    gauge("observations", "Records in the store, of every status.", figures.records),
    gauge("observation_newest_timestamp_seconds", "Business time of the newest record, Unix time.", newest === undefined ? undefined : newest / 1_000),
    gauge("observation_age_seconds", "Age of the newest record.", figures.newestAgeSeconds),
    gauge("store_damages", "Places in the log of observations that could not be read.", figures.damages),
    ...figures.ofStore,
    family("log_lines_lost_total", "counter", "Lines that could not be written.", Object.entries(droppedLines).map(([log, value]) => ({ labels: { log }, value }))),
    ...processFamilies(figures.ofProcess),
  ];
}

function loadFamilies(load: NodeLoad | undefined): readonly Family[] {
  if (!load) return [];
  const { connections, connectionsRefused, connectionsCut, inFlight, waiting, heldBytes, eventLoopDelayMs } = load;
  const byReason = (counts: object): Family["samples"] => Object.entries(counts).map(([reason, value]) => ({ labels: { reason }, value: Number(value) }));
  return [
    gauge("http_connections", "Open connections.", connections),
    family("http_connections_refused_total", "counter", "Connections closed at once, by the limit that was reached.", byReason(connectionsRefused)),
    family("http_connections_cut_total", "counter", "Connections cut, by the reason.", byReason(connectionsCut)),
    gauge("http_server_active_requests", "Requests that are being worked on.", inFlight),
    gauge("http_server_waiting_requests", "Requests that wait for others.", waiting),
    gauge("http_server_held_bytes", "Bytes of unread answers and waiting requests.", heldBytes),
    gauge("event_loop_delay_seconds", "Time that the event loop took to come round.", eventLoopDelayMs / 1_000),
  ];
}

function processFamilies({ residentBytes, heapUsedBytes, cpuSeconds, startedAt, openFiles }: ProcessFigures): readonly Family[] {
  return [
    gauge("process_resident_memory_bytes", "Memory of the process.", residentBytes),
    gauge("nodejs_heap_used_bytes", "Used part of the JavaScript heap.", heapUsedBytes),
    counter("process_cpu_seconds_total", "Processor time of the process.", cpuSeconds),
    gauge("process_start_time_seconds", "Start of the process, Unix time.", startedAt),
    gauge("process_open_fds", "Open file descriptors.", openFiles),
  ];
}
