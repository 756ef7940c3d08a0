import { withSignal } from "../../client/with_signal.ts";

/** The same source, but the signal interrupts it even while a reader waits for the next bytes. */
export async function* interruptible(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await withSignal(signal, () => iterator.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited: standard input may never get another byte.
    void iterator.return?.();
  }
}
