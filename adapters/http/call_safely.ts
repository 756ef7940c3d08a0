import { isLater } from "../../core/internal.ts";

/** Calls a function of the app, if there is one. Its errors are dropped: they must not keep a client from its answer. */
export function callSafely<Event>(callback: ((event: Event) => unknown) | undefined, event: Event): void {
  try {
    const result = callback?.(event);
    if (isLater(result)) result.catch(() => undefined);
  } catch {
    // Dropped, like a rejection.
  }
}
