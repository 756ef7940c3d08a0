import type { ServerResponse } from "node:http";
import type { NodeLimits } from "./node_limits.ts";

/** The requests that are being answered. */
export interface Work {
  /** Whether as many are being answered as may be. */
  isFull(): boolean;
  /** Takes a request up; its connection is cut when its answer is not sent in time. */
  begin(res: ServerResponse): void;
  /** Counts the request until `done` settles, also when its client leaves before. */
  await(res: ServerResponse, done: Promise<void>): void;
  /** The answer has been sent, or the connection has ended. */
  end(res: ServerResponse): void;
  /** Those whose answers are not sent yet. */
  open(): Iterable<ServerResponse>;
  /** Settles when there is no request left. */
  empty(): Promise<void>;
  /** Looks after nothing any more. */
  stop(): void;
}

interface Task {
  /** The beat in which it was taken up. */
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
    begin(res) {
      tasks.set(res, { since: beat, unmade: false, unsent: true });
      timer ??= setInterval(look, Math.max(1, limits.answerMs / BEATS)).unref();
    },
    await(res, done) {
      const task = tasks.get(res);
      if (!task) return;
      task.unmade = true;
      void done.then(() => {
        task.unmade = false;
        forget(res, task);
      });
    },
    end(res) {
      const task = tasks.get(res);
      if (!task) return;
      task.unsent = false;
      forget(res, task);
    },
    open: () => tasks.keys(),
    empty: () => (tasks.size === 0 ? Promise.resolve() : new Promise((resolve) => whenEmpty.push(resolve))),
    stop,
  };
}
