// A hook of Node's loader: takes types out by esbuild. Not by tsx, which writes a file as one line, so that all its lines count as run.
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
