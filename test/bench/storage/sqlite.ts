import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Observation } from "../../../core/market/observation.ts";
import { atEnd } from "../support/cleanup.ts";
import { fetchRuntime } from "../support/peers.ts";

/** SQLite in a process of its own, because it needs Node 24. */
export interface Sqlite {
  /** The milliseconds for appending observations to a new database, with this many in a transaction. */
  append(observations: readonly Observation[], batch: number): Promise<number>;
}

/** Starts SQLite, its files in `folder`; `undefined` if Node 24 cannot be fetched. */
export async function startSqlite(folder: string): Promise<Sqlite | undefined> {
  const runtime = await fetchRuntime("node24");
  if (runtime === undefined) return undefined;
  const program = fileURLToPath(new URL("sqlite_child.mjs", import.meta.url));
  const child = spawn(runtime, ["--no-warnings", program, folder], { stdio: ["pipe", "pipe", "inherit"] });
  atEnd(() => child.kill());
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async append(observations, batch) {
      const rows = observations.map(({ code, businessTime, value, insertTime, sourceTime, provider, qualityStatus, qualityMessage }) => [
        ...[code, businessTime, value, insertTime, sourceTime, provider, qualityStatus, qualityMessage],
      ]);
      child.stdin.write(`${JSON.stringify({ rows, batch })}\n`);
      const { value, done } = await answers.next();
      if (done === true) throw new Error("SQLite has ended");
      return (JSON.parse(value) as { milliseconds: number }).milliseconds;
    },
  };
}
