import { type ChildProcess, execFileSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type Child, startChild } from "./start_child.ts";
import { until } from "./wait_until.ts";

/** A user of the system. */
export interface User {
  readonly uid: number;
  readonly gid: number;
}

/** Describes how to start a server program for a test. */
export interface ServerProgram {
  readonly command: string;
  args(port: number): readonly string[];
  /** The output that shows that the program accepts connections, or that its port is in use. */
  readonly ready: RegExp;
  readonly portInUse: RegExp;
  /** The signal for a graceful shutdown. */
  readonly stopSignal: NodeJS.Signals;
  /** The server's directory, which is removed at the end. */
  readonly directory: string;
  readonly user?: User | undefined;
}

/** A running server. The server ends with the test file, even if a test fails or this process gets a signal. */
export interface ServerProcess {
  readonly port: number;
  /** Shuts the server down gracefully, and waits until it has ended. */
  stop(): Promise<void>;
  /** Kills the server and its processes with SIGKILL, as if the machine were lost. */
  kill(): Promise<void>;
  /** Freezes the server and its processes with SIGSTOP: connections stay open, but get no answers. */
  pause(): void;
  resume(): void;
  /** Starts the server again with the same data and port; stops it first if it is running. */
  restart(): Promise<void>;
}

/** Ports below the range that systems assign, so that no other program gets the port while the server is stopped. */
const PORTS = { first: 20_000, count: 12_000 };
const TRIES = 20;
const CAUGHT: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Makes a temporary directory that belongs to `user`. */
export function serverDirectory(user: User | undefined): string {
  const directory = mkdtempSync(join(tmpdir(), "mazaneh-server-"));
  if (user) chownSync(directory, user.uid, user.gid);
  return directory;
}

/** The user of this name; `undefined` if there is none. */
export function findUser(name: string): User | undefined {
  try {
    const [uid, gid] = ["-u", "-g"].map((flag) =>
      Number(execFileSync("id", [flag, name], { stdio: ["ignore", "pipe", "ignore"] })),
    );
    return { uid: uid!, gid: gid! };
  } catch {
    return undefined;
  }
}

/** Starts a server on a free port of 127.0.0.1, and waits until it accepts connections. */
export async function startServer(program: ServerProgram): Promise<ServerProcess> {
  let port = 0;
  let child: Child | undefined;
  const pids = (): readonly number[] =>
    child !== undefined && hasStarted(child.process) ? withDescendants(child.process.pid!) : [];

  async function start(tries: number, another: boolean): Promise<void> {
    for (let tried = 1; ; tried++) {
      if (another) port = PORTS.first + Math.floor(Math.random() * PORTS.count);
      child = startChild(program.command, program.args(port), { cwd: program.directory, ...program.user });
      const said = await child.printed(program.ready).then(
        () => undefined,
        (error: Error) => error.message,
      );
      if (said === undefined) return child.unref();
      if (!program.portInUse.test(said) || tried === tries)
        throw new Error(`Cannot start a server on port ${port}: ${said}`);
      if (!another) await delay(200);
    }
  }

  async function gone(all: readonly number[]): Promise<void> {
    if (child && hasStarted(child.process)) {
      child.process.ref();
      await once(child.process, "exit");
    }
    await until("its processes have ended", () => !all.some((pid) => isRunning(pid)), 5);
  }

  function resume(): void {
    signal(pids(), "SIGCONT");
  }

  function endNow(): void {
    signal(pids(), "SIGKILL");
    rmSync(program.directory, { recursive: true, force: true, maxRetries: 20 });
  }

  const server: ServerProcess = {
    get port() {
      return port;
    },
    async stop() {
      const all = pids();
      resume();
      signal(all.slice(0, 1), program.stopSignal);
      await gone(all);
    },
    async kill() {
      const all = pids();
      signal(all, "SIGKILL");
      await gone(all);
    },
    pause() {
      // The main process is stopped before its children are listed, so that it cannot start more of them.
      signal(pids().slice(0, 1), "SIGSTOP");
      signal(pids(), "SIGSTOP");
    },
    resume,
    async restart() {
      await server.stop();
      await start(TRIES, false);
    },
  };

  endWithProcess(endNow);
  await start(TRIES, true);
  after(async () => {
    await server.kill();
    endNow();
  });
  return server;
}

/** Whether a process runs, as far as Node knows. */
function hasStarted({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null;
}

function endWithProcess(end: () => void): void {
  process.once("exit", end);
  for (const name of CAUGHT) {
    process.once(name, () => {
      end();
      process.exit(1);
    });
  }
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended in the meantime.
    }
  }
}

/** The process and its descendants. PostgreSQL's children start their own sessions: signals to the group miss them. */
function withDescendants(pid: number): readonly number[] {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), statOf(Number(name))?.parent] as const);
  const found = [pid];
  for (const one of found) found.push(...parents.filter(([, parent]) => parent === one).map(([child]) => child));
  return found;
}

function isRunning(pid: number): boolean {
  // Zombies have ended, too.
  return (statOf(pid)?.state ?? "Z") !== "Z";
}

function statOf(pid: number): { readonly state: string; readonly parent: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state, parent] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { state: state!, parent: Number(parent) };
  } catch {
    return undefined;
  }
}
