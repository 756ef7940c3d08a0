import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { makeSnapshot } from "../../adapters/stores/snapshot/mod.ts";
import { startChild } from "../support/start_child.ts";
import { createStore } from "./app.ts";
import { type Runner, type Runtime, running } from "./runners.ts";

/** The workerd compatibility date for the tests. */
export const COMPATIBILITY_DATE = "2026-01-01";

/** The app in workerd: with a memory store, and as an edge deployment with a snapshot and Durable Objects. */
export const WORKERD_RUNTIMES: readonly Runtime[] = [
  { name: "workerd", start: (program) => startWorker("workerd", program, { worker: "worker.ts" }) },
  { name: "workerd snapshot", start: startSnapshot },
];

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

async function startSnapshot(program: string): Promise<Runner> {
  const { observations, accounts } = await createStore();
  const files = {
    "prices.snapshot": await makeSnapshot(observations.records()),
    "accounts.json": JSON.stringify(accounts.book()),
  };
  const more = `
  bindings = [
    (name = "SNAPSHOT", text = embed "prices.snapshot"),
    (name = "BOOK", json = embed "accounts.json"),
    (name = "COUNTERS", durableObjectNamespace = "Counter"),
  ],
  durableObjectNamespaces = [(className = "Counter", uniqueKey = "counter")],
  durableObjectStorage = (inMemory = void),`;
  return startWorker("workerd snapshot", program, { worker: "worker_edge.ts", files, bindings: more });
}

/** A worker for workerd. */
interface WorkerOptions {
  /** The module of the worker. */
  readonly worker: string;
  /** Further files beside it. */
  readonly files?: Readonly<Record<string, string>>;
  /** Its bindings, in workerd's configuration language. */
  readonly bindings?: string;
  /** The addresses that the worker may call; by default, only public ones. */
  readonly reaches?: "private";
}

/** Starts a worker in workerd. */
export async function startWorker(
  name: string,
  program: string,
  { worker, files = {}, bindings = "", reaches }: WorkerOptions,
): Promise<Runner> {
  const network = reaches === undefined ? "" : `, (name = "internet", network = (allow = ["${reaches}"]))`;
  const folder = await mkdtemp(join(tmpdir(), "mazaneh-workerd-"));
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .app)${network}],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const app :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "${COMPATIBILITY_DATE}",${bindings}
);
`;
  const all = { ...files, "worker.js": await bundle(worker, ["cloudflare:workers"]), "config.capnp": config };
  for (const [file, text] of Object.entries(all)) await writeFile(join(folder, file), text);
  const child = startChild(program, ["serve", "--control-fd=3", join(folder, "config.capnp")], { hasThird: true });
  const runner = await running(name, child, /"port":\s*(\d+)/);
  return { ...runner, close: () => runner.close().then(() => rm(folder, { recursive: true, force: true })) };
}
