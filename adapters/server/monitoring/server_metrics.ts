import { readdir } from "node:fs/promises";
import { millisSince } from "../../../core/internal.ts";
import type { AssetCode, UtcMillis } from "../../../core/mod.ts";
import type { MirrorStatus } from "../../feeds/mirror/mod.ts";
import { maxOpenFiles } from "../../http/node/connection_limits.ts";
import type { NodeLoad } from "../../http/node/mod.ts";
import type { PendingRecords } from "../../stores/shared/imports.ts";
import { counter, type Family, gauge } from "../../stores/shared/metric_types.ts";
import type { StoreInfo } from "../../stores/shared/store.ts";
import { REASON_CODES } from "../../stores/shared/store_troubles.ts";
import type { Readiness } from "./readiness.ts";

/** The figures of a server, without the figures about exchanges. */
export interface ServerFigures {
  readonly version: string;
  readonly readiness: Readiness;
  readonly load: NodeLoad | undefined;
  /** Like `pending`, this is `undefined` while the store does not answer. */
  readonly info: Pick<StoreInfo, "records" | "damages" | "lastBackup"> | undefined;
  readonly pending: PendingRecords["assets"] | undefined;
  /** The metrics of the store. */
  readonly ofStore: readonly Family[];
  readonly newest: UtcMillis | undefined;
  readonly mirror: MirrorStatus | undefined;
  readonly newestOf: ReadonlyMap<AssetCode, UtcMillis>;
  readonly now: UtcMillis;
  /** The number of lost lines, by log. */
  readonly linesLost: Readonly<Record<string, number>>;
}

/** The metrics of a server, from its figures, and of the process. */
export async function serverFamilies(figures: ServerFigures): Promise<readonly Family[]> {
  const { version, readiness, load, info, ofStore, newest, mirror, now } = figures;
  const pending = figures.pending?.map(({ code, records }) => ({ labels: { asset: code }, value: records }));
  const ages = [...figures.newestOf].map(([code, time]) => ({
    labels: { code },
    value: millisSince(time, now) / 1_000,
  }));
  const newestSeconds = newest && newest / 1_000;
  const backupAge = info?.lastBackup && millisSince(info.lastBackup, now) / 1_000;
  const found = new Set(readiness.reasons.map(({ code }) => code));
  const reasons = Object.fromEntries(REASON_CODES.map((code) => [code, found.has(code) ? 1 : 0]));
  return [
    gauge("mazaneh_build_info", "Always 1; the label is the version.", [{ labels: { version }, value: 1 }]),
    gauge("mazaneh_ready", "Whether the server is ready: 1 or 0.", readiness.ready ? 1 : 0),
    gauge("mazaneh_not_ready_reason", "Reasons why the server is not ready, each 1 or 0.", samplesBy("code", reasons)),
    ...(load ? loadFamilies(load) : []),
    gauge("observations", "Records in the store, of every status.", info?.records),
    gauge("mazaneh_pending_values", "Pending values of each asset.", pending),
    gauge("observation_newest_timestamp_seconds", "Business time of the newest record, Unix time.", newestSeconds),
    gauge("observation_age_seconds", "Age of the newest record.", newest && millisSince(newest, now) / 1_000),
    gauge("asset_observation_age_seconds", "Age of the newest record of each asset.", ages),
    gauge("store_damages", "Places in the log of observations that could not be read.", info?.damages),
    gauge("store_backup_age_seconds", "Age of the last complete backup.", backupAge),
    ...ofStore,
    ...(mirror ? mirrorFamilies(mirror) : []),
    counter("log_lines_lost_total", "Lines that could not be written.", samplesBy("log", figures.linesLost)),
    ...(await processFamilies()),
  ];
}

function loadFamilies(load: NodeLoad): readonly Family[] {
  const refused = samplesBy("reason", load.connectionsRefused);
  return [
    gauge("http_connections", "Open connections.", load.connections),
    gauge("http_connections_limit", "How many connections may be open.", load.connectionsLimit),
    counter("http_connections_refused_total", "Refused connections, counted separately for each limit.", refused),
    counter("http_connections_cut_total", "Connections cut, by the reason.", samplesBy("reason", load.connectionsCut)),
    gauge("http_server_active_requests", "Requests that are being worked on.", load.inFlight),
    gauge("http_server_waiting_requests", "Requests that wait for others.", load.waiting),
    gauge("http_server_held_bytes", "Bytes of unread answers and waiting requests.", load.heldBytes),
    gauge("event_loop_delay_seconds", "Duration of one turn of the event loop.", load.eventLoopDelayMs / 1_000),
  ];
}

function mirrorFamilies(mirror: MirrorStatus): readonly Family[] {
  const isRunning = mirror.state === "running" ? 1 : 0;
  const refreshAge = mirror.lastRefreshAgeSeconds ?? undefined;
  const newestAge = mirror.newestAgeSeconds ?? undefined;
  const assets = samplesBy("state", mirror.assets);
  const requests = samplesBy("outcome", mirror.requests);
  return [
    gauge("mirror_running", "Whether values are refreshed as often as promised (state running): 1 or 0.", isRunning),
    gauge("mirror_units_left", "Units of the upstream that may be spent now.", mirror.units.left),
    gauge("mirror_refresh_age_seconds", "Time since the last successful refresh.", refreshAge),
    gauge("mirror_newest_age_seconds", "Age of the newest value of the last refresh.", newestAge),
    gauge("mirror_pending_values", "Pending values of the mirror.", mirror.pending),
    gauge("mirror_assets", "Assets of the upstream by their state in the last refreshes.", assets),
    counter("mirror_requests_total", "Requests to the upstream with its key, by their outcome.", requests),
  ];
}

async function processFamilies(): Promise<readonly Family[]> {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  const openFiles = await countOpenFiles();
  return [
    gauge("process_resident_memory_bytes", "Memory of the process.", rss),
    gauge("nodejs_heap_used_bytes", "Used part of the JavaScript heap.", heapUsed),
    counter("process_cpu_seconds_total", "Processor time of the process.", (user + system) / 1e6),
    gauge("process_start_time_seconds", "Start of the process, Unix time.", performance.timeOrigin / 1_000),
    gauge("process_open_fds", "Open file descriptors.", openFiles),
    gauge("process_max_fds", "Maximum number of open file descriptors.", maxOpenFiles()),
  ];
}

/** The number of open file descriptors of this process; `undefined` if unknown. */
export function countOpenFiles(): Promise<number | undefined> {
  // `readdir` itself opens one.
  return readdir("/proc/self/fd").then(
    (names) => names.length - 1,
    () => undefined,
  );
}

/** A sample for each member of `counts`, with the name of the member as the label. */
function samplesBy(label: string, counts: object): Family["samples"] {
  return Object.entries(counts).map(([name, value]) => ({ labels: { [label]: name }, value: Number(value) }));
}
