import { createApi } from "../core/mod.ts";
import type { Settings } from "../core/mod.ts";
import { openJsonFiles } from "./json_files/mod.ts";
import type { JsonFileStore, StoreError } from "./json_files/mod.ts";
import { createNodeServer, nodeSystem } from "./node/mod.ts";
import type { Address } from "./node/mod.ts";

/** What a server on its own is made of; the API's settings besides. */
export interface StandaloneOptions extends Settings, Address {
  /** Directory of the store; made when there is none. */
  readonly data: string;
  /** Whether a proxy stands in front, whose connections are kept for longer. Default `false`. */
  readonly behindProxy?: boolean;
  /** Whether a stop leaves a snapshot for the next start, as `openJsonFiles` does with this option. Default `false`. */
  readonly fastStart?: boolean;
  /** Told of everything that was answered with 500 or 503. Default: nobody. */
  readonly onError?: (error: unknown, requestId: string) => void;
  /** Called with the opened store, before the server listens. */
  readonly prepare?: (store: JsonFileStore) => Promise<void>;
}

/** A server that listens, with its own store. */
export interface Standalone {
  /** Where it listens. */
  readonly address: Address;
  readonly store: JsonFileStore;
  /** Settles when the store must not go on: `stop` then, and start again. */
  readonly failed: Promise<StoreError>;
  /** Finishes the open requests, then closes the store. May be called again. */
  stop(): Promise<void>;
}

/** Opens the store, makes the API and lets it listen. Installs no handlers on the process: `stopSignal` does. */
export async function startStandalone(options: StandaloneOptions): Promise<Standalone> {
  const { data, host, port, prepare, fastStart = false } = options;
  let fail: (error: StoreError) => void = () => undefined;
  const failed = new Promise<StoreError>((resolve) => (fail = resolve));
  const store = await openJsonFiles(data, { ...nodeSystem, onFatal: fail, fastStart });
  try {
    await prepare?.(store);
    const ports = { observations: store.observations, accounts: store.accounts, quota: store.quota };
    const server = createNodeServer(createApi({ ...options, ...ports, ...nodeSystem }), { ...options, ...nodeSystem });
    const address = await server.listen({ host, port });
    let stopping: Promise<void> | undefined;
    return { address, store, failed, stop: () => (stopping ??= server.close().then(() => store.close())) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

// Ctrl+C reaches a program under npm twice: from the terminal, and handed on by npm.
const SAME_SIGNAL_MS = 500;
const CRASHED = 70;

/**
 * Takes the process's signals; resolves at the first SIGTERM or SIGINT. From then on another one ends
 * the process at once, with 1: the files need no farewell. So does, with 70, what nobody has caught.
 *
 * @param note Told in a line for people what happens.
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
    process.on("SIGTERM", ask);
    process.on("SIGINT", ask);
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
