import type { Command, CommandRow } from "./command.ts";
import { EXIT_CODES } from "./command_failure.ts";

/** The help of the program. */
export function programHelp(commands: readonly CommandRow[]): string {
  return [
    "Mazaneh, a market-data price API that you run yourself.",
    "",
    "Usage: mazaneh COMMAND [OPTION…]",
    "",
    "Commands:",
    ...columns(commands.map(({ name, operands, summary }) => [`${name} ${operands}`.trimEnd(), summary] as const)),
    "",
    "Options:",
    ...columns([
      ["--version", "Print the version"],
      ["--help", "Print this help"],
    ]),
    "",
    "Exit codes:",
    ...columns(EXIT_CODES.map(([code, meaning]) => [String(code), meaning])),
    "",
    "mazaneh COMMAND --help describes a command.",
    "",
  ].join("\n");
}

/** The help of one command. */
export function commandHelp({ name, operands, summary }: CommandRow, { details, options }: Command): string {
  return [
    `Usage: mazaneh ${`${name} ${operands}`.trimEnd()} [OPTION…]`,
    "",
    `${summary}.`,
    "",
    ...(details === undefined ? [] : [details, ""]),
    "Options:",
    ...columns(
      Object.entries(options).map(([name, { placeholder, summary }]) => {
        return [placeholder === undefined ? `--${name}` : `--${name} ${placeholder}`, summary];
      }),
    ),
    "",
    "mazaneh --help lists the exit codes.",
    "",
  ].join("\n");
}

const WIDTH = 100;
const INDENT = "  ";

/**
 * Lays out two columns. Texts in the second column, which have no line breaks, are wrapped so that lines have at most
 * 100 characters.
 */
function columns(rows: readonly (readonly [string, string])[]): string[] {
  const left = Math.max(...rows.map(([term]) => term.length)) + INDENT.length;
  const pattern = new RegExp(`(?! )(?:.{1,${WIDTH - INDENT.length - left}}|\\S+)(?= |$)`, "g");
  return rows.flatMap(([term, text]) => {
    const lines = text.match(pattern) ?? [""];
    return lines.map((line, at) => INDENT + (at === 0 ? term : "").padEnd(left) + line);
  });
}
