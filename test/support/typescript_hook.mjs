// A hook for Node's module loader that strips types. Unlike tsx, the hook keeps line numbers, for coverage.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";

/** @type {import("node:module").LoadHook} */
export async function load(url, context, next) {
  if (!url.startsWith("file:") || !new URL(url).pathname.endsWith(".ts")) return next(url, context);
  const sourcefile = fileURLToPath(url);
  const { code } = await transform(await readFile(sourcefile, "utf8"), {
    loader: "ts",
    format: "esm",
    target: "node20.19",
    sourcemap: "inline",
    sourcefile,
  });
  return { format: "module", source: code, shortCircuit: true };
}
