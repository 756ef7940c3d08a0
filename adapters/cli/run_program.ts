import type { CliContext } from "./command.ts";
import { EXIT, type ExitCode, exitCodeOf, messageOf, printable, wrongUsage } from "./command_failure.ts";
import { COMMANDS } from "./commands/mod.ts";
import { commandHelp, programHelp } from "./help.ts";
import { ReaderGone } from "./terminal.ts";

/** Runs the program. Never rejects: a failure becomes one line on standard error and an exit code. */
export async function runProgram(args: readonly string[], context: CliContext): Promise<ExitCode> {
  try {
    return await dispatch(args, context);
  } catch (error) {
    if (error instanceof ReaderGone) return EXIT.done;
    context.terminal.note(`mazaneh: ${printable(messageOf(error))}`);
    return exitCodeOf(error);
  }
}

async function dispatch(args: readonly string[], context: CliContext): Promise<ExitCode> {
  const { terminal, version } = context;
  if (args[0] === "help") return dispatch([...args.slice(1), "--help"], context);
  const words = before(args, (arg) => arg.startsWith("-"));
  const row = COMMANDS.find(({ name }) => name.split(" ").every((word, at) => word === words[at]));
  const asksHelp = before(args, (arg) => arg === "--").some((arg) => arg === "--help" || arg === "-h");
  if (row) {
    const command = await row.load();
    if (!asksHelp) return command.run(context, args.slice(row.name.split(" ").length), row);
    await terminal.write(commandHelp(row, command));
    return EXIT.done;
  }
  if (asksHelp) {
    await terminal.write(programHelp(COMMANDS));
    return EXIT.done;
  }
  if (words.length === 0 && args.includes("--version")) {
    await terminal.write(`${version}\n`);
    return EXIT.done;
  }
  const problem = words.length === 0 ? "A command is missing" : `There is no command "${words.join(" ")}"`;
  throw wrongUsage(`${problem}. Commands are: ${COMMANDS.map(({ name }) => name).join(", ")}. See mazaneh --help`);
}

function before(args: readonly string[], isEnd: (arg: string) => boolean): readonly string[] {
  const end = args.findIndex(isEnd);
  return end === -1 ? args : args.slice(0, end);
}
