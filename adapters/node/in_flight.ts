import type { ServerResponse } from "node:http";
import { isLater } from "../../core/internal.ts";
import type { MaybePromise } from "../../core/mod.ts";
import type { NodeLimits } from "./limits.ts";

/** The requests whose answers are not made or not sent yet. */
export interface Work {
  /** Whether there are as many as may be. */
  isFull(): boolean;
  /**
   * Adds a request until its answer is sent, or its connection has ended, and `made` has settled, also when the
   * client leaves before. When the answer is not sent in time, the connection is cut.
   */
  add(res: ServerResponse, made: MaybePromise<void>): void;
  /** Those whose answers are not sent yet. */
  open(): Iterable<ServerResponse>;
  /** Settles when there is none left. */
  empty(): Promise<void>;
  /** Looks after nothing any more. */
  stop(): void;
}

interface Task {
  /** The beat in which it was added. */
  readonly since: number;
  /** What still has to happen: the answer be made, and be sent. */
  unmade: boolean;
  unsent: boolean;
}

/** Beats in the time for an answer: a late one is cut at most one beat later. */
const BEATS = 10;

/** Keeps the requests of one server. One timer looks after all of them: one for each would cost more than a short answer. */
export function createWork(limits: Pick<NodeLimits, "requests" | "answerMs">): Work {
  const tasks = new Map<ServerResponse, Task>();
  let beat = 0;
  let timer: NodeJS.Timeout | undefined;
  let whenEmpty: (() => void)[] = [];

  function look(): void {
    beat++;
    for (const [res, task] of tasks) if (task.unsent && beat - task.since > BEATS) res.req.socket.destroy();
    if (tasks.size === 0) stop();
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  function forget(res: ServerResponse, task: Task): void {
    if (task.unmade || task.unsent) return;
    tasks.delete(res);
    if (tasks.size > 0) return;
    for (const resolve of whenEmpty) resolve();
    whenEmpty = [];
  }

  return {
    isFull: () => tasks.size >= limits.requests,
    add(res, made) {
      const task: Task = { since: beat, unmade: isLater(made), unsent: true };
      tasks.set(res, task);
      timer ??= setInterval(look, Math.max(1, limits.answerMs / BEATS)).unref();
      res.on("close", () => {
        task.unsent = false;
        forget(res, task);
      });
      if (!isLater(made)) return;
      void made.then(() => {
        task.unmade = false;
        forget(res, task);
      });
    },
    open: () => tasks.keys(),
    empty: () => (tasks.size === 0 ? Promise.resolve() : new Promise((resolve) => whenEmpty.push(resolve))),
    stop,
  };
}
