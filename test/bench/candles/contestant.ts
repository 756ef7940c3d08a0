import { fork } from "node:child_process";
import { once } from "node:events";
import { atEnd } from "../support/cleanup.ts";
import type { Query } from "./minutes.ts";

/** The time of an answer, and its text if it was wanted. */
export interface TimedAnswer {
  readonly milliseconds: number;
  readonly text?: string;
}

/** Asks a contestant in another process. */
export type Ask = (query: Query, withText?: boolean) => Promise<TimedAnswer>;

/**
 * Starts a contestant in a process of its own, so that the heap of one cannot slow the garbage collection of
 * another. Resolves with the first message of the process.
 */
export async function startContestant(program: string, ...args: readonly string[]): Promise<{ readonly ask: Ask; readonly ready: unknown }> {
  const child = fork(program, [...args], { execArgv: [] });
  atEnd(() => child.kill());
  child.once("exit", (code) => process.exit(code ?? 1));
  const [ready] = (await once(child, "message")) as [unknown];
  return {
    ready,
    async ask(query, withText = false) {
      child.send({ query, withText });
      const [answer] = (await once(child, "message")) as [TimedAnswer];
      return answer;
    },
  };
}
