import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PassThrough, Readable } from "node:stream";
import type { TestContext } from "node:test";
import type { CliContext } from "../../adapters/cli/command.ts";
import { runProgram } from "../../adapters/cli/run_program.ts";
import { createTerminal } from "../../adapters/cli/terminal.ts";
import { systemClock } from "../../adapters/http/web_system.ts";
import { openJsonFiles } from "../../adapters/stores/json_files/mod.ts";
import type { UtcMillis } from "../../core/mod.ts";
import type { Json } from "./api_under_test.ts";
import { childProgram } from "./child_program.ts";
import { type Child, ownEnvironment, startNode } from "./start_child.ts";

/** The outcome of a run of the program. */
export interface Run {
  readonly code: number | null;
  readonly out: string;
  /** Standard error, without `Waiting for process …`: on a busy machine, any command may wait for another process. */
  readonly err: string;
  /** The output parsed as JSON; throws if it is not JSON. */
  json(): Json;
}

/** Options of a run, besides the arguments. */
export interface RunOptions {
  readonly input?: string | Uint8Array | readonly (string | Uint8Array)[];
  readonly env?: CliContext["environment"];
  /** The clock's time. Default: the machine's. */
  readonly now?: string;
  /** Whether standard input and standard error are terminals. */
  readonly isTTY?: boolean;
  /** The width of the terminal on standard output. Default: standard output is not a terminal. */
  readonly columns?: number;
  /** Whether an import asks its questions about prices. Default: `false`, because most tests import made-up prices. */
  readonly asks?: boolean;
}

/** Options of a run in a separate process. */
export interface SpawnOptions {
  readonly input?: string | Uint8Array;
  readonly env?: CliContext["environment"];
  readonly cwd?: string;
  /** Reads at most this many bytes of the output, then closes the pipe. */
  readonly readBytes?: number;
}

/** A running server, and its `--json` output. */
export interface Served {
  readonly url: string;
  readonly state: Json;
  /** The server's standard error so far. */
  errors(): string;
  /** Requests a route with a key. */
  get(path: string, key?: string): Promise<{ status: number; json: Json }>;
  /** Asks the server to stop, as SIGTERM does; resolves to its exit code. */
  stop(): Promise<number | null>;
}

/** A server in a separate process. */
export interface ServedChild extends Served {
  readonly child: ChildProcessWithoutNullStreams;
}

/** Node's arguments for running TypeScript. */
export const LOADER = ["--import", new URL("typescript.mjs", import.meta.url).href];
const SERVE = ["serve", "--json", "--port", "0", "--init"];

/** Runs a command within this process. Use `spawned` for tests that need a process: locks, signals, exit codes. */
export async function mazaneh(
  args: readonly string[],
  options: RunOptions = {},
): Promise<Run & { readonly code: number }> {
  const { input = [] } = options;
  const parts = Array.isArray(input) ? (input as readonly (string | Uint8Array)[]) : [input as string | Uint8Array];
  const { texts, ended, stop } = started(args, {
    ...options,
    input: Readable.from(parts.map((part) => Buffer.from(part))),
  });
  // If a server starts although the test expects an error, it must not block the tests.
  if (args[0] === "serve") stop();
  const code = await ended;
  return { code, out: texts.out, err: withoutWait(texts.err), json: () => JSON.parse(texts.out) as Json };
}

/** A command that runs within this process. */
export interface Started {
  /** Its output so far. */
  readonly texts: { readonly out: string; readonly err: string };
  readonly output: Readable;
  /** Asks a server or a stream to stop, as a signal does. */
  stop(): void;
  /** The exit code. */
  readonly ended: Promise<number>;
}

/** Starts a command within this process. */
export function started(
  args: readonly string[],
  options: Omit<RunOptions, "input"> & { readonly input: Readable },
): Started {
  const { input, env = {}, now, isTTY = false, columns, asks = false } = options;
  const output = Object.assign(new PassThrough(), columns !== undefined && { columns });
  const errors = Object.assign(new PassThrough(), { isTTY });
  const texts = { out: "", err: "" };
  output.setEncoding("utf8").on("data", (text: string) => (texts.out += text));
  errors.setEncoding("utf8").on("data", (text: string) => (texts.err += text));
  let stop: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  const ended = runProgram(asks ? args : answered(args), {
    terminal: createTerminal({ input: Object.assign(input, { isTTY }), output, errors }),
    environment: env,
    clock: now === undefined ? systemClock : () => Date.parse(now) as UtcMillis,
    stopSignal: () => stopped,
    version: "0.0.0",
    program: "mazaneh",
  });
  // `ended` settles after all output was read.
  return {
    texts,
    output,
    stop,
    ended: ended.then((code) => new Promise<number>((resolve) => setImmediate(resolve, code))),
  };
}

/** Starts `serve --json --port 0 --init` with these arguments within this process. Stops the server after the test. */
export async function serving(
  t: TestContext,
  args: readonly string[],
  env: CliContext["environment"] = {},
  options: Pick<RunOptions, "now"> = {},
): Promise<Served> {
  const { texts, output, stop, ended } = started([...SERVE, ...args], { env, ...options, input: Readable.from([]) });
  t.after(async () => {
    stop();
    await ended;
  });
  const errors = (): string => texts.err;
  const line = await firstLine(output, ended);
  if (line === undefined) throw new Error(`The server did not start: ${errors()}`);
  return servedBy(line, {
    errors,
    async stop() {
      stop();
      return ended;
    },
  });
}

/** Starts `serve --json --port 0 --init` with these arguments in a separate process. Kills it after the test. */
export async function servingChild(
  t: TestContext,
  args: readonly string[],
  env?: CliContext["environment"],
  cwd?: string,
): Promise<ServedChild> {
  const child = startMazaneh([...SERVE, ...args], env, cwd);
  t.after(() => child.end());
  const [line] = await child.printed(/^\{.*(?=\n)/m);
  const served = servedBy(line, { errors: child.err, stop: () => child.end("SIGTERM") });
  return { child: child.process as ServedChild["child"], ...served };
}

/** Runs the program in a separate process, and waits until it ends. */
export async function spawned(
  args: readonly string[],
  { input = "", env, cwd, readBytes = Infinity }: SpawnOptions = {},
): Promise<Run> {
  const child = startMazaneh(args, env, cwd);
  const { stdin, stdout } = child.process as ServedChild["child"];
  stdin.on("error", () => undefined); // The program may end before it has read all of its input.
  stdin.end(input);
  stdout.on("data", () => void (child.out().length > readBytes && stdout.destroy()));
  const code = await child.ended;
  return { code, out: child.out(), err: withoutWait(child.err()), json: () => JSON.parse(child.out()) as Json };
}

const withoutWait = (errors: string): string => errors.replace(/^Waiting for process .*\n/m, "");

/** Starts the program in a separate process. */
export function startMazaneh(args: readonly string[], env?: CliContext["environment"], cwd?: string): Child {
  return startNode(programLine(args), {
    ...{ env: { ...ownEnvironment(), ...env }, hasInput: true },
    ...(cwd !== undefined && { cwd }),
  });
}

/** Node's arguments for running the program. */
function programLine(args: readonly string[]): string[] {
  return [childProgram("adapters/cli/main.ts"), ...answered(args)];
}

/** The arguments. For an import, adds the options that answer its questions about prices. */
function answered(args: readonly string[]): readonly string[] {
  const [command, ...others] = args;
  return command !== "import" || others.includes("--help")
    ? args
    : [command, "--yes", "--doubtful", "accept", ...others];
}

/** A directory that is removed after the test. */
export async function temporaryDirectory(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "mazaneh-cli-"));
  // Retries, because hooks run in the order of registration: until a later hook stops a server, it may still write.
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
  await (await openJsonFiles(data, { clock: systemClock })).close();
  return data;
}

/** The line that a server prints when it has started; `undefined` if the server ends first. */
async function firstLine(output: NodeJS.ReadableStream, ended: Promise<unknown>): Promise<string | undefined> {
  const [line] = await Promise.race([once(createInterface(output), "line"), ended.then(() => [])]);
  return line as string | undefined;
}

function servedBy(line: string, { errors, stop }: Pick<Served, "errors" | "stop">): Served {
  const state = JSON.parse(line) as Json;
  const url = String(state["url"]);
  return {
    ...{ url, state, errors, stop },
    async get(path, key) {
      const response = await fetch(url + path, { headers: key === undefined ? {} : { "X-API-Key": key } });
      return { status: response.status, json: (await response.json()) as Json };
    },
  };
}
