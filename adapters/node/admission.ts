import type { MaybePromise } from "../../core/mod.ts";
import { createEventLoopGuard } from "./event_loop.ts";
import type { InFlight } from "./in_flight.ts";
import { createJobQueue } from "./job_queue.ts";

/** Decides which requests are answered under load, and when. */
export interface Admission {
  /** Whether a request is to be refused; `isFull` if its connection may hold no further answer. */
  refuses(target: string, isFull: boolean): boolean;
  /** Answers a request that is not refused, when it is its turn. */
  run(target: string, answer: () => MaybePromise<void>): MaybePromise<void>;
  /** Measures the load; to be called about once a second. */
  sweep(): void;
}

/** Candle answers at a time. They may take milliseconds, all others much less: so nobody waits for more than these. */
const MAX_CANDLES = 2;
/** The candle route. With a percent sign a path can be written in other ways. */
const CANDLES = /^[^?]*(?:\/ohlc|%)/;
/** Answered whatever the load, for those who want to know it. */
const STATUS = /^\/api\/v1\/status(?:\?|$)/;

/** Whether an answer may be long, and may take long to make. */
export function mayBeLong(target: string): boolean {
  return CANDLES.test(target);
}

/** @param maxWaiting Candle requests that may wait. */
export function createAdmission(inFlight: InFlight, maxWaiting: number): Admission {
  const candles = createJobQueue(MAX_CANDLES, maxWaiting);
  const eventLoop = createEventLoopGuard();
  return {
    refuses(target, isFull) {
      const isOverloaded = isFull || inFlight.isFull() || eventLoop.isLate() || (candles.isFull() && mayBeLong(target));
      return isOverloaded && !STATUS.test(target);
    },
    run(target, answer) {
      const start = (): MaybePromise<void> => inFlight.count(answer());
      return mayBeLong(target) ? candles.run(start) : start();
    },
    sweep: () => eventLoop.sweep(),
  };
}
