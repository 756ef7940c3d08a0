#!/usr/bin/env node
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { systemClock } from "../http/web_system.ts";
import { PROGRAM_VERSION } from "../server/program_version.ts";
import { stopSignal } from "../server/run_until_stopped.ts";
import { runProgram } from "./run_program.ts";
import { createTerminal } from "./terminal.ts";

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
  stopSignal,
  version: PROGRAM_VERSION,
  program: here.endsWith(".ts") ? `npx tsx ${relative(process.cwd(), here)}` : "mazaneh",
});
process.exit(exitCode);
