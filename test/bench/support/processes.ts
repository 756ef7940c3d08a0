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

/** Runs a function when the process ends, whether it is done, has failed or was interrupted. The last one runs first. */
export function atEnd(ending: () => void): void {
  if (endings.length === 0) {
    process.once("exit", () => endings.toReversed().forEach((each) => each()));
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(130));
  }
  endings.push(ending);
}

/** A new directory that is removed when the process ends; in the repository, as the one of temporary files may be in memory, where a sync costs nothing. */
export function temporaryDirectory(): string {
  mkdirSync(join(ROOT, ".cache/bench"), { recursive: true });
  const path = mkdtempSync(join(ROOT, ".cache/bench/run-"));
  chmodSync(path, 0o755); // PostgreSQL runs as another user.
  atEnd(() => rmSync(path, { recursive: true, force: true, maxRetries: 3 }));
  return path;
}

/**
 * Builds JavaScript from programs as `build.mjs` does for the package: under tsx every closure is named when it is made, which
 * takes time. Returns a function from the path of a source, such as `adapters/cli/main.ts`, to that of its JavaScript.
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
  /** Sends a message; resolves to the next one that comes back. */
  ask(message: unknown): Promise<unknown>;
  /** Processor time used so far by all of its threads, in microseconds. */
  cpuMicros(): Promise<number>;
  /** Waits until it has printed something, and gives the first group of the pattern. */
  printed(pattern: RegExp): Promise<string>;
  /** Ends it before this process ends. */
  end(): void;
}

/** How a process is started. */
export interface StartOptions {
  /** Whether it gets the server's core or the client's, where this machine can pin processes. Default: any core. */
  readonly side?: keyof typeof CORES;
  readonly env?: NodeJS.ProcessEnv;
  /** How it is ended. Default: SIGKILL. */
  readonly stop?: NodeJS.Signals;
}

/** Starts a Node program. It ends with this process, and this process fails with it. */
export function start(args: readonly string[], { side, env, stop = "SIGKILL" }: StartOptions = {}): Started {
  const pinning = CAN_PIN && side !== undefined ? ["taskset", "-c", CORES[side]] : [];
  const [command, ...rest] = [...pinning, process.execPath, "--expose-gc", "--import", PROBE, ...args];
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
      throw new Error(`${args[0]} has not printed ${pattern}: ${printed}`);
    },
  };
}

/** In a started process: answers each message by what `answer` makes of it. A message that comes before is lost, so it prints that it is ready. */
export function answerMessages(answer: (message: unknown) => unknown): void {
  process.on("message", async (message) => {
    if (message !== "cpu") process.send!(await answer(message)); // The probe answers "cpu".
  });
  process.channel!.ref();
  console.log("ready");
}

/** Runs a benchmark again as the JavaScript that users get, with the options of the command line, and ends with it. */
export async function runBuilt(source: string): Promise<never> {
  const built = await buildPrograms(source);
  process.exit(
    spawnSync(process.execPath, ["--expose-gc", built(source), ...process.argv.slice(2)], { stdio: "inherit" })
      .status ?? 1,
  );
}
