import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { atEnd } from "../support/cleanup.ts";

/** A server that has sent its first answer. */
export interface Answered {
  readonly pid: number;
  readonly port: number;
  /** From the start of the process to the end of the first answer. */
  readonly milliseconds: number;
  /** Stops it as an operator does, and waits until it has ended. */
  stop(): Promise<void>;
}

const STATUS = "/api/v1/status";
const RETRY_MS = 1;
const PATIENCE_MS = 60_000;

/** Starts a Node program that listens on the port in its arguments, and sends requests until it answers. */
export async function startAndAsk(args: (port: number) => readonly string[]): Promise<Answered> {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, args(port), { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const closed = once(child, "close");
  atEnd(() => child.kill("SIGKILL"));
  let status = 0;
  while (status !== 200) {
    status = await statusOf(port, STATUS).catch(() => 0);
    if (performance.now() - began > PATIENCE_MS || child.exitCode !== null) {
      throw new Error(`${args(port).join(" ")} did not answer; it said: ${said}`);
    }
    if (status !== 200) await wait(RETRY_MS);
  }
  return {
    pid: child.pid!,
    port,
    milliseconds: performance.now() - began,
    async stop() {
      child.kill("SIGTERM");
      await closed;
    },
  };
}

/** Sends this many requests over a few connections; throws at any answer but 200. */
export async function askMany(port: number, paths: readonly string[], key: string, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  for (let done = 0; done < count; done += 64) {
    const statuses = await Promise.all(
      Array.from({ length: 64 }, (_, i) => statusOf(port, paths[(done + i) % paths.length]!, { agent, headers: { "X-API-Key": key } })),
    );
    const wrong = statuses.find((status) => status !== 200);
    if (wrong !== undefined) throw new Error(`An answer had the status ${wrong}`);
  }
  agent.destroy();
}

/** The resident memory of a process in MB; NaN if this system does not report it. */
export function residentMegabytes(pid: number): number {
  try {
    const [, kilobytes] = /VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) / 1_024;
  } catch {
    return NaN;
  }
}

function statusOf(port: number, path: string, more: object = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = get({ port, host: "127.0.0.1", path, ...more }, (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode!));
      response.once("error", reject);
    });
    request.once("error", reject);
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
