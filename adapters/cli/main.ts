#!/usr/bin/env node
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { stopSignal } from "../serve_until.ts";
import { systemClock } from "../system.ts";
import { chooseEngine } from "./engine.ts";
import { runProgram } from "./program.ts";
import { createTerminal } from "./terminal.ts";
import { programVersion } from "./version.ts";

const here = fileURLToPath(import.meta.url);

const exitCode = await runProgram(process.argv.slice(2), {
  terminal: createTerminal({
    // Node creates the stream on first use, and most commands never use it.
    get input() {
      return process.stdin;
    },
    output: process.stdout,
    errors: process.stderr,
  }),
  environment: process.env,
  clock: systemClock,
  engine: chooseEngine,
  stopSignal,
  logs: { access: process.stdout, events: process.stderr },
  version: programVersion(),
  program: here.endsWith(".ts") ? sourcesCommand() : "mazaneh",
});
process.exit(exitCode);

/** The command line that runs the program from its sources, where it is not installed under a name. */
function sourcesCommand(): string {
  try {
    return `npx tsx ${relative(process.cwd(), here)}`;
  } catch {
    return `npx tsx ${here}`; // The working directory was deleted.
  }
}
