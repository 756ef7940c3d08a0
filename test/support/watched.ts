import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { TestContext } from "node:test";
import { mazaneh, servingChild as serving } from "./cli.ts";
import type { Run, ServedChild as Served } from "./cli.ts";

/** The answer of `/readyz`. */
export interface ReadyAnswer {
  readonly status: number;
  readonly reasons: readonly { readonly code: string; readonly message: string; readonly since: string }[];
}

/** A running server with an admin listener. */
export interface Watched extends Served {
  readonly adminUrl: string;
  readyz(): Promise<ReadyAnswer>;
  /** Waits for at most five seconds until the reasons have exactly these codes; returns the last answer. */
  untilReasons(...codes: string[]): Promise<ReadyAnswer>;
  /** Waits for at most five seconds until the first reason has this message; returns the last answer. */
  untilMessage(message: string): Promise<ReadyAnswer>;
  /** What standard error has had so far, a JSON object a line. */
  log(): readonly Readonly<Record<string, unknown>>[];
}

const KNOWN_WITHIN_MS = 5_000;

/** Starts `serve` with an admin listener, and ends it with the test. */
export async function watched(t: TestContext, args: readonly string[]): Promise<Watched> {
  const server = await serving(t, ["--admin-port", "0", ...args]);
  const adminUrl = String(server.state["adminUrl"]);

  async function readyz(): Promise<ReadyAnswer> {
    const answer = await fetch(`${adminUrl}/readyz`);
    const { reasons } = (await answer.json()) as Pick<ReadyAnswer, "reasons">;
    return { status: answer.status, reasons };
  }

  async function until(isSo: (answer: ReadyAnswer) => boolean): Promise<ReadyAnswer> {
    for (const end = performance.now() + KNOWN_WITHIN_MS; ; await delay(100)) {
      const answer = await readyz();
      if (isSo(answer) || performance.now() > end) return answer;
    }
  }

  return {
    ...server,
    adminUrl,
    readyz,
    untilReasons: (...codes) => until(({ reasons }) => reasons.map(({ code }) => code).sort().join() === codes.toSorted().join()),
    untilMessage: (message) => until(({ reasons }) => reasons[0]?.message === message),
    log: () => server.errors().split("\n").filter((line) => line.startsWith("{")).map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

/** Runs `mazaneh status --json` on a data directory. */
export async function statusOf(data: string): Promise<Run> {
  return mazaneh(["status", "--json", "--data", data]);
}

/** Waits until a child process has closed; returns its exit code. */
export async function exitOf({ child }: Served): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  const [code] = await once(child, "exit");
  return code as number | null;
}
