import { fileURLToPath } from "node:url";
import { LOADER } from "../support/cli.ts";
import { type Child, startChild } from "../support/start_child.ts";

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

/** Node's arguments for running TypeScript; versions after 20 need none. */
export function loaderOf(name: string): readonly string[] {
  return name === "node" || name === "node20" ? LOADER : [];
}

/** The three ways to start the app on Node. The first is the reference for all other runners. */
export function nodeRuntimes(label: string): readonly Runtime[] {
  return ["server", "listener", "fetch"].map((way) => {
    const name = `${label} ${way}`;
    return {
      name,
      start: (program) => startListening(name, [program, ...loaderOf(label), here("worker_node.ts"), way]),
    };
  });
}

/** The options of Deno, before the permissions and the module. */
const SERVE = ["serve", "--no-prompt", "--no-check", "--no-lock", "--host", "127.0.0.1", "--port", "0"];

export const BUN: Runtime = {
  name: "bun",
  start: (program) => startListening("bun", [program, "run", here("worker.ts")]),
};

/** Deno with only the permission to listen, so reading a file or an environment variable fails. */
export const DENO: Runtime = {
  name: "deno",
  start: (program) => startListening("deno", [program, ...SERVE, "--cached-only", "--no-config", here("worker.ts")]),
};

/** The ways to start the app on PostgreSQL and Redis. `env` has their addresses. */
export function engineRuntime(name: "bun" | "deno", env: Readonly<Record<string, string>>): Runtime {
  // The client libraries read files, environment variables and system information; Deno finds them in node_modules.
  const rights = ["--node-modules-dir=manual", "--allow-net", "--allow-env", "--allow-read", "--allow-sys"];
  const args = name === "bun" ? ["run"] : [...SERVE, ...rights];
  return { name, start: (program) => startListening(name, [program, ...args, here("worker_engines.ts")], env) };
}

/** Resolves to a runner when its process has printed the port. */
export async function running(name: string, child: Child, port: RegExp): Promise<Runner> {
  const [, found] = await child.printed(port);
  return { name, origin: `http://127.0.0.1:${found}`, close: async () => void (await child.end()) };
}

async function startListening(
  name: string,
  [program, ...args]: readonly [string, ...string[]],
  settings: Readonly<Record<string, string>> = {},
): Promise<Runner> {
  const env = { ...process.env, ...settings, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1", NODE_NO_WARNINGS: "1" };
  return running(name, startChild(program, args, { env }), /http:\/\/(?:127\.0\.0\.1|localhost):(\d+)/);
}

function here(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
