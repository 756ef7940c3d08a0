import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { startChild } from "../support/start_child.ts";
import { type Runner, running } from "./runners.ts";

/** The workerd compatibility date for the tests. */
export const COMPATIBILITY_DATE = "2026-01-01";

/** Bundles a module and its imports into one text. It may import only sources and the modules in `external`. */
export async function bundle(name: string, external: readonly string[] = []): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(name, import.meta.url))],
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral", // a stray `node:` import fails
    target: "es2022",
    charset: "utf8",
    external: [...external],
    logLevel: "error",
  });
  return outputFiles[0]!.text;
}

/** A worker for workerd. */
interface WorkerOptions {
  /** The module of the worker. */
  readonly worker: string;
  /** The addresses that the worker may call; by default, only public ones. */
  readonly reaches?: "private";
}

/** Starts a worker in workerd. */
export async function startWorker(name: string, program: string, { worker, reaches }: WorkerOptions): Promise<Runner> {
  const network = reaches === undefined ? "" : `, (name = "internet", network = (allow = ["${reaches}"]))`;
  const folder = await mkdtemp(join(tmpdir(), "mazaneh-workerd-"));
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .app)${network}],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const app :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "${COMPATIBILITY_DATE}",
);
`;
  const files = { "worker.js": await bundle(worker, ["cloudflare:workers"]), "config.capnp": config };
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
  const child = startChild(program, ["serve", "--control-fd=3", join(folder, "config.capnp")], { hasThird: true });
  const runner = await running(name, child, /"port":\s*(\d+)/);
  return { ...runner, close: () => runner.close().then(() => rm(folder, { recursive: true, force: true })) };
}
