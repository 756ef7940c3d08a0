// Makes built_files.ts beside it, which git ignores: the files of the page as texts, bundled from browser/.
// `npm start`, `npm test` and `npm run build` run this, so that the module is never older than its sources.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const PAGE = fileURLToPath(new URL(".", import.meta.url));
const ROOT = join(PAGE, "../..");
const MODULE = join(PAGE, "built_files.ts");

/** Bundles the page and writes the module. Writes nothing where it is as it should be. */
export async function buildPage() {
  const app = await bundle({
    entryPoints: { app: "adapters/page/browser/main.tsx", style: "adapters/page/browser/styles/main.css", views: "adapters/page/browser/styles/views.css" },
    splitting: true, // a view that is imported with `import()` is a file of its own
  });
  // Apart, so that what both import does not make the first view more files.
  const docs = await bundle({ entryPoints: { docs: "adapters/page/browser/docs/main.ts", docs_style: "adapters/page/browser/docs/docs.css" } });
  const outputFiles = [...app.outputFiles, ...docs.outputFiles];
  const outputs = new Map(Object.entries({ ...app.metafile.outputs, ...docs.metafile.outputs }).map(([path, output]) => [basename(path), output]));
  const nameOf = (source) => [...outputs].find(([, { entryPoint }]) => entryPoint === `adapters/page/browser/${source}`)[0];
  const [script, docsScript] = [nameOf("main.tsx"), nameOf("docs/main.ts")];
  const isText = (path) => /\.(?:js|css)$/.test(path);
  const files = Object.fromEntries(outputFiles.filter(({ path }) => isText(path)).map(({ path, text }) => [basename(path), text]));
  const fonts = Object.fromEntries(outputFiles.filter(({ path }) => !isText(path)).map(({ path, contents }) => [basename(path), Buffer.from(contents).toString("base64")]));
  const advice = rowsOf("adapters/page/guide/errors.md").map(([code, ...texts]) => [code, texts]);
  const text = [
    "// Made by build.mjs. Do not edit.",
    "/** The file that starts the page. */",
    `export const SCRIPT: string = ${JSON.stringify(script)};`,
    "/** The files that it imports at once. */",
    `export const PRELOADS: readonly string[] = ${JSON.stringify(importedAtOnce(script, outputs))};`,
    `export const STYLE: string = ${JSON.stringify(nameOf("styles/main.css"))};`,
    "/** The style of the views that are not the first. */",
    `export const VIEWS_STYLE: string = ${JSON.stringify(nameOf("styles/views.css"))};`,
    "/** Script and style of the documentation. */",
    `export const DOCS_SCRIPT: string = ${JSON.stringify(docsScript)};`,
    `export const DOCS_STYLE: string = ${JSON.stringify(nameOf("docs/docs.css"))};`,
    "/** The files by name. A name holds a digest of what is in the file, so it never names another text. */",
    `export const FILES: Readonly<Record<string, string>> = ${JSON.stringify(files, undefined, 2)};`,
    "/** The fonts by name, in Base64. */",
    `export const FONTS: Readonly<Record<string, string>> = ${JSON.stringify(fonts)};`,
    "/** The English guide in Markdown. */",
    `export const GUIDE: string = ${JSON.stringify(readText("adapters/page/guide/en.md"))};`,
    "/** Texts of the OpenAPI document in Persian. */",
    `export const PERSIAN: Readonly<Record<string, string>> = ${JSON.stringify(Object.fromEntries(rowsOf("adapters/page/reference/persian.md")))};`,
    "/** What to do about each error, in English and Persian. */",
    `export const ADVICE: Readonly<Record<string, readonly [string, string]>> = ${JSON.stringify(Object.fromEntries(advice))};`,
    "/** The guides as HTML. */",
    `export const GUIDES: Readonly<Record<"en" | "fa", string>> = ${JSON.stringify(await guides())};`,
    "",
  ].join("\n");
  if (existsSync(MODULE) && readFileSync(MODULE, "utf8") === text) return;
  const draft = `${MODULE}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, MODULE); // at once, as tests may read it meanwhile
}

function bundle(options) {
  return build({
    ...options,
    absWorkingDir: ROOT,
    outdir: "docs",
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    charset: "utf8",
    loader: { ".woff2": "file" },
    assetNames: "[name]-[hash]",
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    write: false,
    metafile: true,
    logLevel: "warning",
  });
}

async function guides() {
  const { renderGuide } = await importSource("adapters/page/guide/render_guide.ts");
  return Object.fromEntries(["en", "fa"].map((language) => [language, renderGuide(readText(`adapters/page/guide/${language}.md`), language, readText("CHANGELOG.md"))]));
}

/** The rows of the table in a text of Markdown, without its head. */
function rowsOf(path) {
  const [, ...rows] = readText(path).split("\n").filter((line) => line.startsWith("| "));
  return rows.map((row) => row.slice(2, -2).split(" | "));
}

function readText(path) {
  return readFileSync(join(ROOT, path), "utf8");
}

/** Imports a module of the sources, which not every Node that builds can read as they are. */
async function importSource(path) {
  const { outputFiles } = await build({ absWorkingDir: ROOT, entryPoints: [path], bundle: true, format: "esm", platform: "node", write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

function importedAtOnce(name, outputs, seen = new Set()) {
  for (const { path, kind } of outputs.get(name).imports) {
    if (kind !== "import-statement" || seen.has(basename(path))) continue;
    importedAtOnce(basename(path), outputs, seen.add(basename(path)));
  }
  return [...seen];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPage();
