import { ASSETS, createApi, createRequestRate } from "../core/mod.ts";
import type { RequestRate, Settings } from "../core/mod.ts";
import { openJsonFiles } from "./json_files/mod.ts";
import type { JsonFileStore, StoreError } from "./json_files/mod.ts";
import type { Mirror } from "./mirror/mod.ts";
import { createNodeServer, nodeSystem } from "./node/mod.ts";
import type { Address, NodeLimits } from "./node/mod.ts";
import type { AccessLog } from "./operations/access_log.ts";
import { startAdminServer } from "./operations/admin_server.ts";
import type { AdminServer } from "./operations/admin_server.ts";
import type { LogEntry } from "./operations/log_entry.ts";
import type { Log } from "./operations/log.ts";
import { createOperations } from "./operations/operations.ts";
import type { Operations, OperationsOptions } from "./operations/operations.ts";
import { pageRoutes } from "./page/mod.ts";
import type { PageRouteSettings } from "./page/mod.ts";
import { startMirrorOf } from "./standalone_mirror.ts";
import type { MirrorSettings } from "./standalone_mirror.ts";

/** The store and the server, besides the API's settings. */
export interface StandaloneOptions extends Settings, Address, Pick<PageRouteSettings, "isSample" | "demoKey"> {
  /** Directory of the store; created if it does not exist. */
  readonly data: string;
  /** The proxies in front, as for `createNodeServer`. Default `false`. */
  readonly behindProxy?: boolean | readonly string[];
  /** How many requests of each key are answered in a short time, as for `createRequestRate`. Default `none`. */
  readonly keyRate?: string;
  /** The same for each address. Default `none`. */
  readonly addressRate?: string;
  /** Limits of the server other than its defaults. */
  readonly limits?: Partial<NodeLimits>;
  /** Writes a checkpoint at a clean stop, as `openJsonFiles` says. Default `false`. */
  readonly fastStart?: boolean;
  /** Called with each error that was answered with 500 or 503. Default: nobody. */
  readonly onError?: (error: unknown, requestId: string) => void;
  /** Port of the admin listener on 127.0.0.1, 0 for any free one. Default: `none`. */
  readonly adminPort?: number | "none";
  /** Age of the newest record above which the server is not ready. Default: `none`. */
  readonly feedMaxAgeMinutes?: number | "none";
  /** Gets a line for each change of readiness. Default: none are written. */
  readonly log?: Log;
  /** Gets a line for each exchange. Default: none are written. */
  readonly accessLog?: AccessLog | undefined;
  /** Time before `writable` may settle. Default: 0. */
  readonly reopenAfterMs?: number;
  /** For the admin listener and the page. Default: empty. */
  readonly version?: string;
  /** The upstream from which the store is filled. Default: none. */
  readonly mirror?: MirrorSettings | undefined;
  /** Called with the opened store, before the server listens. */
  readonly prepare?: (store: JsonFileStore) => Promise<void>;
}

/** A server that listens, with its own store. */
export interface Standalone {
  /** Where it listens. */
  readonly address: Address;
  /** URL of the admin listener; `undefined` where there is none. */
  readonly adminUrl: string | undefined;
  readonly store: JsonFileStore;
  /** Settles when the store has failed for good: call `stop`, then start again. */
  readonly failed: Promise<StoreError>;
  /** Settles when a store that was opened read-only, as its disk was full, can be written: call `stop`, then start again. */
  readonly writable: Promise<void>;
  /** Finishes the open requests, then closes the store. May be called again. */
  stop(): Promise<void>;
}

/** Opens the store, makes the API and starts to listen. Installs no handlers on the process: `stopSignal` does. */
export async function startStandalone(options: StandaloneOptions): Promise<Standalone> {
  const { data, host, port, prepare, fastStart = false, adminPort = "none" } = options;
  let fail: (error: StoreError) => void = () => undefined;
  const failed = new Promise<StoreError>((resolve) => (fail = resolve));
  let operations: Operations | undefined;
  let admin: AdminServer | undefined;
  let mirror: Mirror | undefined;
  const store = await openJsonFiles(data, { ...nodeSystem, onFatal: fail, fastStart, describe: () => operations?.status() });

  async function close(): Promise<void> {
    await mirror?.close();
    await store.close();
    operations?.close();
    await admin?.close();
  }

  try {
    await prepare?.(store);
    const { canServe, onExchange, drain, writable, ...watched } = (operations = await createOperations(watchedBy(options, store, () => mirror)));
    const ports = { observations: store.observations, accounts: store.accounts, quota: store.quota };
    const routes = [...(options.routes ?? []), ...pageRoutes({ ...options, observations: store.observations })];
    const api = createApi({ ...options, routes, ...ports, ...nodeSystem, canServe, reports: onExchange !== undefined, keyRate: rateOf(options.keyRate) });
    const server = createNodeServer(api, { ...options, ...(onExchange && { onExchange }), addressRate: rateOf(options.addressRate) });
    await watched.begin(server.load);
    if (adminPort !== "none") admin = await startAdminServer(adminPort, watched);
    const address = await server.listen({ host, port });
    // Only now, as a start that fails should cost no unit.
    const place = { store, directory: data, assets: options.assets, log: options.log, canStore: canServe, fail };
    if (options.mirror) {
      mirror = await startMirrorOf(options.mirror, place).catch(async (error: unknown) => {
        await server.close();
        throw error;
      });
    }
    watched.listening({ url: urlOf(address), adminUrl: admin?.url });
    let stopping: Promise<void> | undefined;
    const stop = async (): Promise<void> => {
      drain();
      await server.close();
      // The admin listener says until the end why the server is not ready.
      await close();
    };
    return { address, adminUrl: admin?.url, store, failed, writable, stop: () => (stopping ??= stop()) };
  } catch (error) {
    await close();
    throw error;
  }
}

function rateOf(text = "none"): RequestRate | undefined {
  return text === "none" ? undefined : createRequestRate(text);
}

function watchedBy(options: StandaloneOptions, store: JsonFileStore, mirror: () => Mirror | undefined): OperationsOptions {
  const { data, reopenAfterMs = 0, assets = ASSETS, adminPort = "none", feedMaxAgeMinutes = "none", log, accessLog, version = "" } = options;
  return {
    store,
    directory: data,
    reopenAfterMs,
    clock: nodeSystem.clock,
    version,
    codes: assets.map(({ code }) => code),
    feedMaxAgeMinutes: feedMaxAgeMinutes === "none" ? undefined : feedMaxAgeMinutes,
    log,
    accessLog,
    countsExchanges: adminPort !== "none",
    mirror: () => mirror()?.status(),
  };
}

/** The URL of an address, as seen from this machine. */
export function urlOf({ host, port }: Address): string {
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

// Under npm, Ctrl+C arrives twice: from the terminal and from npm.
const SAME_SIGNAL_MS = 500;
const CRASHED = 70;

/**
 * Handles the process's signals; resolves at the first SIGTERM, SIGINT or SIGHUP. A second one exits at once with 1,
 * which loses nothing that was acknowledged. An uncaught error exits with 70.
 *
 * @param tell Gets an entry for the log.
 */
export function stopSignal(tell: (entry: LogEntry) => void): Promise<void> {
  process.on("uncaughtException", (error) => {
    const { message, stack = message } = error;
    tell({ level: "error", event: "crashed", message: `An error that nothing expects: ${message}`, stack, exitCode: CRASHED });
    process.exit(CRASHED);
  });
  return new Promise((resolve) => {
    let askedAt: number | undefined;
    const ask = (signal: NodeJS.Signals): void => {
      if (askedAt === undefined) {
        askedAt = performance.now();
        tell({ level: "info", event: "stopping", message: `Stopping when open requests are answered, after ${signal}. Another signal stops at once.` });
        resolve();
      } else if (performance.now() - askedAt > SAME_SIGNAL_MS) {
        process.exit(1);
      }
    };
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, ask);
  });
}

/** A server as far as `serveUntil` needs it. */
export type Serving = Pick<Standalone, "failed" | "stop"> & Partial<Pick<Standalone, "writable">>;

/**
 * Serves until `signal` settles or the store fails; resolves to the exit code when all is closed.
 *
 * @param reopen Starts the server again, once a store that was opened read-only can be written. Default: it stays as it is.
 */
export async function serveUntil(signal: Promise<void>, server: Serving, tell: (entry: LogEntry) => void, reopen?: () => Promise<Serving>): Promise<number> {
  const ends: Promise<number | undefined>[] = [
    signal.then(() => 0),
    server.failed.then((error) => {
      tell({ level: "error", event: "store-failed", message: error.message, exitCode: error.exitCode });
      return error.exitCode;
    }),
  ];
  if (reopen && server.writable) ends.push(server.writable.then(() => undefined));
  const exitCode = await Promise.race(ends);
  await server.stop();
  if (exitCode !== undefined || !reopen) return exitCode ?? 0;
  tell({ level: "info", event: "reopening", message: "The store can be written again: opening it anew" });
  return serveUntil(signal, await reopen(), tell, reopen);
}
