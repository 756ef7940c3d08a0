import { join } from "node:path";
import { formatTimestamp } from "../../core/internal.ts";
import type { AssetCode, Clock } from "../../core/mod.ts";
import type { JsonFileStore } from "../json_files/mod.ts";
import type { MirrorStatus } from "../mirror/mod.ts";
import type { NodeExchange, NodeLoad } from "../node/mod.ts";
import type { Trouble, Watcher } from "../store/watcher.ts";
import type { AccessLog } from "./access_log.ts";
import { watchStore } from "./data_folder.ts";
import type { StoreWatcher } from "./data_folder.ts";
import { expose } from "./exposition.ts";
import { watchFeed } from "./feed.ts";
import type { FeedWatcher } from "./feed.ts";
import type { Log } from "./log.ts";
import { createExchangeMetrics } from "./metrics.ts";
import { watchDelay } from "./overload.ts";
import { bytesIn, processFigures } from "./process_figures.ts";
import { createReadiness } from "./readiness.ts";
import type { Readiness, ReadinessWatch } from "./readiness.ts";
import { serverFamilies } from "./server_metrics.ts";
import type { ServerStatus } from "./status.ts";

/** What is watched, and where that is told. */
export interface OperationsOptions {
  readonly store: JsonFileStore;
  /** The folder of the store. */
  readonly directory: string;
  /** Time before `writable` may settle. */
  readonly reopenAfterMs: number;
  readonly clock: Clock;
  readonly version: string;
  /** The codes of the assets that are served. */
  readonly codes: readonly AssetCode[];
  /** Age of the newest record above which the server is not ready; `undefined` for no limit. */
  readonly feedMaxAgeMinutes: number | undefined;
  readonly log: Log | undefined;
  readonly accessLog: AccessLog | undefined;
  /** Whether exchanges are counted. */
  readonly countsExchanges: boolean;
  /** What the mirror says of itself; `undefined` where there is none. */
  readonly mirror: () => MirrorStatus | undefined;
}

/** Watches a server, from before it listens until it has stopped. */
export interface Operations {
  /** Receives each exchange; absent where nobody wants to know. */
  readonly onExchange: ((exchange: NodeExchange) => void) | undefined;
  /** Settles when a store that was opened read-only could be opened anew for writing. */
  readonly writable: Promise<void>;
  /** Whether requests with a key can be served. */
  canServe(): boolean;
  readiness(): Readiness;
  metrics(): Promise<string>;
  status(): ServerStatus;
  /** Begins to watch; settles when all is known. `load` is that of the server. */
  begin(load: () => NodeLoad): Promise<void>;
  /** Notes where the server listens. */
  listening(where: { readonly url: string; readonly adminUrl: string | undefined }): void;
  /** Says that a stop has begun. */
  drain(): void;
  /** Ends the watch. */
  close(): void;
}

const SWEEP_MS = 2_000;

/** Makes the watch over a store and its server. */
export async function createOperations(options: OperationsOptions): Promise<Operations> {
  const { store, directory, reopenAfterMs, clock, version, codes, feedMaxAgeMinutes, log, accessLog, countsExchanges, mirror } = options;
  const exchanges = countsExchanges ? createExchangeMetrics() : undefined;
  const startedAt = formatTimestamp(clock());
  let load: (() => NodeLoad) | undefined;
  let urls: { readonly url?: string; readonly adminUrl?: string | undefined } = {};
  let isDraining = false;
  let timer: NodeJS.Timeout | undefined;

  const folder: StoreWatcher = await watchStore({ directory, reopenAfterMs, condition: store.condition });
  const feed: FeedWatcher = watchFeed(store.observations, { codes, clock, maxAgeMinutes: feedMaxAgeMinutes });
  const draining: Watcher = { troubles: () => (isDraining ? [{ code: "draining", message: "The server stops" }] : []) };
  const upstream: Watcher = { troubles: () => mirrorTroubles(mirror()) };
  const overload = watchDelay(() => load?.().eventLoopDelayMs ?? 0);
  const watchers = [draining, folder, feed, upstream, overload, log, accessLog].filter((watcher) => watcher !== undefined);
  const watch: ReadinessWatch = createReadiness(watchers, clock, (change) => log?.changed(change));

  return {
    onExchange: exchangeListener(exchanges?.add, accessLog?.write),
    writable: folder.writable,
    canServe: folder.canServe,
    readiness: watch.current,
    async metrics() {
      await feed.sweep(); // So that the newest record is the newest now.
      const [logBytes, quotaBytes, ofProcess] = await Promise.all([bytesIn(join(directory, "obs")), bytesIn(join(directory, "quota")), processFigures()]);
      const newest = feed.newest();
      return expose([
        ...(exchanges?.families() ?? []),
        ...serverFamilies({
          version,
          readiness: watch.current(),
          load: load?.(),
          condition: store.condition(),
          disk: folder.disk(),
          logBytes,
          quotaBytes,
          ofProcess,
          newest,
          newestAgeSeconds: newest === undefined ? undefined : (clock() - newest) / 1_000,
          records: store.observations.size(),
          damages: store.damages.length,
          droppedLines: { log: log?.dropped() ?? 0, access_log: accessLog?.dropped() ?? 0 },
        }),
      ]);
    },
    status() {
      const newest = feed.newest();
      const { connections = 0, inFlight = 0, eventLoopDelayMs = 0 } = load?.() ?? {};
      return {
        ...watch.current(),
        version,
        pid: process.pid,
        startedAt,
        url: urls.url ?? null,
        adminUrl: urls.adminUrl ?? null,
        records: store.observations.size(),
        newestRecord: newest === undefined ? null : formatTimestamp(newest),
        newestRecordAgeSeconds: newest === undefined ? null : Math.round((clock() - newest) / 1_000),
        damages: store.damages.length,
        requests: exchanges?.total() ?? null,
        connections,
        inFlight,
        eventLoopDelayMs: Math.round(eventLoopDelayMs),
        diskFreeBytes: folder.disk()?.freeBytes ?? null,
        memoryBytes: process.memoryUsage.rss(),
        linesLost: (log?.dropped() ?? 0) + (accessLog?.dropped() ?? 0),
        mirror: mirror() ?? null,
      };
    },
    async begin(ofServer) {
      load = ofServer;
      await watch.sweep();
      // What cannot be found out now, the next sweep tries again.
      timer = setInterval(() => void watch.sweep().catch(() => undefined), SWEEP_MS).unref();
    },
    listening(where) {
      urls = where;
    },
    drain() {
      isDraining = true;
    },
    close() {
      clearInterval(timer);
    },
  };
}

function mirrorTroubles(mirror: MirrorStatus | undefined): readonly Trouble[] {
  if (mirror?.state !== "stopped") return [];
  return [{ code: "mirror-stopped", message: `The mirror has stopped, as ${mirror.trouble?.message ?? "its key was refused"}` }];
}

type Listener = (exchange: NodeExchange) => void;

function exchangeListener(count: Listener | undefined, write: Listener | undefined): Listener | undefined {
  if (!count || !write) return count ?? write;
  return (exchange) => {
    count(exchange);
    write(exchange);
  };
}
