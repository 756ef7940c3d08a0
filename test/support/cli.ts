import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";
import { openAccountStore } from "../../adapters/json_files/mod.ts";
import { systemClock } from "../../adapters/system.ts";
import { childProgram } from "./child_program.ts";
import type { Json } from "./world.ts";

/** The outcome of a run of the program. */
export interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** The output parsed as JSON; throws if it is not JSON. */
  json(): Json;
}

/** Options of a run besides its arguments. */
export interface RunOptions {
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Reads at most this much of the output, then closes it. */
  readonly readBytes?: number;
}

/** A running server, and what it printed with `--json`. */
export interface Served {
  readonly child: ChildProcessWithoutNullStreams;
  readonly url: string;
  readonly state: Json;
  /** What it has written to standard error so far. */
  errors(): string;
  /** Requests a route with a key. */
  get(path: string, key?: string): Promise<{ status: number; json: Json }>;
  /** Sends SIGTERM; resolves to the exit code. */
  stop(): Promise<number | null>;
}

/** What Node needs to run TypeScript. */
export const LOADER = ["--import", import.meta.resolve("./typescript.mjs")];

/** Runs the program to its end. */
export async function mazaneh(args: readonly string[], { input = "", env, cwd, readBytes = Infinity }: RunOptions = {}): Promise<Run> {
  const child = startMazaneh(args, env, cwd);
  child.stdin.on("error", () => undefined); // The program may end before it has read all of it.
  child.stdin.end(input);
  const [out, err, [code]] = await Promise.all([textOf(child.stdout, readBytes), textOf(child.stderr), once(child, "close")]);
  return { code: code as number | null, out, err, json: () => JSON.parse(out) as Json };
}

/** Starts `serve --json --port 0 --init` with these arguments, and ends it with the test. */
export async function serving(t: TestContext, args: readonly string[], env?: RunOptions["env"]): Promise<Served> {
  const child = startMazaneh(["serve", "--json", "--port", "0", "--init", ...args], env);
  const closed = once(child, "close");
  t.after(async () => {
    child.kill("SIGKILL");
    await closed;
  });
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const line = await Promise.race([once(createInterface(child.stdout), "line"), closed.then(() => undefined)]);
  if (!line) throw new Error(`The server did not start: ${err}`);
  const state = JSON.parse(String(line[0])) as Json;
  const url = String(state["url"]);
  return {
    child,
    url,
    state,
    errors: () => err,
    async get(path, key) {
      const response = await fetch(url + path, { headers: key === undefined ? {} : { "X-API-Key": key } });
      return { status: response.status, json: (await response.json()) as Json };
    },
    async stop() {
      child.kill("SIGTERM");
      const [code] = await closed;
      return code as number | null;
    },
  };
}

/** A directory that is removed after the test. */
export async function temporaryDirectory(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "mazaneh-cli-"));
  // Hooks run in the order in which they are made: a server that a later one ends may still write there.
  t.after(() => rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  return path;
}

/** An empty store in a directory that is removed after the test. */
export async function temporaryStore(t: TestContext): Promise<string> {
  return makeStore(join(await temporaryDirectory(t), "data"));
}

/** Makes an empty store; resolves to its directory. */
export async function makeStore(data: string): Promise<string> {
  await mkdir(data, { mode: 0o700 });
  await (await openAccountStore(data, { clock: systemClock })).close();
  return data;
}

/** Starts the program, without the `MAZANEH_*` variables of the process that runs the tests. */
export function startMazaneh(args: readonly string[], env?: RunOptions["env"], cwd?: string): ChildProcessWithoutNullStreams {
  return spawnProgram([childProgram("adapters/cli/main.ts"), ...args], env, cwd);
}

/** Starts the program from its sources, as `npm start` does; its messages then name `npx tsx`. */
export function startSources(args: readonly string[], env?: RunOptions["env"]): ChildProcessWithoutNullStreams {
  return spawnProgram([...LOADER, "adapters/cli/main.ts", ...args], env);
}

function spawnProgram(args: readonly string[], env: RunOptions["env"], cwd?: string): ChildProcessWithoutNullStreams {
  const ours = Object.entries(process.env).filter(([name]) => !name.startsWith("MAZANEH_"));
  return spawn(process.execPath, args, { env: { ...Object.fromEntries(ours), ...env }, ...(cwd !== undefined && { cwd }) });
}

async function textOf(stream: AsyncIterable<Uint8Array>, limit = Infinity): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > limit) break;
  }
  return Buffer.concat(chunks).toString();
}
