import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { createInterface } from "node:readline";
import { after } from "node:test";
import { childProgram } from "../support/child_program.ts";
import { LOADER } from "../support/cli.ts";
import type { InstanceSettings, WriteMessage } from "./instance_program.ts";

/** An instance of the service, in a process of its own. */
export interface Instance {
  readonly url: string;
  /** Writes through this instance; resolves when its store has acknowledged it, and rejects when it has not. */
  write(what: Omit<WriteMessage, "id">): Promise<void>;
  /** Ends it with SIGKILL, and waits until it is gone. */
  kill(): Promise<void>;
}

/** The answer to a request; 0 for one whose connection was lost, as its instance had been killed. */
export interface Seen {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly tag: string | null;
  readonly text: string;
}

/** Ends each instance. */
const ends = new Set<() => Promise<void>>();
// Here, as a hook that is made during a test belongs to that test.
after(() => Promise.all([...ends].map((end) => end())));

const PROGRAM = "test/cluster/instance_program.ts";

/** Starts an instance, and ends it with the test file. */
export async function startInstance(settings: InstanceSettings): Promise<Instance> {
  const child = spawn(process.execPath, [...LOADER, childProgram(PROGRAM), JSON.stringify(settings)], { stdio: ["ignore", "pipe", "inherit", "ipc"] });
  const exited = once(child, "exit");
  const waiting = new Map<number, { resolve(): void; reject(error: Error): void }>();
  child.on("message", ({ id, failed }: { readonly id: number; readonly failed?: string }) => {
    const { resolve, reject } = waiting.get(id)!;
    waiting.delete(id);
    if (waiting.size === 0) child.channel?.unref();
    if (failed === undefined) resolve();
    else reject(new Error(failed));
  });
  child.once("exit", () => {
    for (const { reject } of waiting.values()) reject(new Error("the instance has ended"));
  });
  const kill = async (): Promise<void> => {
    child.ref();
    child.kill("SIGKILL");
    await exited;
  };
  ends.add(kill);
  const end = (): void => void child.kill("SIGKILL");
  process.once("exit", end);
  const line = await Promise.race([once(createInterface(child.stdout!), "line"), exited.then(() => undefined)]);
  if (!line) throw new Error(`Cannot use the instance as it ended at its start: "${JSON.stringify(settings).slice(0, 200)}"`);
  // Or hooks after all tests would never run.
  child.unref();
  child.channel?.unref();
  (child.stdout as Socket | null)?.unref();
  let written = 0;
  return {
    url: String(line[0]),
    kill,
    write: (what) =>
      new Promise((resolve, reject) => {
        const id = ++written;
        waiting.set(id, { resolve, reject });
        child.channel?.ref();
        child.send({ id, ...what }, (error) => error && reject(error));
      }),
  };
}

/** Asks an instance with a key. */
export async function ask({ url }: Pick<Instance, "url">, key: string, target = "/api/v1/assets/USD_RLS"): Promise<Seen> {
  try {
    const answer = await fetch(`${url}${target}`, { headers: { "X-API-Key": key }, signal: AbortSignal.timeout(30_000) });
    return { status: answer.status, retryAfter: answer.headers.get("Retry-After"), tag: answer.headers.get("ETag"), text: await answer.text() };
  } catch (error) {
    if (error instanceof Error && error.name === "TimeoutError") throw error;
    return { status: 0, retryAfter: null, tag: null, text: String(error) };
  }
}

/** How often each status was seen. */
export function countOf(seen: readonly Pick<Seen, "status">[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of seen) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
