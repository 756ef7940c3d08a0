/**
 * Settles like `act`, or rejects with the reason of the signal or with what `act` passes to `reject`, whichever is
 * first. So a call ends in time even if a custom `fetch` ignores its signal.
 */
export function withSignal<Value>(
  signal: AbortSignal | undefined,
  act: (reject: (reason: unknown) => void) => Promise<Value>,
): Promise<Value> {
  return new Promise<Value>((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = (): void => reject(signal!.reason);
    signal?.addEventListener("abort", onAbort);
    const settled = act(reject).then(resolve, reject);
    void settled.finally(() => signal?.removeEventListener("abort", onAbort));
  });
}
