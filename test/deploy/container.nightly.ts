// The files for containers, as far as they can be checked without a daemon that builds them.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { COMMANDS } from "../../adapters/cli/commands/mod.ts";
import { SETTING_NAMES, variableOf } from "../../adapters/cli/settings.ts";
import { servingChild, temporaryDirectory } from "../support/cli.ts";
import { buildCopy } from "./copy.ts";

const FOLDER = "fixtures/deploy/container";
const DOCKERFILE = readFileSync(join(FOLDER, "Dockerfile"), "utf8");
const COMPOSE = readFileSync(join(FOLDER, "compose.yaml"), "utf8");
/** The stage that becomes the image. */
const IMAGE = DOCKERFILE.slice(DOCKERFILE.lastIndexOf("FROM "));
const known: readonly string[] = SETTING_NAMES.map(variableOf);

test("container: the program itself is the health check, and every command is one of its own", () => {
  const [, check] = /^HEALTHCHECK .*CMD \["mazaneh", "(\w+)"\]$/m.exec(IMAGE) ?? [];
  const [, run] = /^CMD \["(\w+)"\]$/m.exec(IMAGE) ?? [];
  assert.deepEqual([check, run], ["status", "serve"]);
  for (const name of [check, run])
    assert.ok(
      COMMANDS.some((command) => command.name === name),
      name,
    );
});

test("container: what the build copies is there, or is made by it", () => {
  const copied = [...DOCKERFILE.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, paths]) => paths!.split(" "));
  assert.ok(copied.length >= 4, `${copied.length}`);
  assert.deepEqual(
    copied.filter((path) => !existsSync(path)),
    [],
  );
  const program = (JSON.parse(readFileSync("package.json", "utf8")) as { bin: Record<string, string> }).bin["mazaneh"]!;
  assert.ok(IMAGE.includes(`/app/${program.replace("./", "")}`), program);
});

test("container: variables are those of settings", () => {
  const set = [...IMAGE.matchAll(/\b(MAZANEH_\w+)=/g), ...COMPOSE.matchAll(/^ +(MAZANEH_\w+):/gm)].map(
    ([, variable]) => variable!,
  );
  assert.ok(set.length >= 3, `${set.length}`);
  // The last one is Caddy's.
  assert.deepEqual(
    set.filter((variable) => !known.includes(variable)),
    ["MAZANEH_UPSTREAM"],
  );
});

test("container: what the image has is enough for the program, and the health check tells whether it serves", async (t) => {
  const folder = await temporaryDirectory(t);
  buildCopy(join(folder, "src"));
  const data = join(folder, "data");
  cpSync(join(folder, "src/dist"), join(folder, "app/dist"), { recursive: true });
  cpSync(join(folder, "src/package.json"), join(folder, "app/package.json"));
  const run = (...args: string[]): ReturnType<typeof spawnSync> => {
    const env = { PATH: process.env["PATH"], MAZANEH_DATA: data, MAZANEH_HOST: "127.0.0.1", MAZANEH_PORT: "0" };
    return spawnSync(process.execPath, [join(folder, "app/dist/adapters/cli/main.js"), ...args], {
      env,
      encoding: "utf8",
      cwd: folder,
    });
  };
  assert.equal(run("keys", "create", "alice", "--init").status, 0);
  assert.equal(run("status").status, 75);
  await servingChild(t, ["--data", data]);
  assert.equal(run("status").status, 0);
});
