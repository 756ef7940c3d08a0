import type { LogEntry } from "./monitoring/log_entry.ts";
import { type Stopped, watchSignals } from "./signals.ts";
import type { Standalone } from "./standalone.ts";

const CRASHED = 70;
/** How often it is looked whether npm is still there. */
const PARENT_MS = 500;

/**
 * Handles the process's signals; resolves at the first SIGTERM or SIGINT, or when npm has started the process and ends. A second one exits at once with 1,
 * which loses nothing that was acknowledged. An uncaught error exits with 70. A SIGHUP is ignored, but for that of a closed terminal.
 *
 * @param log Gets an entry for the log.
 */
export function stopSignal(log: (entry: LogEntry) => void): Promise<void> {
  process.on("uncaughtException", (error) => {
    const { message, stack = message } = error;
    log({
      level: "error",
      event: "crashed",
      message: `An error that nothing expects: ${message}`,
      stack,
      exitCode: CRASHED,
    });
    process.exit(CRASHED);
  });
  const ignore = (): void =>
    log({
      level: "info",
      event: "warning",
      message: "SIGHUP is ignored: settings are read at the start, and SIGTERM stops",
    });
  // To tools that manage services it means to read settings anew; from a terminal that closes, that the person has gone.
  const { signal } = watchSignals(process.stderr.isTTY ? undefined : ignore);
  return new Promise((resolve) => {
    const stop = (message: string): void => {
      log({ level: "info", event: "stopping", message });
      resolve();
    };
    signal.addEventListener("abort", () =>
      stop(
        `Stopping when open requests are answered, after ${(signal.reason as Stopped).signal}. Another signal stops at once.`,
      ),
    );
    // npm, and the shell that it starts this program with, end at some signals without passing them on.
    const parent = process.ppid;
    if (process.env["npm_command"] === undefined) return;
    const timer = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(timer);
      stop("npm has ended: stopping when open requests are answered");
    }, PARENT_MS).unref();
  });
}

/** A server as far as `runUntilStopped` needs it. */
export type Serving = Pick<Standalone, "failed" | "stop">;

/** Serves until `signal` settles or the store fails; resolves to the exit code when all is closed. */
export async function runUntilStopped(
  signal: Promise<void>,
  server: Serving,
  log: (entry: LogEntry) => void,
): Promise<number> {
  const exitCode = await Promise.race([
    signal.then(() => 0),
    server.failed.then((error) => {
      log({ level: "error", event: "store-failed", message: error.message, exitCode: error.exitCode });
      return error.exitCode;
    }),
  ]);
  await server.stop();
  return exitCode;
}
