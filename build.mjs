// Makes dist/: JavaScript with esbuild, declarations with tsc. Each entry of `exports` in package.json is one module.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { buildPage } from "./adapters/page/build.mjs";

const { exports: entries, bin, version } = JSON.parse(readFileSync("package.json", "utf8"));
// There are no dependencies: imported packages, such as database clients, are installed by the user.
const common = {
  packages: "external",
  outdir: "dist",
  outbase: ".",
  bundle: true,
  format: "esm",
  platform: "node",
  target: "es2023",
  charset: "utf8",
  plugins: [{ name: "version", setup: addVersion }],
};

await buildPage();
rmSync("dist", { recursive: true, force: true });
await build({
  ...common,
  entryPoints: sourcesOf(Object.values(entries).map((entry) => entry.default)),
  splitting: true, // code that two entries share stays one module, so that `instanceof` works across them
  chunkNames: "shared/[hash]",
});
// The program, split so that each command loads only its own files. This is a second build, because a single build
// would split the entries of the package into more files.
await build({ ...common, entryPoints: sourcesOf(Object.values(bin)), splitting: true, chunkNames: "shared/[hash]" });

mkdirSync(".cache", { recursive: true });
writeFileSync(
  ".cache/declarations.json",
  JSON.stringify({
    extends: "../tsconfig.json",
    include: [],
    files: sourcesOf(Object.values(entries).map((entry) => entry.default)).map((source) => `../${source}`),
    compilerOptions: {
      noEmit: false,
      emitDeclarationOnly: true,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      rootDir: "..",
      outDir: "../dist",
    },
  }),
);
execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", ".cache/declarations.json"], {
  stdio: "inherit",
});
// Removes declarations that no export needs.
const published = new Set();
for (const { types } of Object.values(entries)) if (types !== undefined) follow(join(types));
for (const path of readdirSync("dist", { recursive: true })) {
  if (path.endsWith(".d.ts") && !published.has(join("dist", path))) rmSync(join("dist", path));
}
removeEmpty("dist");

/** Reduces package.json, which the code imports, to its version, so that bundles contain nothing else of that file. */
function addVersion({ onLoad }) {
  onLoad({ filter: /\/package\.json$/ }, () => ({ contents: JSON.stringify({ version }), loader: "json" }));
}

/** The source file of each file in dist/ that package.json names. */
function sourcesOf(outputs) {
  return outputs
    .filter((output) => output !== undefined)
    .map((output) => output.replace("./dist/", "").replace(/\.js$/, ".ts"));
}

function follow(path) {
  if (published.has(path)) return;
  published.add(path);
  for (const [, target] of readFileSync(path, "utf8").matchAll(/(?:from|import\() *"(\.[^"]+)\.ts"/g))
    follow(join(dirname(path), `${target}.d.ts`));
}

function removeEmpty(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) removeEmpty(join(folder, entry.name));
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
