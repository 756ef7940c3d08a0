import { PassThrough, Readable } from "node:stream";
import type { CliContext } from "../../adapters/cli/command.ts";
import { chooseEngine } from "../../adapters/cli/engine.ts";
import type { ChooseEngine } from "../../adapters/cli/engine.ts";
import { runProgram } from "../../adapters/cli/program.ts";
import { createTerminal } from "../../adapters/cli/terminal.ts";
import { systemClock } from "../../adapters/system.ts";
import type { UtcMillis } from "../../core/mod.ts";

/** Options of a run within this process. */
export interface Setting {
  readonly env?: CliContext["environment"];
  readonly input?: readonly (string | Uint8Array)[];
  /** The clock's time. Default: the machine's. */
  readonly now?: string;
  /** Whether standard input and standard error are terminals. */
  readonly isTTY?: boolean;
  /** Default: the program's own. */
  readonly engine?: ChooseEngine;
}

/** Runs a command within this process, which is faster than a child process; not for `serve`. */
export async function program(args: readonly string[], { env = {}, input = [], now, isTTY = false, engine = chooseEngine }: Setting = {}): Promise<{ code: number; out: string; err: string }> {
  const output = new PassThrough();
  const errors = Object.assign(new PassThrough(), { isTTY });
  const texts = { out: "", err: "" };
  output.setEncoding("utf8").on("data", (text: string) => (texts.out += text));
  errors.setEncoding("utf8").on("data", (text: string) => (texts.err += text));
  const code = await runProgram(args, {
    terminal: createTerminal({ input: Object.assign(Readable.from(input.map((part) => Buffer.from(part))), { isTTY }), output, errors }),
    environment: env,
    engine,
    clock: now === undefined ? systemClock : () => Date.parse(now) as UtcMillis,
    version: "0.0.0",
    program: "mazaneh",
  });
  await new Promise((resolve) => setImmediate(resolve));
  return { code, ...texts };
}
