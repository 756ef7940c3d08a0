import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { mock } from "node:test";
import { format } from "node:util";
import { importSource } from "./import_source.ts";

let modules = 0;

/** Runs a module in this process, from a file in `folder`; returns its `console.log` output. */
export async function printedBy(source: string, folder: string): Promise<string> {
  const path = join(folder, `printing_${modules++}.mjs`);
  writeFileSync(path, source);
  const log = mock.method(console, "log", () => undefined);
  try {
    await importSource(path);
    return log.mock.calls.map((call) => `${format(...(call.arguments as unknown[]))}\n`).join("");
  } finally {
    log.mock.restore();
  }
}
