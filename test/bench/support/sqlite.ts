import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { nodeWithSqlite } from "./peers.ts";
import { atEnd } from "./processes.ts";

/** Rows to append to a new database below `folder`, in transactions of `batch` rows. */
export interface SqliteAppend {
  readonly folder: string;
  readonly rows: readonly (readonly (string | number | null)[])[];
  readonly batch: number;
}

/** Starts SQLite in a Node 24 process. Returns a function that times an append, or `undefined` without Node 24. */
export async function startSqlite(): Promise<((append: SqliteAppend) => Promise<number>) | undefined> {
  const runtime = await nodeWithSqlite();
  if (runtime === undefined) return undefined;
  const child = spawn(runtime, ["--no-warnings", fileURLToPath(new URL("sqlite_child.mjs", import.meta.url))], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  atEnd(() => child.kill());
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async (append) => {
    child.stdin.write(`${JSON.stringify(append)}\n`);
    const { value, done } = await answers.next();
    if (done === true) throw new Error("SQLite has ended");
    return Number(value);
  };
}
