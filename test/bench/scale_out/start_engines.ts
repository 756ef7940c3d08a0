import { fork } from "node:child_process";
import { once } from "node:events";
import { atEnd } from "../support/cleanup.ts";
import type { EngineUrls } from "./engines.ts";

/** The source that is built for it. */
export const ENGINES = "test/bench/scale_out/engines.ts";

/** Starts PostgreSQL and Redis with their data in `directory`; they end with this process. `program` is the built engines.ts. */
export async function startEngines(program: string, directory: string): Promise<EngineUrls> {
  const child = fork(program, { stdio: ["ignore", "ignore", "inherit", "ipc"], env: { ...process.env, TMPDIR: directory }, execArgv: [] });
  atEnd(() => child.kill("SIGTERM"));
  const [urls] = (await Promise.race([once(child, "message"), once(child, "exit")])) as [EngineUrls | "missing" | number];
  if (typeof urls === "object") return urls;
  throw new Error("PostgreSQL and Redis are needed here: apt-get install postgresql redis-server");
}
