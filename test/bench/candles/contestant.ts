import { fork } from "node:child_process";
import { once } from "node:events";
import { atEnd } from "../support/cleanup.ts";
import type { Query } from "./minutes.ts";

/** What an answer took, and its text where that was wanted. */
export interface TimedAnswer {
  readonly milliseconds: number;
  readonly text?: string;
}

/** Asks a contestant in another process. */
export type Ask = (query: Query, withText?: boolean) => Promise<TimedAnswer>;

/**
 * Starts a contestant in a process of its own: what one keeps on its heap must not make the others' garbage
 * dear to collect. What it tells when it is ready comes with it.
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
