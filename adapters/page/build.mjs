// Builds two kinds of modules that git ignores: built_files.ts, which contains the page's bundled files, and
// browser/texts/built_*.ts, the tables of texts. `npm start`, `npm test` and `npm run build` run this script first.
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const PAGE = fileURLToPath(new URL(".", import.meta.url));
const ROOT = join(PAGE, "../..");
const BROWSER = "adapters/page/browser";
const JSX = { jsx: "automatic", jsxImportSource: "preact" };
const TEXTS_FOLDER = `${BROWSER}/texts`;
const RECORD = "Readonly<Record<string, string>>";

/** Writes the tables of texts, then bundles the page and writes built_files.ts. */
export async function buildPage() {
  for (const table of readdirSync(join(ROOT, TEXTS_FOLDER)).filter((name) => name.endsWith(".md")))
    writeTexts(table.replace(".md", ""));
  const values = [...(await builtFiles()), ...(await builtTexts())];
  writeModule(
    `${PAGE}built_files.ts`,
    values
      .map(([name, type, value]) => `export const ${name}: ${type} = ${JSON.stringify(value, undefined, 2)};\n`)
      .join(""),
  );
}

/** Writes a module if its content has changed. */
function writeModule(path, source) {
  const text = `// Made by build.mjs. Do not edit.\n${source}`;
  if (existsSync(path) && readFileSync(path, "utf8") === text) return;
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, path); // replaced atomically, because tests may be reading the module
}

/** Makes a module from a table of texts, by language and name. A name like `units.rial` becomes a nested object. */
function writeTexts(view) {
  const texts = { en: {}, fa: {} };
  for (const [name, en, fa] of rowsOf(`${TEXTS_FOLDER}/${view}.md`)) {
    const [group, part] = name.split(".");
    for (const [of, text] of Object.entries({ en, fa }))
      texts[of][group] = part === undefined ? text : { ...texts[of][group], [part]: text };
  }
  writeModule(
    join(ROOT, TEXTS_FOLDER, `built_${view}.ts`),
    `export const TEXTS = ${JSON.stringify(texts, undefined, 2)} as const;\n`,
  );
}

/** Scripts, styles and fonts. The file name contains a digest of the content, so other content gets another name. */
async function builtFiles() {
  const app = await bundle({
    entryPoints: {
      app: `${BROWSER}/main.tsx`,
      style: `${BROWSER}/styles/main.css`,
      views: `${BROWSER}/styles/views.css`,
      more: `${BROWSER}/styles/more.css`,
    },
    splitting: true, // a view that is imported with `import()` is a file of its own
  });
  // Bundled separately, because imports shared with the app would split the first view into more files.
  const docs = await bundle({
    entryPoints: { docs: `${BROWSER}/docs/main.ts`, docs_style: `${BROWSER}/styles/docs.css` },
  });
  const built = Object.entries({ ...app.metafile.outputs, ...docs.metafile.outputs });
  const outputs = new Map(built.map(([path, output]) => [basename(path), output]));
  const nameOf = (source) => [...outputs].find(([, { entryPoint }]) => entryPoint === `${BROWSER}/${source}`)[0];
  const textOf = ({ path, text, contents }) =>
    path.endsWith(".woff2") ? Buffer.from(contents).toString("base64") : text;
  return [
    ["SCRIPT", "string", nameOf("main.tsx")],
    ["PRELOADS", "readonly string[]", importedAtOnce(nameOf("main.tsx"), outputs)],
    ["STYLE", "string", nameOf("styles/main.css")],
    ["VIEWS_STYLE", "string", nameOf("styles/views.css")], // for assets and the converter
    ["MORE_STYLE", "string", nameOf("styles/more.css")], // for the other views
    ["DOCS_SCRIPT", "string", nameOf("docs/main.ts")],
    ["DOCS_STYLE", "string", nameOf("styles/docs.css")],
    [
      "FILES",
      RECORD,
      Object.fromEntries([...app.outputFiles, ...docs.outputFiles].map((file) => [basename(file.path), textOf(file)])),
    ], // fonts in base64
  ];
}

/** The documentation: frames, guides as Markdown and HTML, Persian texts of the reference, advice for errors. */
async function builtTexts() {
  const { renderGuide } = await importSource("adapters/page/guide/render_guide.ts");
  const guides = ["en", "fa"].map((language) => [
    language,
    renderGuide(readText(`adapters/page/guide/${language}.md`), language, readText("CHANGELOG.md")),
  ]);
  const advice = rowsOf("adapters/page/guide/errors.md").map(([code, ...texts]) => [code, texts]);
  const { docsFrames, sampleLines, ICON } = await importSource(`${BROWSER}/docs/frames.tsx`);
  return [
    ["DOCS_FRAMES", RECORD, docsFrames()],
    ["SAMPLE_LINES", 'Readonly<Record<"en" | "fa", string>>', sampleLines()],
    ["ICON", "string", ICON],
    ["GUIDE", "string", readText("adapters/page/guide/en.md")],
    ["LLMS", "string", readText("adapters/page/guide/llms.md")],
    ["GUIDES", 'Readonly<Record<"en" | "fa", string>>', Object.fromEntries(guides)],
    ["PERSIAN", RECORD, Object.fromEntries(rowsOf("adapters/page/reference/persian.md"))],
    ["ADVICE", "Readonly<Record<string, readonly [string, string]>>", Object.fromEntries(advice)],
  ];
}

function bundle(options) {
  const names = { assetNames: "[name]-[hash]", entryNames: "[name]-[hash]", chunkNames: "[name]-[hash]" };
  const language = { format: "esm", platform: "browser", target: "es2022", ...JSX, charset: "utf8" };
  const output = {
    absWorkingDir: ROOT,
    outdir: "docs",
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    logLevel: "warning",
    loader: { ".woff2": "file" },
  };
  return build({ ...options, ...names, ...language, ...output });
}

/** The rows of the table in a Markdown text, without the head of the table. */
function rowsOf(path) {
  const [, ...rows] = readText(path)
    .split("\n")
    .filter((line) => line.startsWith("| "));
  return rows.map((row) => row.slice(2, -2).split(" | "));
}

function readText(path) {
  return readFileSync(join(ROOT, path), "utf8");
}

/** Bundles and imports a TypeScript module, because older Node versions cannot import it directly. */
async function importSource(path) {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [path],
    ...JSX,
    bundle: true,
    format: "esm",
    platform: "node",
    write: false,
  });
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
