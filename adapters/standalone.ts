import { createApi, createRequestRate } from "../core/mod.ts";
import type { RequestRate, Settings } from "../core/mod.ts";
import { openJsonFiles } from "./json_files/mod.ts";
import type { JsonFileStore, StoreError } from "./json_files/mod.ts";
import { createNodeServer, nodeSystem } from "./node/mod.ts";
import type { Address, NodeLimits } from "./node/mod.ts";

/** The store and the server, besides the API's settings. */
export interface StandaloneOptions extends Settings, Address {
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
  /** Called with the opened store, before the server listens. */
  readonly prepare?: (store: JsonFileStore) => Promise<void>;
}

/** A server that listens, with its own store. */
export interface Standalone {
  /** Where it listens. */
  readonly address: Address;
  readonly store: JsonFileStore;
  /** Settles when the store has failed for good: call `stop`, then start again. */
  readonly failed: Promise<StoreError>;
  /** Finishes the open requests, then closes the store. May be called again. */
  stop(): Promise<void>;
}

/** Opens the store, makes the API and starts to listen. Installs no handlers on the process: `stopSignal` does. */
export async function startStandalone(options: StandaloneOptions): Promise<Standalone> {
  const { data, host, port, prepare, fastStart = false } = options;
  let fail: (error: StoreError) => void = () => undefined;
  const failed = new Promise<StoreError>((resolve) => (fail = resolve));
  const store = await openJsonFiles(data, { ...nodeSystem, onFatal: fail, fastStart });
  try {
    await prepare?.(store);
    const ports = { observations: store.observations, accounts: store.accounts, quota: store.quota };
    const api = createApi({ ...options, ...ports, ...nodeSystem, keyRate: rateOf(options.keyRate) });
    const server = createNodeServer(api, { ...options, addressRate: rateOf(options.addressRate) });
    const address = await server.listen({ host, port });
    let stopping: Promise<void> | undefined;
    return { address, store, failed, stop: () => (stopping ??= server.close().then(() => store.close())) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

function rateOf(text = "none"): RequestRate | undefined {
  return text === "none" ? undefined : createRequestRate(text);
}

// Under npm, Ctrl+C arrives twice: from the terminal and from npm.
const SAME_SIGNAL_MS = 500;
const CRASHED = 70;

/**
 * Handles the process's signals; resolves at the first SIGTERM, SIGINT or SIGHUP. A second one exits at once with 1,
 * which loses nothing that was acknowledged. An uncaught error exits with 70.
 *
 * @param note Prints a line for people.
 */
export function stopSignal(note: (line: string) => void): Promise<void> {
  process.on("uncaughtException", (error) => {
    note(`mazaneh: ${error.stack ?? error.message}`);
    process.exit(CRASHED);
  });
  return new Promise((resolve) => {
    let askedAt: number | undefined;
    const ask = (): void => {
      if (askedAt === undefined) {
        askedAt = performance.now();
        note("Stopping when open requests are answered. Another signal stops at once.");
        resolve();
      } else if (performance.now() - askedAt > SAME_SIGNAL_MS) {
        process.exit(1);
      }
    };
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, ask);
  });
}

/** Serves until `signal` settles or the store fails; resolves to the exit code when all is closed. */
export async function serveUntil(signal: Promise<void>, server: Pick<Standalone, "failed" | "stop">, note: (line: string) => void): Promise<number> {
  const failed = server.failed.then((error) => {
    note(`mazaneh: ${error.message}`);
    return error.exitCode;
  });
  const exitCode = await Promise.race([signal.then(() => 0), failed]);
  await server.stop();
  return exitCode;
}
