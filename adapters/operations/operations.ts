import { setTimeout as wait } from "node:timers/promises";
import { formatTimestamp } from "../../core/internal.ts";
import type { AssetCode, Clock, MaybePromise, Observations } from "../../core/mod.ts";
import type { MirrorStatus } from "../mirror/mod.ts";
import type { NodeLoad, OnExchange } from "../node/mod.ts";
import type { Store } from "../store/store.ts";
import type { Watcher } from "../store/watcher.ts";
import type { AccessLog } from "./access_log.ts";
import { expose } from "./exposition.ts";
import type { Log } from "./log.ts";
import { createExchangeMetrics } from "./metrics.ts";
import { createReadiness } from "./readiness.ts";
import type { ReadinessReport } from "./readiness.ts";
import { serverFamilies } from "./server_metrics.ts";
import type { ServerStatus } from "./status.ts";
import { mirrorTroubles, troublesOf, watchFeed, watchHeld } from "./watchers.ts";

/** What is watched, and where that is told. */
export interface OperationsOptions {
  readonly store: Pick<Store, "watcher" | "info" | "metrics"> & { readonly observations: Observations };
  /** Of a ledger of units beside the store; `undefined` where the store counts them. */
  readonly quotaWatcher: Watcher | undefined;
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
  readonly onExchange: OnExchange | undefined;
  /** Whether requests with a key can be served. */
  canServe(): boolean;
  readiness(): ReadinessReport;
  metrics(): Promise<string>;
  status(): Promise<ServerStatus>;
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
/** A store that has not told its figures for so long tells none. */
const FIGURES_MS = 2_000;

/** Makes the watch over a store and its server. */
export function createOperations(options: OperationsOptions): Operations {
  const { store, quotaWatcher, clock, version, codes, feedMaxAgeMinutes, log, accessLog, countsExchanges, mirror } = options;
  const exchanges = countsExchanges ? createExchangeMetrics() : undefined;
  const listeners = [exchanges?.add, accessLog?.write].filter((listener) => listener !== undefined);
  const startedAt = formatTimestamp(clock());
  let load: (() => NodeLoad) | undefined;
  let urls: { readonly url?: string; readonly adminUrl?: string | undefined } = {};
  let isDraining = false;
  let timer: NodeJS.Timeout | undefined;

  const feed = watchFeed(store.observations, { codes, clock, maxAgeMinutes: feedMaxAgeMinutes });
  const server: Watcher = {
    troubles: () => [
      ...troublesOf("draining", isDraining ? "The server stops" : undefined),
      ...troublesOf("overloaded", load?.().isLate ? "There is more work than the server can do: events wait for too long" : undefined),
    ],
  };
  const upstream: Watcher = {
    troubles() {
      const status = mirror();
      return status ? mirrorTroubles(status) : [];
    },
  };
  const held = watchHeld(store);
  const watchers = [server, store.watcher, quotaWatcher, feed, held, upstream].filter((watcher) => watcher !== undefined);
  const watch = createReadiness(watchers, clock, (change) => log?.changed(change));
  const linesLost = (): Record<string, number> => ({ log: log?.lost() ?? 0, access_log: accessLog?.lost() ?? 0 });

  return {
    onExchange: listeners.length === 0 ? undefined : (exchange) => listeners.forEach((listener) => listener(exchange)),
    canServe: () => (store.watcher.canServe?.() ?? store.watcher.troubles().length === 0) && (quotaWatcher?.troubles() ?? []).length === 0,
    readiness: () => ({ ...watch.current(), held: held.count() }),
    async metrics() {
      // What the store cannot tell just now is left out: these figures are wanted most when something is wrong.
      const [info, ofStore = []] = await Promise.all([
        within(FIGURES_MS, store.info),
        within(FIGURES_MS, store.metrics),
        within(FIGURES_MS, feed.sweep), // So that the newest record is the newest now.
      ]);
      const figures = { version, readiness: watch.current(), load: load?.(), info, ofStore, newest: feed.newest(), mirror: mirror(), now: clock(), linesLost: linesLost() };
      return expose([...(exchanges?.families() ?? []), ...(await serverFamilies(figures))]);
    },
    async status() {
      const { records, held, damages, diskFreeBytes } = await store.info();
      const newest = feed.newest();
      const { connections = 0, inFlight = 0, eventLoopDelayMs = 0 } = load?.() ?? {};
      return {
        ...watch.current(),
        version,
        pid: process.pid,
        startedAt,
        url: urls.url ?? null,
        adminUrl: urls.adminUrl ?? null,
        records,
        held,
        newestRecord: newest === undefined ? null : formatTimestamp(newest),
        newestRecordAgeSeconds: newest === undefined ? null : Math.round((clock() - newest) / 1_000),
        damages,
        requests: exchanges?.total() ?? null,
        connections,
        inFlight,
        eventLoopDelayMs: Math.round(eventLoopDelayMs),
        diskFreeBytes: diskFreeBytes ?? null,
        memoryBytes: process.memoryUsage.rss(),
        linesLost: Object.values(linesLost()).reduce((sum, lost) => sum + lost, 0),
        mirror: mirror() ?? null,
      };
    },
    async begin(ofServer) {
      load = ofServer;
      await watch.sweep();
      timer = setInterval(() => {
        log?.sweep();
        // What cannot be found out now, the next sweep tries again.
        void watch.sweep().catch(() => undefined);
      }, SWEEP_MS).unref();
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

/** What is found out in time; `undefined` where that takes longer, or fails. */
async function within<Value>(ms: number, find: () => MaybePromise<Value>): Promise<Value | undefined> {
  const found = Promise.resolve().then(find).catch(() => undefined);
  return Promise.race([found, wait(ms, undefined, { ref: false })]);
}
