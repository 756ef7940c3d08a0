import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { atEnd } from "../support/cleanup.ts";
import { pinned } from "../support/server.ts";
import type { ServeSetup } from "./serve.ts";

/** A server under Bun or Deno. */
export interface RuntimeServer {
  readonly port: number;
  /** Processor time used so far, in microseconds. */
  cpuMicros(): Promise<number>;
  /** Sets the body of a constant. */
  teach(body: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the built `serve.ts` under a runtime; on Linux pinned to the server's core. */
export async function startRuntimeServer(program: readonly string[], script: string, setup: ServeSetup): Promise<RuntimeServer> {
  const [command, ...args] = pinned("server", [...program, script, JSON.stringify(setup)]);
  const env = { ...process.env, NODE_ENV: "production", NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" };
  const child = spawn(command!, args, { stdio: ["ignore", "pipe", "inherit"], env });
  const closed = once(child, "close");
  atEnd(() => child.kill("SIGKILL"));
  const line = await Promise.race([once(createInterface(child.stdout), "line"), closed.then(() => undefined)]);
  const [, port, control] = /ports (\d+) (\d+)/.exec(String(line?.[0])) ?? [];
  if (port === undefined) throw new Error(`${program[0]} did not serve ${setup.kind}: ${String(line?.[0])}`);
  const place = `http://127.0.0.1:${control}/`;
  return {
    port: Number(port),
    cpuMicros: async () => Number(await (await fetch(place)).text()),
    async teach(body) {
      await (await fetch(place, { method: "POST", body })).text();
    },
    async stop() {
      child.kill("SIGKILL");
      await closed;
    },
  };
}
