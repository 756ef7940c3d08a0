// The package in apps of others: middleware that wraps answers, frameworks, and what imitates requests.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { build } from "esbuild";
import manifest from "../../package.json" with { type: "json" };

const HOSTS = 14;
const JSON_TYPE = "application/json; charset=utf-8";
const USD = "/prices/api/v1/assets/USD_RLS";
const NAME = "دلار آمریکا / ریال ایران";

const folder = mkdtempSync(join(tmpdir(), "mazaneh-hosts-"));
after(() => rmSync(folder, { recursive: true }));
copyFileSync("test/runtimes/host_packages.json", join(folder, "package.json"));
copyFileSync("test/runtimes/hosts.mjs", join(folder, "hosts.mjs"));
const install = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
const { status } = spawnSync("npm", install, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });

test("the built package answers alike in every host, and charges two units each", {
  skip: status !== 0 && "the packages cannot be installed",
}, async () => {
  const home = join(folder, "node_modules/mazaneh");
  const doors = [".", "./fetch", "./memory-store", "./node"] as const;
  await build({
    entryPoints: doors.map((door) => manifest.exports[door].default.replace("./dist/", "").replace(/\.js$/, ".ts")),
    ...{ outdir: join(home, "dist"), outbase: ".", bundle: true, splitting: true, format: "esm", platform: "node" },
  });
  copyFileSync("package.json", join(home, "package.json"));
  const printed = execFileSync(process.execPath, ["hosts.mjs"], { cwd: folder, encoding: "utf8" });
  const answers = JSON.parse(printed) as Record<string, readonly unknown[]>;
  assert.equal(Object.keys(answers).length, HOSTS);
  for (const [host, answer] of Object.entries(answers)) {
    const expected = [
      [200, JSON_TYPE, NAME, "49"],
      [200, JSON_TYPE, NAME, "48"],
      [400, JSON_TYPE, `${USD}/2026-02-30`, "48"],
      [401, JSON_TYPE, USD, null],
      [404, JSON_TYPE, `${USD}/`, null],
    ];
    assert.deepEqual(answer, expected, host);
  }
});
