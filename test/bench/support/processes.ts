import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PROBE = new URL("probe.mjs", import.meta.url).href;
const CAN_PIN = availableParallelism() > 1 && spawnSync("taskset", ["--version"], { stdio: "ignore" }).status === 0;
const CORES = { server: "1", client: "0" } as const;
const PATIENCE_MS = 60_000;

const endings: (() => void)[] = [];

/** Runs a function when the process ends, even after a failure or a signal. The functions run in reverse order. */
export function atEnd(ending: () => void): void {
  if (endings.length === 0) {
    process.once("exit", () => endings.toReversed().forEach((each) => each()));
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(130));
  }
  endings.push(ending);
}

/** Makes a directory that is removed at the end. It is below the repository, because `/tmp` may be in memory. */
export function temporaryDirectory(): string {
  mkdirSync(join(ROOT, ".cache/bench"), { recursive: true });
  const path = mkdtempSync(join(ROOT, ".cache/bench/run-"));
  chmodSync(path, 0o755); // PostgreSQL, which runs as another user, must be able to enter it.
  atEnd(() => rmSync(path, { recursive: true, force: true, maxRetries: 3 }));
  return path;
}

/**
 * Builds programs with the options of `build.mjs`. tsx would add code that names every closure, which takes time.
 * Returns a function that maps the path of a source, such as `adapters/cli/main.ts`, to the path of its JavaScript.
 */
export async function buildPrograms(...sources: readonly string[]): Promise<(source: string) => string> {
  const home = temporaryDirectory();
  await build({
    entryPoints: [...sources],
    absWorkingDir: ROOT,
    outdir: join(home, "dist"),
    outbase: ".",
    bundle: true,
    packages: "external",
    splitting: true,
    format: "esm",
    platform: "node",
    target: "es2023",
    charset: "utf8",
    logLevel: "error",
  });
  return (source) => join(home, "dist", source.replace(/\.ts$/, ".js"));
}

/** A process that a benchmark has started. */
export interface Started {
  /** Sends a message; resolves to the next message that comes back. */
  ask(message: unknown): Promise<unknown>;
  /** The processor time of all of its threads so far, in microseconds. */
  cpuMicros(): Promise<number>;
  /** Waits until the output matches; resolves to the first group of the pattern. */
  printed(pattern: RegExp): Promise<string>;
  /** Ends the process now. By default, the process ends with the benchmark. */
  end(): void;
}

/** Options for starting a process. */
export interface StartOptions {
  /** Pins the process to the server's or the client's core, if this machine can pin processes. Default: any core. */
  readonly side?: keyof typeof CORES;
  readonly env?: NodeJS.ProcessEnv;
  /** The signal that ends the process. Default: SIGKILL. */
  readonly stop?: NodeJS.Signals;
  /** Default: this Node. */
  readonly node?: string;
}

/** Starts a Node program. The program ends when this process ends. If the program ends first, this process fails. */
export function start(
  args: readonly string[],
  { side, env, stop = "SIGKILL", node = process.execPath }: StartOptions = {},
): Started {
  const pinning = CAN_PIN && side !== undefined ? ["taskset", "-c", CORES[side]] : [];
  const [command, ...rest] = [...pinning, node, "--expose-gc", "--import", PROBE, ...args];
  const child = spawn(command!, rest, {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
    env: { ...process.env, NODE_ENV: "production", ...env },
  });
  let isEnding = false;
  const end = (): void => {
    isEnding = true;
    child.kill(stop);
  };
  atEnd(end);
  child.once("exit", (code) => {
    if (isEnding) return;
    console.error(`${args[0]} has ended with ${code}`);
    process.exit(1);
  });
  let printed = "";
  child.stdout!.setEncoding("utf8").on("data", (text: string) => (printed += text));

  async function ask(message: unknown): Promise<unknown> {
    child.send(message as object);
    return ((await once(child, "message", { signal: AbortSignal.timeout(PATIENCE_MS) })) as [unknown])[0];
  }

  return {
    ask,
    end,
    cpuMicros: async () => Number(await ask("cpu")),
    async printed(pattern) {
      for (let waited = 0; waited < PATIENCE_MS; waited += 20) {
        const [, found] = pattern.exec(printed) ?? [];
        if (found !== undefined) return found;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error(`${args[0]} did not print ${pattern}: ${printed}`);
    },
  };
}

/** Answers the benchmark's messages to this process. Prints `ready` first, because earlier messages would be lost. */
export function answerMessages(answer: (message: unknown) => unknown): void {
  process.on("message", async (message) => {
    if (message !== "cpu") process.send!(await answer(message)); // The probe answers "cpu".
  });
  process.channel!.ref();
  console.log("ready");
}
