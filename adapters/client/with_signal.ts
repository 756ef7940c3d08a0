/** Settles like `act`. Rejects once the signal is aborted or `reject` is called, even if `fetch` ignores signals. */
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
