import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import type { Socket } from "node:net";

/** A child process that keeps its output, and is killed when this process ends. */
export interface Child {
  readonly process: ChildProcess;
  /** The child's standard output so far. */
  out(): string;
  /** The child's standard error so far. */
  err(): string;
  /** Resolves to the exit code, or to `null` after a signal, when the child has ended and its output is read. */
  readonly ended: Promise<number | null>;
  /** Waits until the child's output matches. Rejects with the output if the child ends first. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** The child's next message; `undefined` if the child has ended. */
  nextMessage<Message = string>(): Promise<Message | undefined>;
  /** Sends a signal, and waits until the child has ended. Resolves to its exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
  /** Lets this process end, or run hooks that wait for an idle event loop, while the child runs. */
  unref(): void;
}

/** Options for starting a child. */
export interface ChildOptions extends Omit<SpawnOptions, "stdio"> {
  /** Whether the child exchanges messages with this process. Default: no. */
  readonly hasMessages?: boolean;
  /** Whether the child has a standard input. Default: no. */
  readonly hasInput?: boolean;
  /** Whether the child also writes to descriptor 3. Default: no. */
  readonly hasThird?: boolean;
}

const running = new Set<ChildProcess>();
process.once("exit", () => running.forEach((child) => child.kill("SIGKILL")));

/** Starts a program. */
export function startChild(
  command: string,
  args: readonly string[],
  { hasMessages = false, hasInput = false, hasThird = false, ...options }: ChildOptions = {},
): Child {
  const third = hasThird ? (["pipe"] as const) : [];
  const channel = hasMessages ? (["ipc"] as const) : [];
  const stdio = [hasInput ? "pipe" : "ignore", "pipe", "pipe", ...third, ...channel] as const;
  const child = spawn(command, args, { ...options, stdio: [...stdio] });
  running.add(child);
  const texts = child.stdio.map(() => "");
  const printed = (): string => texts.join("");
  const lookers = new Set<() => void>();
  for (const [at, stream] of child.stdio.entries()) {
    if (at === 0 || !stream) continue;
    (stream as Socket).setEncoding("utf8").on("data", (text: string) => {
      texts[at] += text;
      for (const look of lookers) look();
    });
  }
  const messages: unknown[] = [];
  const waiting: ((message: unknown) => void)[] = [];
  child.on("message", (message) => {
    const next = waiting.shift();
    if (next) next(message);
    else messages.push(message);
  });
  let hasEnded = false;
  const ended = new Promise<number | null>((resolve) => {
    child.once("error", (error) => (texts[2] += String(error)));
    child.once("close", (code) => {
      hasEnded = true;
      running.delete(child);
      for (const next of waiting.splice(0)) next(undefined);
      for (const look of lookers) look();
      resolve(code);
    });
  });

  return {
    process: child,
    out: () => texts[1]!,
    err: () => texts[2]!,
    ended,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        function look(): void {
          const found = pattern.exec(printed());
          if (found) resolve(found);
          else if (hasEnded) reject(new Error(`"${command}" has ended with ${child.exitCode}: ${printed()}`));
          else return;
          lookers.delete(look);
        }
        lookers.add(look);
        look();
      }),
    async nextMessage<Message>() {
      if (messages.length > 0 || hasEnded) return messages.shift() as Message;
      return new Promise<Message>((resolve) => waiting.push(resolve as (message: unknown) => void));
    },
    end(signal = "SIGKILL") {
      child.ref();
      child.kill(signal);
      return ended;
    },
    unref() {
      child.unref();
      for (const stream of child.stdio) (stream as Socket | null)?.unref();
    },
  };
}

/** Starts a JavaScript program in Node. */
export function startNode(args: readonly string[], options: ChildOptions = {}): Child {
  return startChild(process.execPath, args, options);
}

/** The environment of this process, without its `MAZANEH_*` variables. */
export function ownEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((pair): pair is [string, string] => !pair[0].startsWith("MAZANEH_")),
  );
}
