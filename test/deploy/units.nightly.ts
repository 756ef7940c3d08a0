// The units, as systemd reads them without running them.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { EXIT } from "../../adapters/cli/command_failure.ts";
import { SETTING_NAMES, variableOf } from "../../adapters/cli/settings.ts";
import { hasCommand } from "./machine.ts";

const UNITS = "fixtures/deploy/systemd";
const names = readdirSync(UNITS).filter((name) => /\.(service|timer)$/.test(name));
const reason = hasCommand("systemd-analyze") ? false : "there is no systemd-analyze (package systemd)";
/** Of 10; what the page says, and at most what it was when the unit was written. */
const MAX_EXPOSURE: Readonly<Record<string, number>> = { "mazaneh.service": 0.9, "mazaneh-backup.service": 0.2 };

test("units: systemd has nothing to say against them", { skip: reason }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), "mazaneh-units-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  // A unit is only right where its program is.
  mkdirSync(join(folder, "bin"));
  for (const name of ["mazaneh", "mazaneh-backup"])
    writeFileSync(join(folder, "bin", name), "#!/bin/sh\n", { mode: 0o755 });
  cpSync(UNITS, folder, { recursive: true });
  for (const name of names)
    writeFileSync(
      join(folder, name),
      readFileSync(join(folder, name), "utf8").replaceAll("/usr/local/bin/", `${folder}/bin/`),
    );
  const { status, stderr, stdout } = spawnSync(
    "systemd-analyze",
    ["verify", ...names.map((name) => join(folder, name))],
    { encoding: "utf8" },
  );
  // It also reads the units of this machine that ours are wanted by, and may have something to say about those.
  const ours = `${stdout}${stderr}`.split("\n").filter((line) => line.includes("mazaneh"));
  assert.deepEqual([status, ours], [0, []], stderr);
});

for (const [name, most] of Object.entries(MAX_EXPOSURE)) {
  test(`units: the exposure of ${name} is at most ${most} of 10`, { skip: reason }, () => {
    const path = resolve(UNITS, name);
    const exposure = execFileSync("systemd-analyze", ["security", "--offline=true", "--no-pager", path], {
      encoding: "utf8",
    });
    const [, level] = /Overall exposure level for \S+: ([\d.]+)/.exec(exposure) ?? [];
    assert.ok(Number(level) <= most, exposure);
  });
}

test("units: variables are those of settings, and a failure that needs a person starts nothing again", () => {
  const service = readFileSync(join(UNITS, "mazaneh.service"), "utf8");
  const known: readonly string[] = SETTING_NAMES.map(variableOf);
  const set = [...service.matchAll(/\b(MAZANEH_\w+)=/g)].map(([, variable]) => variable!);
  assert.ok(set.length >= 2, service);
  assert.deepEqual(
    set.filter((variable) => !known.includes(variable)),
    [],
  );
  const [, codes] = /^RestartPreventExitStatus=(.*)$/m.exec(service) ?? [];
  assert.deepEqual(codes?.split(" ").map(Number), [EXIT.usage, EXIT.data, EXIT.config]);
});
