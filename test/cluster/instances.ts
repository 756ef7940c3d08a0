import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { createInterface } from "node:readline";
import { after } from "node:test";
import { childProgram } from "../support/child_program.ts";
import { LOADER } from "../support/cli.ts";
import type { Written } from "./installation.ts";
import type { InstanceSettings } from "./instance_program.ts";

/** An instance of the service, in a process of its own. */
export interface Instance {
  readonly url: string;
  /** Writes to its store; resolves when that has acknowledged it, and rejects when it has not. */
  write(what: Written): Promise<void>;
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

/** How `mazaneh serve` is started. */
export interface ServeSettings {
  readonly store: string;
  readonly quota: string;
  /** Writes to the store, as a command of the program does. */
  readonly write: Instance["write"];
}

/** Starts `mazaneh serve`, and ends it with the test file. */
export async function startServe({ store, quota, write }: ServeSettings): Promise<Instance> {
  const { line, kill } = await startChild([childProgram("adapters/cli/main.ts"), "serve", "--json", "--port", "0"], { MAZANEH_STORE: store, MAZANEH_QUOTA: quota });
  return { url: (JSON.parse(line) as { readonly url: string }).url, kill, write };
}

/**
 * Starts a program on the adapters, and ends it with the test file: for what `mazaneh serve` does not do, which is to write
 * through the instance, and to ask the database for each request.
 */
export async function startInstance(settings: InstanceSettings): Promise<Instance> {
  const { child, line, kill } = await startChild([...LOADER, childProgram("test/cluster/instance_program.ts"), JSON.stringify(settings)], {});
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
  let written = 0;
  return {
    url: line,
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

/** Starts a program of Node; resolves when it has written its first line. */
async function startChild(args: readonly string[], env: NodeJS.ProcessEnv): Promise<{ readonly child: ChildProcess; readonly line: string; kill(): Promise<void> }> {
  const ours = Object.entries(process.env).filter(([name]) => !name.startsWith("MAZANEH_"));
  const child = spawn(process.execPath, args, { env: { ...Object.fromEntries(ours), ...env }, stdio: ["ignore", "pipe", "pipe", "ipc"] });
  const exited = once(child, "exit");
  const kill = async (): Promise<void> => {
    child.ref();
    child.kill("SIGKILL");
    await exited;
  };
  ends.add(kill);
  process.once("exit", () => void child.kill("SIGKILL"));
  let said = "";
  // Read to the end, or the program would stop at a full pipe.
  child.stderr!.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-4_000)));
  const line = await Promise.race([once(createInterface(child.stdout!), "line"), exited.then(() => undefined)]);
  if (!line) throw new Error(`Cannot use the instance as it ended at its start: ${said}`);
  // Or hooks after all tests would never run.
  child.unref();
  child.channel?.unref();
  for (const stream of [child.stdout, child.stderr]) (stream as Socket | null)?.unref();
  return { child, line: String(line[0]), kill };
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
