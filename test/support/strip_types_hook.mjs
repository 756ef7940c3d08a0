// A hook of Node's loader: puts spaces in the place of types, by the library with which Node 22.18 and later do it themselves.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const CACHE = new URL("../../.cache/", import.meta.url);
let amaro;

/** @type {import("node:module").LoadHook} */
export async function load(url, context, next) {
  if (!url.startsWith("file:") || !new URL(url).pathname.endsWith(".ts")) return next(url, context);
  return { format: "module", source: stripped(readFileSync(new URL(url), "utf8")), shortCircuit: true };
}

/** Kept in files, as a program has 200 modules, and each test file starts a process. */
function stripped(source) {
  const file = new URL(`stripped/${createHash("sha256").update(source).digest("hex")}`, CACHE);
  try {
    return readFileSync(file, "utf8");
  } catch {
    amaro ??= createRequire(import.meta.url)(fileURLToPath(new URL("amaro/node_modules/amaro", CACHE)));
    const { code } = amaro.transformSync(source, { mode: "strip-only" });
    mkdirSync(new URL(".", file), { recursive: true });
    // Renamed into its place, as other processes read there at the same time.
    const written = new URL(`${file}.${process.pid}`);
    writeFileSync(written, code);
    renameSync(written, file);
    return code;
  }
}
