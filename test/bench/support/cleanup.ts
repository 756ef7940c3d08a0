import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const acts: (() => void)[] = [];

/** Runs a function when the process ends, whether it is done, has failed or was interrupted. The last one runs first. */
export function atEnd(act: () => void): void {
  if (acts.length === 0) {
    process.once("exit", () => {
      for (const each of acts.toReversed()) each();
    });
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(130));
  }
  acts.push(act);
}

/** A new directory that is removed when the process ends. */
export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), "mazaneh-bench-"));
  atEnd(() => rmSync(path, { recursive: true, force: true, maxRetries: 3 }));
  return path;
}
