import { after } from "node:test";
import { childProgram } from "../support/child_program.ts";
import { ownEnvironment, startNode } from "../support/start_child.ts";

/** A process that runs `mazaneh serve`. */
export interface Instance {
  readonly url: string;
  /** Its log so far. */
  log(): string;
  /** Ends the process with SIGKILL, and waits until it is gone. */
  kill(): Promise<void>;
}

/** The answer to a request; the status is 0 if the connection was lost because the instance was killed. */
export interface InstanceAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

/** Ends each instance. */
const ends = new Set<() => Promise<void>>();
// Registered at the top level, because a hook that is registered during a test runs after that test.
after(() => Promise.all([...ends].map((end) => end())));

/** Starts `mazaneh serve`, and ends it with the test file. */
export async function startServe(store: string, quota: string, options: readonly string[] = []): Promise<Instance> {
  const line = [childProgram("adapters/cli/main.ts"), "serve", "--json", "--port", "0", ...options];
  const child = startNode(line, { env: { ...ownEnvironment(), MAZANEH_STORE: store, MAZANEH_QUOTA: quota } });
  const kill = async (): Promise<void> => void (await child.end());
  ends.add(kill);
  const [started] = await child.printed(/^.*(?=\n)/);
  // The hooks run only when nothing else keeps this process alive.
  child.unref();
  return {
    url: (JSON.parse(started) as { readonly url: string }).url,
    kill,
    log: child.err,
  };
}

/** Sends a request with a key to an instance. */
export async function ask({ url }: Pick<Instance, "url">, key: string): Promise<InstanceAnswer> {
  try {
    const answer = await fetch(`${url}/api/v1/assets/USD_RLS`, {
      headers: { "X-API-Key": key },
      signal: AbortSignal.timeout(300_000),
    });
    return {
      status: answer.status,
      retryAfter: answer.headers.get("Retry-After"),
      text: await answer.text(),
    };
  } catch (error) {
    if (error instanceof Error && error.name === "TimeoutError") throw error;
    return { status: 0, retryAfter: null, text: `${String(error)}: ${String((error as Error).cause)}` };
  }
}

/** Counts the answers by status. */
export function countOf(seen: readonly Pick<InstanceAnswer, "status">[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of seen) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
