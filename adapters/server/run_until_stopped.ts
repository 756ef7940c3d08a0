import type { LogEntry } from "./monitoring/log_entry.ts";
import { type Stopped, watchSignals } from "./signals.ts";
import type { Standalone } from "./standalone.ts";

const CRASHED = 70;
/** How often to check whether the parent process still runs. */
const PARENT_MS = 500;

/**
 * Resolves at the first SIGTERM or SIGINT or, in a process that npm started, when npm ends. At a second signal, the
 * process exits at once with 1, which loses no acknowledged data. At an uncaught error, it exits with 70. SIGHUP is
 * ignored, unless it comes from a closed terminal.
 */
export function stopSignal(log: (entry: LogEntry) => void): Promise<void> {
  process.on("uncaughtException", (error) => {
    const { message, stack = message } = error;
    log({ level: "error", event: "crashed", message: `Unexpected error: ${message}`, stack, exitCode: CRASHED });
    process.exit(CRASHED);
  });
  const message = "SIGHUP is ignored: settings are read only at the start; SIGTERM stops the server";
  const ignore = (): void => log({ level: "info", event: "warning", message });
  // A service manager sends SIGHUP to make a server reload its settings. A terminal sends SIGHUP when closed.
  const { signal } = watchSignals(process.stderr.isTTY ? undefined : ignore);
  return new Promise((resolve) => {
    const stop = (message: string): void => {
      log({ level: "info", event: "stopping", message });
      resolve();
    };
    signal.addEventListener("abort", () => {
      const { signal: name } = signal.reason as Stopped;
      stop(`${name} received: stopping when open requests are answered. Another signal stops at once.`);
    });
    // At some signals, npm and its shell end without sending the signal to this program.
    const parent = process.ppid;
    if (process.env["npm_command"] === undefined) return;
    const timer = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(timer);
      stop("npm has ended: stopping when open requests are answered");
    }, PARENT_MS).unref();
  });
}

/** Serves until `signal` settles or the store fails. After that, closes everything, and resolves to the exit code. */
export async function runUntilStopped(
  signal: Promise<void>,
  server: Pick<Standalone, "failed" | "stop">,
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
