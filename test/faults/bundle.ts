import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { build, type Plugin } from "esbuild";
import { plant, type SeededBug } from "./seeded_bugs.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Bundles a module and all its imports into one JavaScript file in a new folder, with the given bug. The bundle starts
 * four times as fast as the sources. The sources themselves are not changed.
 */
export async function bundle(entry: string, bug?: SeededBug): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "mazaneh-bundle-"));
  after(() => rm(folder, { recursive: true, force: true }));
  const outfile = join(folder, "main.mjs");
  let isPlanted = bug === undefined;
  const planting: Plugin = {
    name: "planting",
    setup({ onLoad }) {
      if (!bug) return;
      onLoad({ filter: new RegExp(`/${bug.file.replaceAll(".", "\\.")}$`) }, async ({ path }) => {
        isPlanted = true;
        return { contents: plant(await readFile(path, "utf8"), bug), loader: "ts" };
      });
    },
  };
  await build({
    ...{ entryPoints: [join(ROOT, entry)], outfile, bundle: true, format: "esm", platform: "node", target: "es2023" },
    ...{ plugins: [planting], logLevel: "error", packages: "external" },
  });
  if (!isPlanted) throw new Error(`No bug was planted in "${bug?.file}", because "${entry}" does not use it`);
  return outfile;
}

/** Calls an exported function of a bundle in a new thread. The arguments and the result are copied. */
export async function callInThread<Args, Result>(path: string, name: string, args: Args): Promise<Result> {
  const code = `
    const { parentPort, workerData } = require("node:worker_threads");
    import(workerData.path).then((module) => module[workerData.name](workerData.args)).then((result) => parentPort.postMessage(result));
  `;
  const worker = new Worker(code, { eval: true, workerData: { path, name, args } });
  try {
    return await new Promise<Result>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", (code) => reject(new Error(`The thread ended with ${code}`)));
    });
  } finally {
    await worker.terminate();
  }
}
