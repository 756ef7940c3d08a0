// Checks the package as users get it. Builds and packs it, runs common tools, and installs it in an empty folder.
// In that folder, bundles the package, compiles programs that use it, starts `mazaneh` and runs every example.
// With --nightly, it also compiles with three versions of TypeScript, and follows the README from a clone.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { compileConsumers } from "./consumers.mjs";
import { runExamples } from "./examples.mjs";
import { installFromClone } from "./installed.mjs";
import { checkPackage, packProject, runByNpx, usePackageQuietly } from "./packed.mjs";
import { run } from "./run_command.mjs";
import { measureSizes } from "./sizes.mjs";

const isNightly = process.argv.includes("--nightly");
const compilers = isNightly ? ["5.9.3", "6.0.3", "7.0.2"] : ["6.0.3"];

/** The packages that are installed beside the tarball for the examples and the consumers. */
const COMPANIONS = [
  "express@5.3.0",
  "fastify@5.12.8",
  "koa@3.3.0",
  "hono@4.13.19",
  "@hono/node-server@2.1.8",
  "bun@1.4.5",
  ...compilers.map((version) => `typescript-${version}@npm:typescript@${version}`),
  `@types/node@${JSON.parse(readFileSync("package.json", "utf8")).devDependencies["@types/node"]}`,
];

const folder = realpathSync(mkdtempSync(join(tmpdir(), "mazaneh-package-")));
const consumer = join(folder, "consumer");
const failures = [];
try {
  await run(process.execPath, ["build.mjs"]);
  const tarball = await packProject(folder);
  await check("the tarball and its companions install into an empty folder", () => install(tarball));
  await checkPackage(check, tarball, consumer);
  await measureSizes(check, consumer);
  await usePackageQuietly(check, consumer);
  await compileConsumers(check, consumer, compilers);
  if (isNightly) await installFromClone(check, folder);
  await runByNpx(check, tarball, join(folder, "empty"));
  await runExamples(check, consumer, resolve("fixtures/examples"));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (failures.length > 0) {
  console.error(`${failures.length} failed: ${failures.join("; ")}`);
  process.exitCode = 1;
}

/** Runs one check. Prints the outcome, and the text that `made` returns. */
async function check(name, made) {
  const startedAt = performance.now();
  const took = () => `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
  try {
    const note = await made();
    console.log(`ok      ${name}${note === undefined ? "" : `: ${note}`} (${took()})`);
  } catch (error) {
    failures.push(name);
    console.error(`FAILED  ${name} (${took()})\n${error.message}`);
  }
}

async function install(tarball) {
  mkdirSync(consumer);
  writeFileSync(join(consumer, "package.json"), '{"name":"consumer","private":true,"type":"module"}\n');
  await run("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--prefer-offline", tarball, ...COMPANIONS], {
    cwd: consumer,
  });
}
