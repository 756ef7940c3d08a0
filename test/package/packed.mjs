// Checks the tarball: files, manifest, reports of common tools, and side effects on a process that uses the package.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { run, start, until } from "./run_command.mjs";

const PUBLINT = "publint@0.3.25";
const ATTW = "@arethetypeswrong/cli@0.18.5";

/** The packed files outside dist/. */
const FILES = ["CHANGELOG.md", "LICENSE", "README.md", "adapters/page/NOTICE", "package.json"];

/** Packs the project, and checks that the tarball has only files that users need. Returns the path of the tarball. */
export async function packProject(folder) {
  const [{ filename, files, size, unpackedSize }] = JSON.parse(
    await run("npm", ["pack", "--json", "--pack-destination", folder]),
  );
  const names = files.map(({ path }) => path);
  assert.deepEqual(names.filter((name) => !name.startsWith("dist/")).sort(), FILES);
  const built = /^dist\/(?:(?:core|adapters)\/[\w/]+\.(?:js|d\.ts)|shared\/\w+\.js)$/;
  for (const name of names.filter((name) => name.startsWith("dist/"))) assert.match(name, built);
  const sizes = `${kilobytes(size)} packed, ${kilobytes(unpackedSize)} unpacked`;
  console.log(`ok      the tarball has only files that users need: ${files.length} files, ${sizes}`);
  return join(folder, filename);
}

export async function checkPackage(check, tarball, consumer) {
  await check("publint reports nothing", () =>
    run("npx", ["-y", PUBLINT, "run", tarball, "--strict"]).then(() => undefined),
  );
  await check("types resolve for every kind of import (attw)", () =>
    run("npx", ["-y", ATTW, tarball, "--profile", "esm-only"]).then(() => undefined),
  );
  await check("the package installs no dependencies", () => {
    const manifest = JSON.parse(readFileSync(join(consumer, "node_modules/mazaneh/package.json"), "utf8"));
    for (const member of ["dependencies", "devDependencies", "optionalDependencies", "scripts"])
      assert.equal(manifest[member], undefined, member);
    for (const name of Object.keys(manifest.peerDependencies)) {
      assert.equal(manifest.peerDependenciesMeta[name].optional, true, name);
      assert.ok(!existsSync(join(consumer, "node_modules", name)), `${name} is not installed unless the user adds it`);
    }
  });
}

/** Loads and uses every entry point in a separate process, in an empty folder. */
export async function usePackageQuietly(check, consumer) {
  await check(
    "the package handles no signals, opens no ports and writes no files; close() can be repeated",
    async () => {
      const cwd = join(consumer, "quiet");
      mkdirSync(cwd);
      writeFileSync(join(cwd, "quiet.mjs"), readFileSync(resolve("test/package/quiet.mjs")));
      await run(process.execPath, ["quiet.mjs"], { cwd });
      assert.deepEqual(readdirSync(cwd).sort(), ["data", "quiet.mjs"]);
    },
  );
}

/** Runs the program from a tarball with npx, without a cache and without a registry. */
export async function runByNpx(check, tarball, empty) {
  mkdirSync(empty);
  const env = { ...process.env, npm_config_cache: join(empty, "..", "cache"), npm_config_update_notifier: "false" };
  await check("npx mazaneh serve --sample answers without a network", async () => {
    const args = ["--offline", "--yes", "--package", tarball, "mazaneh", "serve", "--sample", "--port", "0"];
    const server = start("npx", args, { cwd: empty, env });
    try {
      const [, call] = await until(server, "the call to try", () =>
        /curl .*?(-H "X-API-Key: .*)/.exec(server.stdout()),
      );
      const [, key, url] = /X-API-Key: (mz_live_\w+)".*?(http:\S+)/.exec(call);
      const answer = await fetch(url, { headers: { "X-API-Key": key } });
      assert.deepEqual([answer.status, (await answer.json()).code], [200, "USD_RLS"]);
    } finally {
      server.kill("SIGTERM");
      await server.exited;
    }
    assert.deepEqual(readdirSync(empty), []);
  });
}

export function kilobytes(bytes) {
  return `${(bytes / 1_000).toFixed(1)} kB`;
}
