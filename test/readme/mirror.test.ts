// The program of the mirror's page: it compiles under the strictest options of the compiler, and runs.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { LOADER, temporaryDirectory } from "../support/cli.ts";
import { pageText } from "./pages.ts";

const run = promisify(execFile);

/** The program, where its package is these sources. */
function program(place: (source: string) => string): string {
  const [, text] = /## In an app.*?```ts\n(.*?)```/s.exec(pageText("adapters/mirror/README.md")) ?? [];
  assert.ok(text, "the page has a program");
  const doors = (JSON.parse(readFileSync("package.json", "utf8")) as { exports: Record<string, { default: string }> }).exports;
  return text.replace(/from "mazaneh(\/[^"]*)"/g, (_, door: string) => {
    const built = doors[`.${door}`]?.default;
    assert.ok(built, `package.json has the door mazaneh${door}`);
    return `from ${JSON.stringify(place(resolve(built.replace("./dist/", "").replace(/\.js$/, ".ts"))))}`;
  });
}

test("readme: the mirror of an app compiles under strict, as it stands there", async (t) => {
  const folder = await temporaryDirectory(t);
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(join(folder, "app.ts"), program((source) => source));
  const options = { noEmit: true, typeRoots: [resolve("node_modules/@types")], types: ["node"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ extends: resolve("tsconfig.json"), compilerOptions: options, include: [], files: ["app.ts"] }));
  await run(process.execPath, [resolve("node_modules/typescript/bin/tsc"), "-p", folder]).catch(({ stdout }: { stdout: string }) => assert.fail(stdout));
});

test("readme: the mirror of an app starts and ends; without a key it throws at once", async (t) => {
  const folder = await temporaryDirectory(t);
  const file = join(folder, "app.ts");
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  // Nobody listens there: no test asks a server that is not its own.
  writeFileSync(file, program((source) => pathToFileURL(source).href).replace("https://api.example.com", "http://127.0.0.1:1"));
  const { MAZANEH_UPSTREAM_KEY: _, ...env } = process.env;
  await run(process.execPath, [...LOADER, file], { cwd: folder, env: { ...env, MAZANEH_UPSTREAM_KEY: "k" } });
  assert.ok(existsSync(join(folder, "data", "MANIFEST.json")));
  await assert.rejects(run(process.execPath, [...LOADER, file], { cwd: folder, env }), /TypeError: Cannot mirror as the key must be a text/);
});
