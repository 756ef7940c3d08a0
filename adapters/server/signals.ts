/** A signal has stopped the program. */
export class Stopped extends Error {
  override readonly name = "Stopped";
  readonly signal: NodeJS.Signals;
  /** 128 plus the number of the signal, as in shells. */
  readonly exitCode: number;

  constructor(signal: (typeof SIGNALS)[number]) {
    super(`stopped by ${signal}`);
    this.signal = signal;
    this.exitCode = 128 + { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }[signal];
  }
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
// Under npm, Ctrl+C arrives twice: from the terminal and from npm.
const SAME_SIGNAL_MS = 500;

/**
 * Watches the signals of the process, so that it can finish and report before it ends. A second signal exits at once
 * with 1. The first signal aborts `signal` with a `Stopped` as the reason; after `dispose`, signals end the process
 * again.
 *
 * @param onHangup Called for a SIGHUP, which then does not stop the program. Default: SIGHUP stops it like other
 * signals.
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
