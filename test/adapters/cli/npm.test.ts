// The server under npm: real npm, whose process is ended by each signal. The server never stays behind.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { bundle } from "../../faults/bundle.ts";
import { makeStore, temporaryDirectory } from "../../support/cli.ts";

const PROGRAM = await bundle("adapters/cli/main.ts");
const SERVE = `node ${PROGRAM} serve --json --port 0 --data data`;

/** Whom the signal goes to: npm alone, as from a supervisor, or all of its group, as from a terminal that is closed. */
const cases = [
  ["exec, as npm start has it", `exec ${SERVE}`, "SIGTERM", "npm"],
  ["exec, as npm start has it", `exec ${SERVE}`, "SIGINT", "npm"],
  ["exec, as npm start has it", `exec ${SERVE}`, "SIGHUP", "npm"],
  ["exec, as npm start has it", `exec ${SERVE}`, "SIGKILL", "npm"],
  ["a shell in between, as npx has it", `${SERVE}; true`, "SIGTERM", "npm"],
  ["a shell in between, as npx has it", `${SERVE}; true`, "SIGHUP", "npm"],
  ["a shell in between, as npx has it", `${SERVE}; true`, "SIGHUP", "its group"],
] as const;

for (const [how, start, signal, whom] of cases) {
  test(`npm start with ${how}: ${signal} to ${whom} stops the server`, { timeout: 60_000 }, async (t) => {
    const cwd = await temporaryDirectory(t);
    await makeStore(join(cwd, "data"));
    await writeFile(join(cwd, "package.json"), JSON.stringify({ scripts: { start } }));
    const npm = spawn("npm", ["--silent", "start"], { cwd, stdio: ["ignore", "pipe", "ignore"], detached: true });
    t.after(() => end(-npm.pid!, "SIGKILL"));
    let out = "";
    npm.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    while (!out.includes("\n") && npm.exitCode === null) await delay(20);
    const { url } = JSON.parse(out.split("\n")[0]!) as { url: string };
    assert.equal((await fetch(`${url}/api/v1/status`)).status, 200);
    end(whom === "npm" ? npm.pid! : -npm.pid!, signal);
    await once(npm, "close"); // Also of its output, which the server shares.
    await assert.rejects(fetch(`${url}/api/v1/status`));
  });
}

test("the start script of this package replaces its shell, which would not pass signals on", async () => {
  const { scripts } = JSON.parse(await readFile("package.json", "utf8")) as { scripts: { start: string } };
  assert.match(scripts.start, /^node adapters\/page\/build\.mjs && exec node [^;&|]* adapters\/cli\/main\.ts serve --sample$/);
});

/** A process, or with a negative id a group, that may have ended. */
function end(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has.
  }
}
