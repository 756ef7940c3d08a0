// Compiles programs that use all entry points of the package, with three compilers and two kinds of module resolution.
// The programs are stored as text, because the repository cannot import the package by its name.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { run } from "./run_command.mjs";

const COMPILERS = ["typescript-5.9", "typescript-6", "typescript-7"];
const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true,
};
const COMMON = { ...STRICT, noEmit: true, target: "ES2023", skipLibCheck: false };
/** The programs: one for Node with the types of Node, one for a worker or a page with the types of the web. */
const HOSTS = [
  {
    name: "NodeNext",
    program: "node_program.ts",
    options: { module: "NodeNext", moduleResolution: "NodeNext", lib: ["ES2023"], types: ["node"] },
  },
  {
    name: "Bundler",
    program: "node_program.ts",
    options: { module: "ESNext", moduleResolution: "Bundler", lib: ["ES2023"], types: ["node"] },
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
/** Examples in JavaScript with @ts-check. */
const CHECKED = ["in_process.mjs", "own_store.mjs"];

export async function compileConsumers(check, consumer) {
  await check("the compiled programs use every entry point", () => {
    const programs = HOSTS.map(({ program }) => readFileSync(resolve("test/package", `${program}.txt`), "utf8")).join(
      "",
    );
    const entries = Object.keys(JSON.parse(readFileSync("package.json", "utf8")).exports);
    for (const entry of entries) assert.ok(programs.includes(`from "mazaneh${entry.slice(1)}"`), entry);
  });
  for (const { name, program, options } of HOSTS) {
    const folder = join(consumer, name.replaceAll(" ", "_"));
    mkdirSync(folder);
    writeFileSync(join(folder, program), readFileSync(resolve("test/package", `${program}.txt`)));
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions: { ...COMMON, ...options }, files: [program] }),
    );
    await check(`a program compiles on TypeScript 5.9, 6 and 7, ${name}`, () => compileAll(consumer, folder));
  }
  await check("the examples with @ts-check pass it on TypeScript 5.9, 6 and 7", async () => {
    const folder = join(consumer, "checked");
    mkdirSync(folder);
    for (const file of CHECKED) writeFileSync(join(folder, file), readFileSync(resolve("fixtures/examples", file)));
    const { options } = HOSTS[0];
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions: { ...COMMON, ...options, allowJs: true, checkJs: true }, files: CHECKED }),
    );
    return compileAll(consumer, folder);
  });
}

async function compileAll(consumer, folder) {
  await Promise.all(
    COMPILERS.map((compiler) =>
      run(process.execPath, [join(consumer, "node_modules", compiler, "bin/tsc"), "-p", folder]),
    ),
  );
}
