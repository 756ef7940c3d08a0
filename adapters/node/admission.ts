import type { IncomingMessage } from "node:http";
import type { Api, MaybePromise } from "../../core/mod.ts";
import { createEventLoopGuard } from "./event_loop.ts";
import type { InFlight } from "./in_flight.ts";
import { createJobQueue } from "./job_queue.ts";

/** A request, as far as its admission goes. */
export interface Load {
  /** Whether it asks for the status, which is answered whatever its client and all others ask. */
  readonly isStatus: boolean;
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
  /** Long requests that wait for others. */
  waiting(): number;
  /** Milliseconds that the event loop took to come round. */
  eventLoopDelayMs(): number;
}

/** Long requests that start in one turn of the event loop. They may take milliseconds, all others much less: so nobody waits for more than these. */
const MAX_STARTS = 2;
/**
 * Candle requests in progress at a time: those that wait for a database or a ledger use no processor meanwhile, and share
 * its commands. As many may be answered in one turn.
 */
const MAX_PENDING = 16;
const STATUS = "/api/v1/status";

/** What a request asks for, as the route table says. One with a body is never long: it might keep others waiting while its body does not come. */
export function loadOf(api: Api, { method = "", url = "" }: IncomingMessage): Load {
  const route = api.routeOf({ method, target: url });
  return { isStatus: route?.path === STATUS, isLong: route?.isLong === true && route.method === "GET" };
}

/** @param maxRequests Requests in progress at a time. Long ones are at most a quarter of them, or two, and as many others may wait for their turn. */
export function createAdmission(inFlight: InFlight, maxRequests: number): Admission {
  const long = createJobQueue(MAX_STARTS, maxRequests, Math.max(MAX_STARTS, Math.min(MAX_PENDING, Math.floor(maxRequests / 4))));
  const eventLoop = createEventLoopGuard();
  return {
    refuses(load, isFull) {
      const isOverloaded = isFull || inFlight.isFull() || eventLoop.isLate() || (load.isLong && long.isFull());
      return isOverloaded && !load.isStatus;
    },
    run({ isLong }, answer) {
      const start = (): MaybePromise<void> => inFlight.count(answer());
      return isLong ? long.run(start) : start();
    },
    sweep: () => eventLoop.sweep(),
    waiting: () => long.waiting(),
    eventLoopDelayMs: () => eventLoop.delayMs(),
  };
}
