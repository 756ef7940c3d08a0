// Runs the install commands of the README unchanged, in a clean clone and with a separate npm prefix.
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { run } from "./run_command.mjs";

export async function installFromClone(check, folder) {
  const [clone, prefix, data] = ["clone", "prefix", "data"].map((name) => join(folder, name));
  const mazaneh = join(prefix, "bin/mazaneh");
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  const [, lines] = /^## Install\n[\s\S]*?^```\n([\s\S]*?)^```$/m.exec(readFileSync("README.md", "utf8")) ?? [];
  // Commands that do not need a registry must work without a registry.
  const env = { ...process.env, npm_config_prefix: prefix, npm_config_update_notifier: "false" };
  const shell = (line, cwd = clone) => run("bash", ["-ec", line], { cwd, env });
  mkdirSync(prefix);

  await check("the README's three commands install the program from a clone", async () => {
    assert.equal(lines.trim().split("\n").length, 3);
    await run("git", ["clone", "--quiet", "--no-hardlinks", process.cwd(), clone]);
    symlinkSync(resolve("node_modules"), join(clone, "node_modules"));
    await shell(lines);
    assert.equal((await run(mazaneh, ["--version"])).trim().split(" ").at(-1), version);
    assert.deepEqual(readdirSync(join(prefix, "lib/node_modules")), ["mazaneh"]);
    await run(mazaneh, ["keys", "create", "alice", "--init", "--data", data]);
  });
  await check("two builds of a clone, in two folders, pack to the same bytes", async () => {
    const again = join(folder, "again");
    cpSync(clone, again, { recursive: true, verbatimSymlinks: true });
    rmSync(join(again, "dist"), { recursive: true });
    await shell("npm run build && npm pack", again);
    const [one, other] = [clone, again].map((root) => readFileSync(join(root, `mazaneh-${version}.tgz`)));
    assert.ok(one.equals(other), "the tarballs differ");
  });
  await check("the README's command removes the program, and keeps the data", async () => {
    const [line] = /npm uninstall -g mazaneh/.exec(readFileSync("README.md", "utf8")) ?? [];
    await shell(line, folder);
    assert.deepEqual([existsSync(mazaneh), existsSync(join(data, "MANIFEST.json"))], [false, true]);
  });
}
