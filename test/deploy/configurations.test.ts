// Checks the configurations in fixtures/deploy without running the programs that they configure.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { EXIT } from "../../adapters/cli/command_failure.ts";
import { COMMANDS } from "../../adapters/cli/commands/mod.ts";
import { SETTING_NAMES, variableOf } from "../../adapters/cli/settings.ts";
import { mazaneh, serving, temporaryDirectory, temporaryStore } from "../support/cli.ts";
import { hasCommand } from "../support/has_command.ts";
import { readExposition } from "../support/prometheus.ts";

const FOLDER = "fixtures/deploy";
const UNITS = `${FOLDER}/systemd`;
const DOCKERFILE = readFileSync(`${FOLDER}/container/Dockerfile`, "utf8");
/** The last build stage, which becomes the image. */
const IMAGE = DOCKERFILE.slice(DOCKERFILE.lastIndexOf("FROM "));
const SERVICE = readFileSync(`${UNITS}/mazaneh.service`, "utf8");
const ALERTS = readFileSync(`${FOLDER}/prometheus/alerts.yml`, "utf8");
/** The maximum exposure of each systemd unit, out of 10. The README states the same numbers. */
const MAX_EXPOSURE: Readonly<Record<string, number>> = { "mazaneh.service": 0.9, "mazaneh-backup.service": 0.2 };
/** Metrics that a new server does not have: they come from Prometheus, the Blackbox exporter or the first backup. */
const OTHER_METRICS = /^(?:up|probe_\w+|store_backup_age_seconds)$/;

const withoutSystemd = !hasCommand("systemd-analyze") && "there is no systemd-analyze (package systemd)";
const withoutPromtool = !hasCommand("promtool") && "there is no promtool (package prometheus)";

test("container and systemd units: every variable belongs to a setting", () => {
  const compose = readFileSync(`${FOLDER}/container/compose.yaml`, "utf8");
  const set = [...`${IMAGE}${SERVICE}`.matchAll(/\b(MAZANEH_\w+)=/g), ...compose.matchAll(/^ +(MAZANEH_\w+):/gm)];
  const known: readonly string[] = SETTING_NAMES.map(variableOf);
  const names = set.map(([, variable]) => variable!);
  assert.ok(names.length >= 5, names.join());
  const unknown = names.filter((name) => !known.includes(name));
  assert.deepEqual(unknown, ["MAZANEH_UPSTREAM"], "every variable belongs to a setting, except the Caddyfile's");
});

test("container: the health check and the default command run existing commands, and every copied path exists", () => {
  const [, check] = /^HEALTHCHECK .*CMD \["mazaneh", "(\w+)"\]$/m.exec(IMAGE) ?? [];
  const [, run] = /^CMD \["(\w+)"\]$/m.exec(IMAGE) ?? [];
  assert.deepEqual([check, run], ["status", "serve"]);
  for (const name of ["status", "serve"])
    assert.ok(
      COMMANDS.some((command) => command.name === name),
      name,
    );
  const copied = [...DOCKERFILE.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, paths]) => paths!.split(" "));
  assert.ok(copied.length >= 4, copied.join());
  for (const path of copied) assert.ok(existsSync(path), path);
  const { bin } = JSON.parse(readFileSync("package.json", "utf8")) as { bin: Record<string, string> };
  assert.ok(IMAGE.includes(bin["mazaneh"]!.replace("./", "/app/")), bin["mazaneh"]);
});

test("systemd units: the server is not restarted after a failure that a person must fix", () => {
  const [, codes] = /^RestartPreventExitStatus=(.*)$/m.exec(SERVICE) ?? [];
  assert.deepEqual(codes?.split(" ").map(Number), [EXIT.usage, EXIT.data, EXIT.config]);
});

test("systemd units: systemd-analyze accepts them", { skip: withoutSystemd }, async (t) => {
  const folder = await temporaryDirectory(t);
  // systemd-analyze checks that the programs of the systemd units exist.
  mkdirSync(join(folder, "bin"));
  for (const name of ["mazaneh", "mazaneh-backup"])
    writeFileSync(join(folder, "bin", name), "#!/bin/sh\n", { mode: 0o755 });
  cpSync(UNITS, folder, { recursive: true });
  const paths = readdirSync(UNITS)
    .filter((name) => /\.(service|timer)$/.test(name))
    .map((name) => join(folder, name));
  for (const path of paths)
    writeFileSync(path, readFileSync(path, "utf8").replaceAll("/usr/local/bin/", `${folder}/bin/`));
  const { status, stderr, stdout } = spawnSync("systemd-analyze", ["verify", ...paths], { encoding: "utf8" });
  // systemd-analyze also reads other units of this machine, and may complain about them.
  const ours = `${stdout}${stderr}`.split("\n").filter((line) => line.includes("mazaneh"));
  assert.deepEqual([status, ours], [0, []], stderr);
});

for (const [name, most] of Object.entries(MAX_EXPOSURE)) {
  test(`systemd units: the security exposure of ${name} is at most ${most} of 10`, { skip: withoutSystemd }, () => {
    const args = ["security", "--offline=true", "--no-pager", resolve(UNITS, name)];
    const exposure = execFileSync("systemd-analyze", args, { encoding: "utf8" });
    const [, level] = /Overall exposure level for \S+: ([\d.]+)/.exec(exposure) ?? [];
    assert.ok(Number(level) <= most, exposure);
  });
}

test("alerts: the configuration is valid, and each alert fires only in its own case", { skip: withoutPromtool }, () => {
  execFileSync("promtool", ["check", "config", `${FOLDER}/prometheus/prometheus.yml`], { stdio: "pipe" });
  execFileSync("promtool", ["test", "rules", "test/deploy/alerts.yml"], { stdio: "pipe" });
});

test("alerts: each alert has a test case, and a server with a file store has every metric that the alerts use", async (t) => {
  const cases = readFileSync("test/deploy/alerts.yml", "utf8");
  for (const [, name] of ALERTS.matchAll(/- alert: (\w+)/g))
    assert.match(cases, new RegExp(`alertname: ${name}\\n +exp_alerts:`), name);

  const data = await temporaryStore(t);
  const input = "code,value,businessTime\nUSD_RLS,1905000,2026-11-20T16:30:00Z\n";
  await mazaneh(["import", "-", "--data", data], { input });
  const server = await serving(t, ["--data", data, "--admin-port", "0"]);
  await server.get("/api/v1/status");
  const metrics = readExposition(await (await fetch(`${String(server.state["adminUrl"])}/metrics`)).text());
  const expressions = ALERTS.match(/(?<=expr: )(?:.*|\|\n(?: {10}.*\n)+)/g) ?? [];
  const names = new Set(expressions.join("\n").match(/\b[a-z]+(?:_[a-z]+)+(?=[{[ \n]|$)|\bup\b/g) ?? []);
  assert.ok(names.size > 8, [...names].join(" "));
  for (const name of names) if (!OTHER_METRICS.test(name)) assert.ok(metrics.has(name), name);
});
