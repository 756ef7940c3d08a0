// Compiles programs that use all entry points of the package, with several compilers and two kinds of module resolution.
// The programs are stored as text, because the repository cannot import the package by its name.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./run_command.mjs";

const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true,
};
const COMMON = { ...STRICT, noEmit: true, target: "ES2023", skipLibCheck: false };
/**
 * The programs: one for Node with the types of Node, one for a worker or a page with the types of the web. `examples`
 * are in JavaScript, with @ts-check.
 */
const HOSTS = [
  {
    name: "NodeNext",
    program: "node_program.ts",
    examples: ["in_process.mjs", "own_store.mjs"],
    options: {
      module: "NodeNext",
      moduleResolution: "NodeNext",
      lib: ["ES2023"],
      types: ["node"],
      allowJs: true,
      checkJs: true,
    },
  },
  {
    name: "Bundler for the web",
    program: "web_program.ts",
    options: {
      module: "ESNext",
      moduleResolution: "Bundler",
      lib: ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
      types: [],
    },
  },
];

export async function compileConsumers(check, consumer, compilers) {
  await check("the compiled programs use every entry point", () => {
    const programs = HOSTS.map(({ program }) => readFileSync(`test/package/${program}.txt`, "utf8")).join("");
    const entries = Object.keys(JSON.parse(readFileSync("package.json", "utf8")).exports);
    for (const entry of entries) assert.ok(programs.includes(`from "mazaneh${entry.slice(1)}"`), entry);
  });
  for (const { name, program, examples = [], options } of HOSTS) {
    const files = Object.fromEntries(examples.map((example) => [example, `fixtures/examples/${example}`]));
    files[program] = `test/package/${program}.txt`;
    await check(`${[program, ...examples].join(", ")}: compile on TypeScript ${compilers.join(", ")}, ${name}`, () =>
      compileAll(compilers, { consumer, name: name.replaceAll(" ", "_"), files, options }),
    );
  }
}

/** Copies files into a folder below `consumer`, and compiles the copies. `files` maps their names to the originals. */
async function compileAll(compilers, { consumer, name, files, options }) {
  const folder = join(consumer, name);
  mkdirSync(folder);
  for (const [file, path] of Object.entries(files)) cpSync(path, join(folder, file));
  const config = { compilerOptions: { ...COMMON, ...options }, files: Object.keys(files) };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  await Promise.all(
    compilers.map((version) =>
      run(process.execPath, [join(consumer, `node_modules/typescript-${version}/bin/tsc`), "-p", folder]),
    ),
  );
}
