// Makes dist/: JavaScript with esbuild, declarations with tsc. One entry for each door of package.json.
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { build } from "esbuild";

const { exports: doors, bin } = JSON.parse(readFileSync("package.json", "utf8"));
const outputs = [...Object.values(doors).map((door) => door.default), ...Object.values(bin)];
const entryPoints = outputs.filter((output) => output !== undefined).map((output) => output.replace("./dist/", "").replace(/\.js$/, ".ts"));

rmSync("dist", { recursive: true, force: true });
await build({
  entryPoints,
  outdir: "dist",
  outbase: ".",
  bundle: true,
  splitting: true, // what two doors share stays one module, so that `instanceof` holds across doors
  chunkNames: "shared/[hash]",
  format: "esm",
  platform: "node",
  target: "es2023",
  charset: "utf8",
});

execFileSync(
  process.execPath,
  ["node_modules/typescript/bin/tsc", "-p", ".", "--noEmit", "false", "--emitDeclarationOnly", "--declaration", "--outDir", "dist", "--rootDir", ".", "--rewriteRelativeImportExtensions"],
  { stdio: "inherit" },
);
// Declarations of what is not published.
for (const folder of ["test", "fixtures"]) rmSync(`dist/${folder}`, { recursive: true, force: true });
