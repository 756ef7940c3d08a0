import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { atEnd } from "./cleanup.ts";

/** A process that a benchmark has started, with the probe of `probe.ts` loaded into it. */
export interface Started {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Sends a message; resolves to the next one that comes back. */
  ask(message: unknown): Promise<unknown>;
  /** Processor time used so far by all of its threads, in microseconds. */
  cpuMicros(): Promise<number>;
  /** Kills it and waits until it has ended. */
  stop(): Promise<void>;
}

/** A started process that serves. */
export interface StartedServer extends Started {
  readonly port: number;
}

/** How a process is started. */
export interface StartOptions {
  /** Path of the built `probe.ts`. */
  readonly probe: string;
  /** Whether it runs on the server's core, on the client's, or on any. */
  readonly side: "server" | "client" | "any";
  readonly environment?: Readonly<Record<string, string>>;
}

const CAN_PIN = availableParallelism() > 1 && spawnSync("taskset", ["--version"], { stdio: "ignore" }).status === 0;
const CORES = { server: "1", client: "0" } as const;
const START_MS = 30_000;
const ANSWER_MS = 30_000;

/** Whether server and client have cores of their own, in words. */
export const PINNING = CAN_PIN ? "server and client pinned to cores of their own" : "not pinned to cores";

/** The command pinned to the core of its side, if this machine can pin processes. */
export function pinned(side: StartOptions["side"], command: readonly string[]): readonly string[] {
  return CAN_PIN && side !== "any" ? ["taskset", "-c", CORES[side], ...command] : command;
}

/** Starts a Node program, on Linux pinned to one core, so that server and client do not compete for one. */
export function startProgram(args: readonly string[], { probe, side, environment }: StartOptions): Started {
  const [command, ...rest] = pinned(side, [process.execPath, "--import", probe, ...args]);
  const env = { ...process.env, NODE_ENV: "production", ...environment };
  const child = spawn(command!, rest, { stdio: ["ignore", "pipe", "inherit", "ipc"], env });
  const closed = once(child, "close");
  atEnd(() => child.kill("SIGKILL"));

  function ask(message: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const fail = (how: string): void => reject(new Error(`${args[0]} ${how}`));
      const ended = (): void => fail("ended before it answered");
      const timer = setTimeout(() => fail(`did not answer within ${ANSWER_MS} ms`), ANSWER_MS);
      child.once("exit", ended);
      child.once("message", (answer) => {
        clearTimeout(timer);
        child.off("exit", ended);
        resolve(answer);
      });
      child.send(message as object);
    });
  }

  return {
    child,
    pid: child.pid!,
    ask,
    cpuMicros: async () => Number(await ask("cpu")),
    async stop() {
      child.kill("SIGKILL");
      await closed;
    },
  };
}

/** Starts a server, and waits until it has printed its address. */
export async function startServer(args: readonly string[], options: StartOptions): Promise<StartedServer> {
  const started = startProgram(args, options);
  return { ...started, port: await portOf(started.child, args[0]!) };
}

function portOf(child: ChildProcess, name: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = "";
    const timer = setTimeout(() => reject(new Error(`${name} did not listen within ${START_MS} ms; it said: ${text}`)), START_MS);
    child.once("exit", (code) => reject(new Error(`${name} ended with ${code}; it said: ${text}`)));
    child.stdout!.setEncoding("utf8").on("data", (part: string) => {
      text += part;
      const [, port] = /127\.0\.0\.1:(\d+)/.exec(text) ?? [];
      if (port === undefined) return;
      clearTimeout(timer);
      resolve(Number(port));
    });
  });
}
