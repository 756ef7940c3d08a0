import type { LogEntry } from "./operations/log_entry.ts";
import { watchSignals } from "./signals.ts";
import type { Stopped } from "./signals.ts";
import type { Standalone } from "./standalone.ts";

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
  const { signal } = watchSignals();
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => {
      tell({ level: "info", event: "stopping", message: `Stopping when open requests are answered, after ${(signal.reason as Stopped).signal}. Another signal stops at once.` });
      resolve();
    });
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
