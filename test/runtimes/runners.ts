import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { LOADER } from "../support/cli.ts";

/** The app, running in a runtime. */
export interface Runner {
  readonly name: string;
  readonly origin: string;
  close(): Promise<void>;
}

/** A way to start the app. `program` is the path of the runtime. */
export interface Runtime {
  readonly name: string;
  start(program: string): Promise<Runner>;
}

/** Longest wait for a runtime to listen, on a busy machine. */
const START_MS = 30_000;

/** What lets a Node run TypeScript: versions after 20 do that themselves. */
export function loaderOf(name: string): readonly string[] {
  return name === "node" || name === "node20" ? LOADER : [];
}

/** The three ways on Node. All others are compared with the first. */
export function nodeRuntimes(label: string): readonly Runtime[] {
  return ["server", "listener", "fetch"].map((way) => {
    const name = `${label} ${way}`;
    return {
      name,
      start: (program) => startListening(name, [program, ...loaderOf(label), here("worker_node.ts"), way]),
    };
  });
}

export const BUN: Runtime = {
  name: "bun",
  start: (program) => startListening("bun", [program, "run", here("worker.ts")]),
};

export const DENO: Runtime = { name: "deno", start: startDeno };

/** The ways to start the app on PostgreSQL and Redis; `env` names these and the client libraries. */
export function engineRuntime(name: "bun" | "deno", env: Readonly<Record<string, string>>): Runtime {
  // Client libraries read files, the environment and the system; Deno finds them in node_modules.
  const rights = ["--allow-net", "--allow-env", "--allow-read", "--allow-sys"];
  const options = ["--no-prompt", "--no-check", "--no-lock", "--node-modules-dir=manual", ...rights];
  const args =
    name === "bun"
      ? ["run", here("worker_engines.ts")]
      : ["serve", ...options, "--host", "127.0.0.1", "--port", "0", here("worker_engines.ts")];
  return { name, start: (program) => startListening(name, [program, ...args], env) };
}

/** A process that listens, as a runner. */
export function running(name: string, child: ChildProcess, origin: string): Runner {
  const closed = once(child, "close");
  return {
    name,
    origin,
    async close() {
      child.kill("SIGKILL");
      await closed;
    },
  };
}

/** Waits until a stream of a process matches the pattern, and returns the part in parentheses. */
export async function said(name: string, child: ChildProcess, pattern: RegExp): Promise<string> {
  let text = "";
  return new Promise((resolve, reject) => {
    const fail = (how: string): void => {
      clearTimeout(timer);
      child.kill("SIGKILL");
      reject(new Error(`${name} ${how}; it said: ${text}`));
    };
    const timer = setTimeout(() => fail(`did not listen within ${START_MS} ms`), START_MS);
    child.once("error", (error) => fail(`did not start (${error.message})`));
    child.once("exit", (code) => fail(`ended with ${code}`));
    for (const stream of child.stdio) {
      if (!stream || !("setEncoding" in stream)) continue;
      stream.setEncoding("utf8").on("data", (part: string) => {
        text += part;
        const [, found] = pattern.exec(text) ?? [];
        if (found === undefined) return;
        clearTimeout(timer);
        resolve(found);
      });
    }
  });
}

async function startDeno(program: string): Promise<Runner> {
  // With the permission to listen only, so reading a file or the environment fails.
  const options = ["--no-prompt", "--no-check", "--cached-only", "--no-config", "--no-lock"];
  return startListening("deno", [
    program,
    "serve",
    ...options,
    "--host",
    "127.0.0.1",
    "--port",
    "0",
    here("worker.ts"),
  ]);
}

async function startListening(
  name: string,
  [program, ...args]: readonly [string, ...string[]],
  settings: Readonly<Record<string, string>> = {},
): Promise<Runner> {
  const env = { ...process.env, ...settings, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1", NODE_NO_WARNINGS: "1" };
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env });
  const port = await said(name, child, /http:\/\/(?:127\.0\.0\.1|localhost):(\d+)/);
  return running(name, child, `http://127.0.0.1:${port}`);
}

function here(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
