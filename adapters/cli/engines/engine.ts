import type { UtcClock } from "../../../core/mod.ts";
import type { Engine } from "../../stores/shared/engine.ts";
import { wrongUsage } from "../command_failure.ts";
import type { Terminal } from "../terminal.ts";

/** The parts of the process that an engine uses. */
export interface EngineContext {
  readonly terminal: Terminal;
  readonly clock: UtcClock;
}

/** The data directory of an engine. Without a directory, throws a usage failure with the advice `instead`. */
export function demandDirectory({ name, directory }: Engine, instead: string): string {
  if (directory === undefined) throw wrongUsage(`"${name}" is not a directory of files. ${instead}`);
  return directory;
}
