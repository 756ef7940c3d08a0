import type { IncomingMessage } from "node:http";
import { isLater } from "../../../core/internal.ts";
import type { Api, MaybePromise } from "../../../core/mod.ts";
import { networkOf } from "./client_addresses.ts";
import type { NodeLimits } from "./connection_limits.ts";
import { createJobQueue } from "./job_queue.ts";
import type { NodeLoad } from "./server_load.ts";

/** The properties of a request that its admission depends on. */
export interface Load {
  /** Whether the request is for the status, which is always answered. */
  readonly isStatus: boolean;
  /** `keyless` requests need neither a key nor the store, so a hanging store must not block them. */
  readonly kind: "keyed" | "keyless";
  /** Whether the answer may be long and slow to make. */
  readonly isLong: boolean;
  /** The network of a long request's client. Clients take turns. */
  readonly client: string;
}

/** At most this many long requests start in one turn of the event loop, because each may block for milliseconds. */
const MAX_STARTS = 2;
/** At most this many long requests are in progress. All may wait for a database, some of them for the same command. */
const MAX_PENDING = 16;
const STATUS = "/api/v1/status";

/** The event loop counts as late after two slow turns in a row, not after a single pause, e.g. a garbage collection. */
const MAX_TURN_MS = 250;
const LATE_TURNS = 2;

/** A request's properties, from its route. A POST is never `isLong`, because others would have to wait for its body. */
export function loadOf(api: Api, { method = "", url = "" }: IncomingMessage, address: string | undefined): Load {
  const route = api.routeOf({ method, target: url });
  const isLong = route?.isLong === true && route.method === "GET";
  return {
    isStatus: route?.path === STATUS,
    kind: route?.auth === "none" ? "keyless" : "keyed",
    isLong,
    client: isLong ? networkOf(address) : "",
  };
}

/**
 * Decides which requests are answered under load, and when. At most `requests` requests with a key, and as many without
 * a key, may be in progress. Of these, a quarter of `requests` may be long, but at least 2 and at most 16. Up to
 * `requests` further long requests may wait for their turn, each for `waitMs` milliseconds, and as many again of clients
 * that have none waiting. Clients take turns, so one client cannot keep the others waiting.
 */
export function createAdmission({ requests: maxRequests, waitMs }: Pick<NodeLimits, "requests" | "waitMs">) {
  const maxLong = Math.max(MAX_STARTS, Math.min(MAX_PENDING, Math.floor(maxRequests / 4)));
  const long = createJobQueue(MAX_STARTS, maxRequests, maxLong);
  /** Requests that the API is answering, even if their client has left. */
  const open = { keyed: 0, keyless: 0 };
  const whenEmpty: (() => void)[] = [];
  let turnMs = 0;
  let lateTurns = 0;

  const inFlight = (): number => open.keyed + open.keyless;

  function count(answered: MaybePromise<void>, kind: Load["kind"]): MaybePromise<void> {
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
    /** Whether to refuse a request. `isFull`: its client, or all clients together, have reached the memory limit. */
    refuses(load: Load, isFull: boolean): boolean {
      const isOverloaded = isFull || open[load.kind] >= maxRequests || (load.isLong && long.isFull(load.client));
      return isOverloaded && !load.isStatus;
    },
    /** Answers a request when it is its turn. Refuses a long request that has waited for too long. */
    run(load: Load, answer: () => MaybePromise<void>, refuse: () => MaybePromise<void>): MaybePromise<void> {
      const start = (): MaybePromise<void> => count(answer(), load.kind);
      return load.isLong ? long.run(start, { ms: waitMs, giveUp: refuse }, load.client) : start();
    },
    /** Settles when no request is in progress. */
    async empty(): Promise<void> {
      if (inFlight() > 0) await new Promise<void>((resolve) => whenEmpty.push(resolve));
    },
    /** Measures the load. Called about once a second. */
    sweep(): void {
      const start = performance.now();
      // The first callback runs at the end of the current turn, and the second callback a whole turn later.
      setImmediate(() => setImmediate(() => measure(performance.now() - start)));
    },
    load(): Pick<NodeLoad, "inFlight" | "waiting" | "eventLoopDelayMs" | "isLate"> {
      const isLate = lateTurns >= LATE_TURNS;
      return { inFlight: inFlight(), waiting: long.waiting(), eventLoopDelayMs: turnMs, isLate };
    },
  };
}
