import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const acts: (() => void)[] = [];

/** Does something at the end of the process, however it comes: finished, failed or interrupted. Last come, first done. */
export function atEnd(act: () => void): void {
  if (acts.length === 0) {
    process.once("exit", () => {
      for (const each of acts.toReversed()) each();
    });
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(130));
  }
  acts.push(act);
}

/** A new directory that is gone when the process ends. */
export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), "mazaneh-bench-"));
  atEnd(() => rmSync(path, { recursive: true, force: true, maxRetries: 3 }));
  return path;
}
