import type { ServerResponse } from "node:http";
import { isLater } from "../../core/internal.ts";
import type { MaybePromise } from "../../core/mod.ts";
import type { NodeLimits } from "./limits.ts";

/** The requests whose answers are not made or not sent yet. */
export interface InFlight {
  /** Whether there are as many as the limit allows. */
  isFull(): boolean;
  /**
   * Adds a request until its answer is sent or its connection has ended, and `made` has settled, which may be
   * after the client has left. An answer that is not sent in time is cut off with its connection.
   */
  add(res: ServerResponse, made: MaybePromise<void>): void;
  /** Those whose answers are not sent yet. */
  open(): Iterable<ServerResponse>;
  /** Settles when none is left. */
  empty(): Promise<void>;
  /** Stops the timer. */
  stop(): void;
}

interface Task {
  /** The sweep in which it was added. */
  readonly since: number;
  /** What the request still waits for. */
  unmade: boolean;
  unsent: boolean;
}

/** Sweeps within the time for an answer: a late one is cut at most one sweep later. */
const SWEEPS = 10;

/** Counts the requests of one server. One timer checks all of them: a timer for each would cost more than a short answer. */
export function createInFlight(limits: Pick<NodeLimits, "requests" | "answerMs">): InFlight {
  const tasks = new Map<ServerResponse, Task>();
  let sweeps = 0;
  let timer: NodeJS.Timeout | undefined;
  let whenEmpty: (() => void)[] = [];

  function sweep(): void {
    sweeps++;
    for (const [res, task] of tasks) if (task.unsent && sweeps - task.since > SWEEPS) res.req.socket.destroy();
    if (tasks.size === 0) stop();
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  function removeIfDone(res: ServerResponse, task: Task): void {
    if (task.unmade || task.unsent) return;
    tasks.delete(res);
    if (tasks.size > 0) return;
    for (const resolve of whenEmpty) resolve();
    whenEmpty = [];
  }

  return {
    isFull: () => tasks.size >= limits.requests,
    add(res, made) {
      const task: Task = { since: sweeps, unmade: isLater(made), unsent: true };
      tasks.set(res, task);
      timer ??= setInterval(sweep, Math.max(1, limits.answerMs / SWEEPS)).unref();
      res.on("close", () => {
        task.unsent = false;
        removeIfDone(res, task);
      });
      if (!isLater(made)) return;
      void made.then(() => {
        task.unmade = false;
        removeIfDone(res, task);
      });
    },
    open: () => tasks.keys(),
    empty: () => (tasks.size === 0 ? Promise.resolve() : new Promise((resolve) => whenEmpty.push(resolve))),
    stop,
  };
}
