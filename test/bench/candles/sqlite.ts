import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { atEnd } from "../support/cleanup.ts";
import { fetchRuntime } from "../support/peers.ts";
import { HEAD, HUNDREDTHS, ROWS, START } from "./minutes.ts";
import type { Ask, TimedAnswer } from "./contestant.ts";

/** Starts SQLite with a filled table in memory, in a process of its own; `undefined` if Node 24 cannot be fetched. */
export async function startSqlite(): Promise<Ask | undefined> {
  const runtime = await fetchRuntime("node24");
  if (runtime === undefined) return undefined;
  const program = fileURLToPath(new URL("sqlite_child.mjs", import.meta.url));
  const child = spawn(runtime, ["--no-warnings", program], { stdio: ["pipe", "pipe", "inherit"] });
  atEnd(() => child.kill());
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();

  async function ask(question: unknown): Promise<TimedAnswer> {
    child.stdin.write(`${JSON.stringify(question)}\n`);
    const { value, done } = await answers.next();
    if (done === true) throw new Error("SQLite has ended");
    return JSON.parse(value) as TimedAnswer;
  }

  await ask({ fill: { start: START, rows: ROWS, hundredths: HUNDREDTHS } });
  return (query, withText = false) => ask({ query, head: HEAD, withText });
}
