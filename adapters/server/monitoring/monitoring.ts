import { setTimeout as wait } from "node:timers/promises";
import { formatTimestamp, millisSince } from "../../../core/internal.ts";
import type { AssetCode, KeyHolder, MaybePromise, Observations, QuotaLedger, UtcClock } from "../../../core/mod.ts";
import type { MirrorOptions, MirrorStatus } from "../../feeds/mirror/mod.ts";
import { maxOpenFiles } from "../../http/node/connection_limits.ts";
import type { NodeLoad, OnExchange } from "../../http/node/mod.ts";
import type { Store, StoreChange } from "../../stores/shared/store.ts";
import type { Watcher } from "../../stores/shared/store_troubles.ts";
import type { AccessLog } from "./access_log.ts";
import { createOverview, type Overview } from "./admin_overview.ts";
import { createExchangeMetrics } from "./exchange_metrics.ts";
import { createFeedMetrics } from "./feed_metrics.ts";
import { expose } from "./prometheus_text.ts";
import { createReadiness, type ReadinessReport } from "./readiness.ts";
import type { Log } from "./server_log.ts";
import { countOpenFiles, serverFamilies } from "./server_metrics.ts";
import type { ServerStatus } from "./server_status.ts";
import { mirrorTroubles, troublesOf, watchClock, watchCounts, watchFeed, watchLimits } from "./trouble_watchers.ts";
import { createCallerTally } from "./usage_by_caller.ts";

/** What is watched, and where it is reported. */
export interface OperationsOptions {
  readonly store: Pick<Store, "watcher" | "info" | "metrics"> &
    Partial<Pick<Store, "imports">> & { readonly observations: Observations };
  /** Counts the units. */
  readonly quota: Pick<QuotaLedger, "used">;
  readonly quotaTimeZone: string;
  readonly marketTimeZone: string;
  /** Of a ledger of units beside the store; `undefined` where the store counts them. */
  readonly quotaWatcher: Watcher | undefined;
  readonly clock: UtcClock;
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
  overview(): Promise<Overview>;
  /** Begins to watch; settles when all is known. `load` is that of the server. */
  begin(load: () => NodeLoad): Promise<void>;
  /** Notes a change of the data. */
  changed(change: StoreChange): void;
  /** Counts the values that a feed has brought. */
  readonly judged: NonNullable<MirrorOptions["onJudged"]>;
  /** Notes where the server listens. */
  listening(where: { readonly url: string; readonly adminUrl: string | undefined }): void;
  /** Logs the use of a key that no longer works: it may have leaked, or somebody has forgotten to replace it. */
  refusedKey(holder: KeyHolder, requestId: string): void;
  /** Says that a stop has begun. */
  drain(): void;
  /** Ends the watch. */
  close(): void;
}

const SWEEP_MS = 2_000;
/** Figures of a store that are older than this are left out. */
const FIGURES_MS = 2_000;

/** Makes the watch over a store and its server. */
export function createOperations(options: OperationsOptions): Operations {
  const {
    store,
    quota,
    quotaTimeZone,
    marketTimeZone,
    quotaWatcher,
    clock,
    version,
    codes,
    feedMaxAgeMinutes,
    log,
    accessLog,
    countsExchanges,
    mirror,
  } = options;
  const exchanges = countsExchanges ? createExchangeMetrics() : undefined;
  const feeds = createFeedMetrics(codes);
  const tally = countsExchanges ? createCallerTally() : undefined;
  const kept = createOverview({ clock, quota, quotaTimeZone, marketTimeZone, imports: store.imports, tally });
  const listeners = [exchanges?.add, tally?.add, accessLog?.write].filter((listener) => listener !== undefined);
  const startedAt = formatTimestamp(clock());
  let load: (() => NodeLoad) | undefined;
  let urls: { readonly url?: string; readonly adminUrl?: string | undefined } = {};
  let isDraining = false;
  let timer: NodeJS.Timeout | undefined;

  const feed = watchFeed(store.observations, { codes, clock, maxAgeMinutes: feedMaxAgeMinutes });
  const server: Watcher = {
    troubles: () => [
      ...troublesOf("draining", isDraining ? "The server stops" : undefined),
      ...troublesOf(
        "overloaded",
        load?.().isLate ? "There is more work than the server can do: events wait for too long" : undefined,
      ),
    ],
  };
  const upstream: Watcher = {
    troubles() {
      const status = mirror();
      return status ? mirrorTroubles(status) : [];
    },
  };
  const counts = watchCounts(store);
  const watchers = [server, store.watcher, quotaWatcher, feed, counts, upstream].filter(
    (watcher) => watcher !== undefined,
  );
  const watch = createReadiness(watchers, clock, (change) => log?.changed(change));
  const linesLost = (): Record<string, number> => ({ log: log?.lost() ?? 0, access_log: accessLog?.lost() ?? 0 });

  async function status(): Promise<ServerStatus> {
    const {
      records = null,
      pending = null,
      damages = null,
      lastBackup,
      diskFreeBytes,
    } = (await within(FIGURES_MS, store.info)) ?? {};
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
      pending,
      newestRecord: newest === undefined ? null : formatTimestamp(newest),
      newestRecordAgeSeconds: newest === undefined ? null : Math.round(millisSince(newest, clock()) / 1_000),
      damages,
      lastBackup: lastBackup === undefined ? null : formatTimestamp(lastBackup),
      requests: exchanges?.total() ?? null,
      connections,
      inFlight,
      eventLoopDelayMs: Math.round(eventLoopDelayMs),
      diskFreeBytes: diskFreeBytes ?? null,
      memoryBytes: process.memoryUsage.rss(),
      linesLost: Object.values(linesLost()).reduce((sum, lost) => sum + lost, 0),
      mirror: mirror() ?? null,
    };
  }

  return {
    onExchange: listeners.length === 0 ? undefined : (exchange) => listeners.forEach((listener) => listener(exchange)),
    canServe: () =>
      (store.watcher.canServe?.() ?? store.watcher.troubles().length === 0) &&
      (quotaWatcher?.troubles() ?? []).length === 0,
    readiness: () => ({ ...watch.current(), ...counts.counts() }),
    async metrics() {
      // What the store cannot tell just now is left out: these figures are wanted most when something is wrong.
      const [info, ofStore = [], pending] = await Promise.all([
        within(FIGURES_MS, store.info),
        within(FIGURES_MS, store.metrics),
        within(FIGURES_MS, () => store.imports?.pending(null, 0)),
        within(FIGURES_MS, feed.sweep), // So that the newest record is the newest now.
      ]);
      const newest = { newest: feed.newest(), newestOf: feed.newestOf(), mirror: mirror() };
      const figures = {
        version,
        readiness: watch.current(),
        load: load?.(),
        info,
        pending: pending?.assets,
        ofStore,
        ...newest,
        now: clock(),
        linesLost: linesLost(),
      };
      return expose([...(exchanges?.families() ?? []), feeds.family(), ...(await serverFamilies(figures))]);
    },
    status,
    async overview() {
      await within(FIGURES_MS, feed.sweep);
      return kept.make({ status: await status(), errors: exchanges?.errors() ?? [], newestOf: feed.newestOf() });
    },
    async begin(ofServer) {
      load = ofServer;
      await watch.sweep();
      kept.noteDisk((await within(FIGURES_MS, store.info))?.diskFreeBytes);
      const jumped = watchClock(clock);
      const limits = watchLimits(ofServer, { openFiles: countOpenFiles, maxFiles: maxOpenFiles() });
      timer = setInterval(() => {
        const jump = jumped();
        if (jump !== undefined) log?.write({ level: "warn", event: "warning", message: jump });
        void limits().then((reached) =>
          reached.forEach(([kind, message]) => log?.often(kind, { level: "warn", event: "limit-reached", message })),
        );
        log?.sweep();
        // What cannot be found out now, the next sweep tries again.
        void watch.sweep().catch(() => undefined);
      }, SWEEP_MS).unref();
    },
    changed(change) {
      const { what, number, ...who } = change;
      const records = who.records === undefined ? "" : `: ${who.records} record${who.records === 1 ? "" : "s"}`;
      kept.noteChange(change);
      log?.write({
        level: "info",
        event: "changed",
        message: `${who.user} (${who.program}, process ${who.pid}) ${what}${records}`,
        ...who,
        change: number,
      });
    },
    judged: feeds.add,
    listening(where) {
      urls = where;
    },
    refusedKey({ account, key: { id: keyId } }, requestId) {
      const message = `Key ${keyId} of account ${account.id} was refused: it is revoked or expired`;
      log?.often(`key:${keyId}`, { level: "warn", event: "key-refused", message, keyId, requestId });
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
  const found = Promise.resolve()
    .then(find)
    .catch(() => undefined);
  return Promise.race([found, wait(ms, undefined, { ref: false })]);
}
