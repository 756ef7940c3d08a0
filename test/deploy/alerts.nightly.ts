// The alerts of fixtures/deploy/prometheus: each fires in its case and in no other, and asks for metrics that there are.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { mazaneh, servingChild, temporaryStore } from "../support/cli.ts";
import { readExposition } from "../support/prometheus.ts";
import { hasCommand } from "./machine.ts";

const skip = !hasCommand("promtool") && "there is no promtool (package prometheus)";
const FOLDER = "fixtures/deploy/prometheus";
/** Prometheus itself and the Blackbox exporter have these; the last one is there once a backup was made. */
const NOT_OURS = /^(?:up|probe_\w+|store_backup_age_seconds)$/;

test("alerts: the configuration is valid, and each alert fires in its case alone", { skip }, () => {
  for (const args of [
    ["check", "config", `${FOLDER}/prometheus.yml`],
    ["test", "rules", "test/deploy/alerts.yml"],
  ])
    execFileSync("promtool", args, { stdio: "pipe" });
  const rules = readFileSync(`${FOLDER}/alerts.yml`, "utf8");
  const cases = readFileSync("test/deploy/alerts.yml", "utf8");
  for (const [, name] of rules.matchAll(/- alert: (\w+)/g))
    assert.match(cases, new RegExp(`alertname: ${name}\\n +exp_alerts:`), name);
});

test("alerts: a server on files has each metric that they ask for", async (t) => {
  const data = await temporaryStore(t);
  await mazaneh(["import", "-", "--data", data], {
    input: "code,value,businessTime\nUSD_RLS,1905000,2026-11-20T16:30:00Z\n",
  });
  const server = await servingChild(t, ["--data", data, "--admin-port", "0"]);
  await server.get("/api/v1/status");
  const there = readExposition(await (await fetch(`${String(server.state["adminUrl"])}/metrics`)).text());
  const expressions = readFileSync(`${FOLDER}/alerts.yml`, "utf8").match(/(?<=expr: )(?:.*|\|\n(?: {10}.*\n)+)/g) ?? [];
  const names = new Set(expressions.join("\n").match(/\b[a-z]+(?:_[a-z]+)+(?=[{[ \n]|$)|\bup\b/g) ?? []);
  assert.ok(names.size > 8, [...names].join(" "));
  for (const name of names)
    if (!NOT_OURS.test(name)) assert.ok(there.has(name), `${name} is not among ${[...there.keys()].join(" ")}`);
});
