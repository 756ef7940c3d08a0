import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { build, type Plugin } from "esbuild";

/** A bug that is planted in the program on purpose. */
export interface Seed {
  /** Path below `adapters/` or `core/`, e.g. `adapters/stores/json_files/log/log.ts`. */
  readonly file: string;
  /** A text that occurs once in the file. */
  readonly find: string;
  /** Its replacement. */
  readonly put: string;
}

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Bundles a module and all its imports into one JavaScript file in a new folder, with the given bugs. The bundle starts
 * four times as fast as the sources. The sources themselves are not changed.
 */
export async function bundle(entry: string, seeds: readonly Seed[] = []): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "mazaneh-bundle-"));
  after(() => rm(folder, { recursive: true, force: true }));
  const outfile = join(folder, "main.mjs");
  const planted = new Set<string>();
  await build({
    ...{ entryPoints: [join(ROOT, entry)], outfile, bundle: true, format: "esm", platform: "node", target: "es2023" },
    ...{ plugins: [planting(seeds, planted)], logLevel: "error" },
    packages: "external",
  });
  for (const { file } of seeds)
    if (!planted.has(file)) throw new Error(`No bug was planted in "${file}", because "${entry}" does not use it`);
  return outfile;
}

function planting(seeds: readonly Seed[], planted: Set<string>): Plugin {
  return {
    name: "planting",
    setup({ onLoad }) {
      for (const file of new Set(seeds.map((seed) => seed.file))) {
        onLoad({ filter: new RegExp(`/${file.replaceAll(".", "\\.")}$`) }, async ({ path }) => {
          let contents = await readFile(path, "utf8");
          for (const { find, put } of seeds.filter((seed) => seed.file === file)) {
            const count = contents.split(find).length - 1;
            if (count !== 1)
              throw new Error(
                `Cannot plant a bug in "${file}": its text must occur once: found ${count} times: ${find}`,
              );
            contents = contents.replace(find, () => put);
          }
          planted.add(file);
          return { contents, loader: "ts" };
        });
      }
    },
  };
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
