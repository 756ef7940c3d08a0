import type { IncomingMessage } from "node:http";
import { isLater } from "../../../core/internal.ts";
import type { Api, MaybePromise } from "../../../core/mod.ts";
import type { NodeLimits } from "./connection_limits.ts";
import { createJobQueue } from "./job_queue.ts";
import type { NodeLoad } from "./server_load.ts";

/** The part of a request that its admission depends on. */
export interface Load {
  /** Whether it asks for the status, which is answered whatever its client and all others ask. */
  readonly isStatus: boolean;
  /** Whether it needs no key, and so no store: those that wait for a store that hangs do not shut it out. */
  readonly isKeyless: boolean;
  /** Whether its answer may be long, and take long to make. */
  readonly isLong: boolean;
}

/** Decides which requests are answered under load, and when. */
export interface Admission {
  /** Whether a request is to be refused; `isFull` if its connection may hold no further answer. */
  refuses(load: Load, isFull: boolean): boolean;
  /** Answers a request that is not refused, when it is its turn; refuses a long one whose turn does not come in time. */
  run(load: Load, answer: () => MaybePromise<void>, refuse: () => MaybePromise<void>): MaybePromise<void>;
  /** Settles when no request is left. */
  empty(): Promise<void>;
  /** Measures the load; to be called about once a second. */
  sweep(): void;
  load(): Pick<NodeLoad, "inFlight" | "waiting" | "eventLoopDelayMs" | "isLate">;
}

/** Long requests that start in one turn of the event loop. They may take milliseconds, all others much less: so nobody waits for more than these. */
const MAX_STARTS = 2;
/**
 * Long requests in progress at a time: those that wait for a database or a ledger use no processor meanwhile, and share
 * its commands. As many may be answered in one turn.
 */
const MAX_PENDING = 16;
const STATUS = "/api/v1/status";

/**
 * The event loop is late when it took longer than this to come round, twice in a row: a single pause, such as a long
 * garbage collection, is over before anything could be done about it.
 */
const MAX_TURN_MS = 250;
const LATE_TURNS = 2;

/** What a request asks for, as the route table says. One with a body is never long: it might keep others waiting while its body does not come. */
export function loadOf(api: Api, { method = "", url = "" }: IncomingMessage): Load {
  const route = api.routeOf({ method, target: url });
  return {
    isStatus: route?.path === STATUS,
    isKeyless: route?.auth === "none",
    isLong: route?.isLong === true && route.method === "GET",
  };
}

/**
 * @param limits `requests` in progress at a time, with a key; and as many that need none. Long ones are at most a quarter of
 * them, or two, and as many others may wait for their turn, each for `waitMs`.
 */
export function createAdmission({ requests: maxRequests, waitMs }: Pick<NodeLimits, "requests" | "waitMs">): Admission {
  const long = createJobQueue(
    MAX_STARTS,
    maxRequests,
    Math.max(MAX_STARTS, Math.min(MAX_PENDING, Math.floor(maxRequests / 4))),
  );
  /** Requests on which the API works, until it has answered, even if their client has left. */
  const open = { keyed: 0, keyless: 0 };
  const whenEmpty: (() => void)[] = [];
  let turnMs = 0;
  let lateTurns = 0;

  const inFlight = (): number => open.keyed + open.keyless;

  function count(answered: MaybePromise<void>, kind: keyof typeof open): MaybePromise<void> {
    if (!isLater(answered)) return undefined;
    open[kind]++;
    return answered.then(() => {
      open[kind]--;
      if (inFlight() === 0) for (const resolve of whenEmpty.splice(0)) resolve();
    });
  }

  function measure(ms: number): void {
    turnMs = ms;
    lateTurns = ms > MAX_TURN_MS ? lateTurns + 1 : 0;
  }

  return {
    refuses(load, isFull) {
      const isOverloaded = isFull || open[kindOf(load)] >= maxRequests || (load.isLong && long.isFull());
      return isOverloaded && !load.isStatus;
    },
    run(load, answer, refuse) {
      const kind = kindOf(load);
      if (!load.isLong) return count(answer(), kind);
      return long.run(() => count(answer(), kind), { ms: waitMs, giveUp: refuse });
    },
    empty: () => (inFlight() === 0 ? Promise.resolve() : new Promise((resolve) => whenEmpty.push(resolve))),
    sweep() {
      const start = performance.now();
      // The first ends this turn of the loop, the second a whole one.
      setImmediate(() => setImmediate(() => measure(performance.now() - start)));
    },
    load: () => ({
      inFlight: inFlight(),
      waiting: long.waiting(),
      eventLoopDelayMs: turnMs,
      isLate: lateTurns >= LATE_TURNS,
    }),
  };
}

function kindOf({ isKeyless }: Load): "keyed" | "keyless" {
  return isKeyless ? "keyless" : "keyed";
}
