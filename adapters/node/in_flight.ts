import { isLater } from "../../core/internal.ts";
import type { MaybePromise } from "../../core/mod.ts";

/**
 * The requests that the API works on. One whose body has not arrived is not counted, nor one whose answer is
 * made: they wait for their client.
 */
export interface InFlight {
  /** Whether there are as many as the limit allows. */
  isFull(): boolean;
  /** How many there are. */
  size(): number;
  /** Counts a request until `answered` settles, which may be after its client has left. Returns it. */
  count(answered: MaybePromise<void>): MaybePromise<void>;
  /** A request waits for its body; ends with `bodySettled`. */
  bodyAwaited(): void;
  bodySettled(): void;
  /** Settles when no request is left, whether it is counted or waits for its body. */
  empty(): Promise<void>;
}

/** @param max Requests at a time. */
export function createInFlight(max: number): InFlight {
  let open = 0;
  let awaitingBody = 0;
  let whenEmpty: (() => void)[] = [];

  function remove(): void {
    open--;
    if (open > 0) return;
    for (const resolve of whenEmpty) resolve();
    whenEmpty = [];
  }

  return {
    isFull: () => open - awaitingBody >= max,
    size: () => open - awaitingBody,
    count(answered) {
      if (!isLater(answered)) return undefined;
      open++;
      return answered.then(remove);
    },
    bodyAwaited: () => void awaitingBody++,
    bodySettled: () => void awaitingBody--,
    empty: () => (open === 0 ? Promise.resolve() : new Promise((resolve) => whenEmpty.push(resolve))),
  };
}
