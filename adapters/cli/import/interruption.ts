/** Thrown to the reader of a source when a signal has stopped the program. */
export class Stopped extends Error {
  override readonly name = "Stopped";
  /** 128 and the number of the signal, as shells have it. */
  readonly exitCode: number;

  constructor(signal: "SIGINT" | "SIGTERM" | "SIGHUP") {
    super(`stopped by ${signal}`);
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

// Under npm, Ctrl+C arrives twice: from the terminal and from npm.
const SAME_SIGNAL_MS = 500;

/** Watches the signals of the process, so that it can say what it has done before it ends. A second one exits at once with 1. */
export function watchSignals(): Interruption {
  const controller = new AbortController();
  let since: number | undefined;
  const listeners = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((signal) => {
    const stop = (): void => {
      if (since === undefined) {
        since = performance.now();
        controller.abort(new Stopped(signal));
      } else if (performance.now() - since > SAME_SIGNAL_MS) {
        process.exit(1);
      }
    };
    process.on(signal, stop);
    return () => void process.off(signal, stop);
  });
  return { signal: controller.signal, dispose: () => listeners.forEach((remove) => remove()) };
}

/** A source whose reader is stopped when the signal is aborted, also while it waits for the next bytes. */
export async function* interruptible(source: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  let isDone = false;
  try {
    for (;;) {
      const next = await untilAborted(iterator.next(), signal);
      isDone = next.done === true;
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited, as standard input may never give another byte.
    if (!isDone) void iterator.return?.();
  }
}

/** What a promise resolves to; rejects with the reason when the signal is aborted before. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let abort: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
