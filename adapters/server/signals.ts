/** The reason of an abort when a signal stops the program. */
export class Stopped extends Error {
  override readonly name = "Stopped";
  readonly signal: NodeJS.Signals;
  /** The exit code as in shells: 128 plus the number of the signal. */
  readonly exitCode: number;

  constructor(signal: (typeof SIGNALS)[number]) {
    super(`stopped by ${signal}`);
    this.signal = signal;
    this.exitCode = 128 + { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }[signal];
  }
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
// Under npm, Ctrl+C sends two signals: the terminal sends one, and npm the other.
const SAME_SIGNAL_MS = 500;

/**
 * Watches the signals of the process, so that the process can finish its work before it ends. The first signal aborts
 * `signal` with a `Stopped` as the reason. At a second signal, the process exits at once with 1. After `dispose`,
 * signals end the process as usual.
 *
 * @param onHangup Called on SIGHUP, which then does not stop the program. By default, SIGHUP is treated like the
 * other signals.
 */
export function watchSignals(onHangup?: () => void): { readonly signal: AbortSignal; dispose(): void } {
  const controller = new AbortController();
  let since: number | undefined;
  const listeners = SIGNALS.map((signal) => {
    const stop = (): void => {
      if (since === undefined) {
        since = performance.now();
        controller.abort(new Stopped(signal));
      } else if (performance.now() - since > SAME_SIGNAL_MS) {
        process.exit(1);
      }
    };
    const listener = signal === "SIGHUP" && onHangup ? onHangup : stop;
    process.on(signal, listener);
    return () => void process.off(signal, listener);
  });
  return { signal: controller.signal, dispose: () => listeners.forEach((remove) => remove()) };
}
