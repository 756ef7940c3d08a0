// Starts the built server as a user would, on an empty directory and a free port, and calls every route.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";

const server = spawn(process.execPath, ["dist/adapters/cli/main.js", "serve", "--sample", "--port", "0"]);
let printed = "";
server.stderr.pipe(process.stderr);
server.stdout.setEncoding("utf8").on("data", (text) => (printed += text));
const ended = new Promise((resolve) => server.on("exit", resolve));

try {
  await until(() => /curl .*http/.test(printed));
  const [, key] = /X-API-Key: (mz_live_\w+)/.exec(printed);
  const [origin] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed);
  const to = new Date().toISOString().slice(0, 10);
  const from = new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10);
  const asset = "/api/v1/assets/USD_RLS";
  const calls = [
    ["GET", "/api/v1/assets"],
    ["GET", "/api/v1/assets/supported"],
    ["GET", asset],
    ["GET", `${asset}/${from}`],
    ["GET", `${asset}/history?from=${from}&to=${to}`],
    ["GET", `${asset}/ohlc?interval=1h&from=${from}T00:00:00Z&to=${to}T00:00:00Z`],
    ["POST", asset, JSON.stringify({ fromDate: from, toDate: to })],
    ["GET", "/api/v1/status"],
    ["GET", "/api/v1/access"],
  ];
  for (const [method, path, body] of calls) {
    const headers = { "X-API-Key": key, ...(body && { "Content-Type": "application/json" }) };
    const response = await fetch(origin + path, { method, headers, body });
    const text = await response.text();
    assert.equal(response.status, 200, `${method} ${path}: ${text}`);
    console.log(`200 ${method} ${path} ${text.length} characters`);
  }
  server.kill("SIGTERM");
  assert.equal(await ended, 0, "a stop by SIGTERM ends with exit code 0");
} finally {
  server.kill("SIGKILL");
}

async function until(condition) {
  for (let tries = 0; tries < 600 && server.exitCode === null; tries++) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The server did not start; it printed: ${printed}`);
}
