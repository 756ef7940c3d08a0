import type { MaybePromise } from "../../core/mod.ts";
import { createEventLoopGuard } from "./event_loop.ts";
import type { InFlight } from "./in_flight.ts";
import { createJobQueue } from "./job_queue.ts";

/** A request, as far as its admission goes. */
export interface Load {
  readonly target: string;
  /** Whether its answer may be long, and take long to make. */
  readonly isLong: boolean;
}

/** Decides which requests are answered under load, and when. */
export interface Admission {
  /** Whether a request is to be refused; `isFull` if its connection may hold no further answer. */
  refuses(load: Load, isFull: boolean): boolean;
  /** Answers a request that is not refused, when it is its turn. */
  run(load: Load, answer: () => MaybePromise<void>): MaybePromise<void>;
  /** Measures the load; to be called about once a second. */
  sweep(): void;
  /** Candle requests that wait for others. */
  waiting(): number;
  /** Milliseconds that the event loop took to come round. */
  eventLoopDelayMs(): number;
}

/** Candle requests that start in one turn of the event loop. They may take milliseconds, all others much less: so nobody waits for more than these. */
const MAX_STARTS = 2;
/**
 * Candle requests in progress at a time: those that wait for a database or a ledger use no processor meanwhile, and share
 * its commands. As many may be answered in one turn.
 */
const MAX_PENDING = 16;
/** The candle route. With a percent sign a path can be written in other ways. */
const CANDLES = /^[^?]*(?:\/ohlc|%)/;
/** Answered whatever the load, for those who want to know it. */
const STATUS = /^\/api\/v1\/status(?:\?|$)/;

/** Whether a request is answered whatever its client and all others ask. */
export function isStatus({ target }: Load): boolean {
  return STATUS.test(target);
}

/** What a request asks for. One with a body is never long: it might keep others waiting while its body does not come. */
export function loadOf(method: string | undefined, target = ""): Load {
  return { target, isLong: (method === "GET" || method === "HEAD") && CANDLES.test(target) };
}

/** @param maxRequests Requests in progress at a time. Candle requests are at most a quarter of them, or two, and as many others may wait for their turn. */
export function createAdmission(inFlight: InFlight, maxRequests: number): Admission {
  const candles = createJobQueue(MAX_STARTS, maxRequests, Math.max(MAX_STARTS, Math.min(MAX_PENDING, Math.floor(maxRequests / 4))));
  const eventLoop = createEventLoopGuard();
  return {
    refuses(load, isFull) {
      const isOverloaded = isFull || inFlight.isFull() || eventLoop.isLate() || (load.isLong && candles.isFull());
      return isOverloaded && !isStatus(load);
    },
    run({ isLong }, answer) {
      const start = (): MaybePromise<void> => inFlight.count(answer());
      return isLong ? candles.run(start) : start();
    },
    sweep: () => eventLoop.sweep(),
    waiting: () => candles.waiting(),
    eventLoopDelayMs: () => eventLoop.delayMs(),
  };
}
