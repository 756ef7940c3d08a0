/** Tells that a signal has stopped the program. */
export class Stopped extends Error {
  override readonly name = "Stopped";
  readonly signal: NodeJS.Signals;
  /** 128 and the number of the signal, as shells have it. */
  readonly exitCode: number;

  constructor(signal: (typeof SIGNALS)[number]) {
    super(`stopped by ${signal}`);
    this.signal = signal;
    this.exitCode = 128 + { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }[signal];
  }
}

/** The signals that have asked the program to stop. */
export interface Interruption {
  /** Aborted, with a `Stopped` as its reason, at the first signal. */
  readonly signal: AbortSignal;
  /** Stops to watch: signals then end the process again. */
  dispose(): void;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
// Under npm, Ctrl+C arrives twice: from the terminal and from npm.
const SAME_SIGNAL_MS = 500;

/**
 * Watches the signals of the process, so that it can finish and say what it has done before it ends. A second one exits at once with 1.
 *
 * @param onHangup Called for a SIGHUP, which then stops nothing. Default: it is a signal like the others.
 */
export function watchSignals(onHangup?: () => void): Interruption {
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
