import { formatTimestamp, millisSince } from "../../../core/internal.ts";
import type { AssetCode, KeyHolder, UtcClock } from "../../../core/mod.ts";
import type { MirrorStatus } from "../../feeds/mirror/mod.ts";
import { maxOpenFiles } from "../../http/node/connection_limits.ts";
import type { NodeLoad, OnExchange } from "../../http/node/mod.ts";
import type { Store, StoreChange } from "../../stores/shared/store.ts";
import type { Watcher } from "../../stores/shared/store_troubles.ts";
import type { AccessLog } from "./access_log.ts";
import { createOverview } from "./admin_overview.ts";
import { createExchangeMetrics } from "./exchange_metrics.ts";
import { createFeedMetrics } from "./feed_metrics.ts";
import { figure } from "./figures_in_time.ts";
import { expose } from "./prometheus_text.ts";
import { createReadiness, type ReadinessReport } from "./readiness.ts";
import type { Log } from "./server_log.ts";
import { countOpenFiles, serverFamilies } from "./server_metrics.ts";
import { mirrorTroubles, troublesOf, watchClock, watchCounts, watchFeed, watchLimits } from "./trouble_watchers.ts";

/** The parts of a server to watch, and its logs. */
export interface OperationsOptions {
  readonly store: Store;
  /** Default: `UTC`. */
  readonly quotaTimeZone?: string;
  /** Default: `Asia/Tehran`. */
  readonly marketTimeZone?: string;
  readonly clock: UtcClock;
  /** The version that the admin listener and the page show. Default: empty. */
  readonly version?: string;
  /** The codes of the served assets. */
  readonly codes: readonly AssetCode[];
  /** The server is not ready if its newest record is older than this. Default: `none`. */
  readonly feedMaxAgeMinutes?: number | "none";
  readonly log?: Log;
  readonly accessLog?: AccessLog | undefined;
  /**
   * The port of the admin listener on 127.0.0.1; 0 for any free port. Exchanges are counted only for this listener.
   * Default: `none`.
   */
  readonly adminPort?: number | "none";
  /** The status of the mirror; `undefined` if there is none. */
  readonly mirror: () => MirrorStatus | undefined;
}

/** Watches a server from before it listens until it has stopped. */
export type Operations = ReturnType<typeof createOperations>;

/** The state of a running server, which other processes receive as JSON. A member is `null` while it is unknown. */
export type ServerStatus = Awaited<ReturnType<Operations["status"]>>;

const SWEEP_MS = 2_000;

/** Makes a monitor of a store and its server. */
export function createOperations(options: OperationsOptions) {
  const { store, clock, codes, log, accessLog, mirror, version = "", feedMaxAgeMinutes = "none" } = options;
  const { quotaTimeZone = "UTC", marketTimeZone = "Asia/Tehran", adminPort = "none" } = options;
  const exchanges = adminPort === "none" ? undefined : createExchangeMetrics();
  const feeds = createFeedMetrics(codes);
  const kept = createOverview(store, { clock, quotaTimeZone });
  const listeners = [exchanges?.add, accessLog?.write].filter((listener) => listener !== undefined);
  const onExchange: OnExchange = (exchange) => listeners.forEach((listener) => listener(exchange));
  const startedAt = formatTimestamp(clock());
  let load: (() => NodeLoad) | undefined;
  let urls: { readonly url?: string; readonly adminUrl?: string | undefined } = {};
  let isDraining = false;
  let timer: NodeJS.Timeout | undefined;

  const maxAgeMinutes = feedMaxAgeMinutes === "none" ? undefined : feedMaxAgeMinutes;
  const feed = watchFeed(store.observations, { codes, clock, maxAgeMinutes });
  const overload = "The server has more work than it can do: events wait too long";
  const server: Watcher = {
    troubles: () => [
      ...troublesOf("draining", isDraining ? "The server stops" : undefined),
      ...troublesOf("overloaded", load?.().isLate ? overload : undefined),
    ],
  };
  const upstream: Watcher = { troubles: () => mirrorTroubles(mirror()) };
  const counts = watchCounts(store);
  const watchers = [server, store.watcher, feed, counts, upstream];
  const watch = createReadiness(watchers, clock, (change) => log?.changed(change));
  const linesLost = (): Record<string, number> => ({ log: log?.lost() ?? 0, access_log: accessLog?.lost() ?? 0 });

  async function status() {
    const info = await figure(store.info);
    const newest = feed.newest();
    const { connections = 0, inFlight = 0, eventLoopDelayMs = 0 } = load?.() ?? {};
    return {
      ...watch.current(),
      version,
      pid: process.pid,
      startedAt,
      url: urls.url ?? null,
      /** `null` if there is no admin listener. In that case, no requests are counted. */
      adminUrl: urls.adminUrl ?? null,
      /** The number of records, whatever their status. */
      records: info?.records ?? null,
      pending: info?.pending ?? null,
      /** Business time of the newest record. */
      newestRecord: newest === undefined ? null : formatTimestamp(newest),
      newestRecordAgeSeconds: newest === undefined ? null : Math.round(millisSince(newest, clock()) / 1_000),
      damages: info?.damages ?? null,
      /** Time of the last complete backup. */
      lastBackup: info?.lastBackup === undefined ? null : formatTimestamp(info.lastBackup),
      requests: exchanges?.total() ?? null,
      connections,
      inFlight,
      eventLoopDelayMs: Math.round(eventLoopDelayMs),
      diskFreeBytes: info?.diskFreeBytes ?? null,
      memoryBytes: process.memoryUsage.rss(),
      linesLost: Object.values(linesLost()).reduce((sum, lost) => sum + lost, 0),
      /** `null` if the server is not a mirror, or while its store is not writable. */
      mirror: mirror() ?? null,
    };
  }

  return {
    /** To be called with each exchange; `undefined` if nobody needs exchanges. */
    onExchange: listeners.length === 0 ? undefined : onExchange,
    /** Whether requests with a key can be served. */
    canServe: (): boolean => store.watcher.canServe?.() ?? store.watcher.troubles().length === 0,
    readiness: (): ReadinessReport => ({ ...watch.current(), ...counts.counts() }),
    async metrics(): Promise<string> {
      // Omit figures that the store cannot give now, because metrics are needed most when something is wrong.
      const [info, ofStore = [], pending] = await Promise.all([
        figure(store.info),
        figure(store.metrics),
        figure(() => store.imports?.pending(null, 0)),
        figure(feed.sweep), // Updates the newest record.
      ]);
      const figures = {
        version,
        readiness: watch.current(),
        load: load?.(),
        info,
        pending: pending?.assets,
        ofStore,
        newest: feed.newest(),
        newestOf: feed.newestOf(),
        mirror: mirror(),
        now: clock(),
        linesLost: linesLost(),
      };
      return expose([...(exchanges?.families() ?? []), feeds.family(), ...(await serverFamilies(figures))]);
    },
    status,
    async overview() {
      await figure(feed.sweep);
      const current = await status();
      return {
        ...(await kept.make(exchanges?.tallies() ?? [])),
        status: current,
        diskDays: kept.diskDays(current.diskFreeBytes),
        now: clock(),
        marketTimeZone,
        errors: exchanges?.errors() ?? [],
        newestOf: feed.newestOf(),
      };
    },
    /** Starts to watch. Resolves after the first sweep. `ofServer` returns the load of the server. */
    async begin(ofServer: () => NodeLoad): Promise<void> {
      load = ofServer;
      await watch.sweep();
      kept.noteDisk((await figure(store.info))?.diskFreeBytes);
      const jumped = watchClock(clock);
      const files = { openFiles: countOpenFiles, maxFiles: maxOpenFiles() };
      const reportLimits = watchLimits(ofServer, files, (kind, message) =>
        log?.often(kind, { level: "warn", event: "limit-reached", message }),
      );
      timer = setInterval(() => {
        const jump = jumped();
        if (jump !== undefined) log?.write({ level: "warn", event: "warning", message: jump });
        void reportLimits();
        log?.sweep();
        void watch.sweep().catch(() => undefined); // The next sweep tries again.
      }, SWEEP_MS).unref();
    },
    /** To be called with each change of the data. */
    changed(change: StoreChange): void {
      const { what, number, ...who } = change;
      const records = who.records === undefined ? "" : `: ${who.records} record${who.records === 1 ? "" : "s"}`;
      const message = `${who.user} (${who.program}, process ${who.pid}) ${what}${records}`;
      kept.noteChange(change);
      log?.write({ level: "info", event: "changed", message, ...who, change: number });
    },
    /** Counts the values from a feed. */
    judged: feeds.add,
    /** To be called with the addresses when the server listens. */
    listening(where: { readonly url: string; readonly adminUrl: string | undefined }): void {
      urls = where;
    },
    /** Logs that a revoked or expired key was used: it may have leaked, or a client still has to replace it. */
    refusedKey({ account, key: { id: keyId } }: KeyHolder, requestId: string): void {
      const message = `Key ${keyId} of account ${account.id} was refused: it is revoked or expired`;
      log?.often(`key:${keyId}`, { level: "warn", event: "key-refused", message, keyId, requestId });
    },
    /** To be called when the server begins to stop. */
    drain(): void {
      isDraining = true;
    },
    /** Ends the watch. */
    close: (): void => clearInterval(timer),
  };
}
