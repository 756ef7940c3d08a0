// Runs the documented programs that push prices, unchanged, with a real server.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { ingestRoute } from "../../adapters/feeds/push/mod.ts";
import { nodeListener, nodeSystem } from "../../adapters/http/node/mod.ts";
import { createMemoryStore } from "../../adapters/stores/memory_store.ts";
import { createApi, createKey } from "../../core/mod.ts";
import { hasCommand } from "../support/has_command.ts";
import { serveListener } from "../support/serve_listener.ts";
import { until } from "../support/wait_until.ts";
import { programOf, runProgram } from "./pages.ts";

const EXAMPLES = "fixtures/examples/push";
const folder = mkdtempSync(join(tmpdir(), "mazaneh-push-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const store = createMemoryStore();
const origin = await serveListener(nodeListener(createApi({ ...nodeSystem, ...store, routes: [ingestRoute(store)] })));
const key = await createKey(store.accounts, nodeSystem, "collector", { may: "write" });
const [csv, header] = [join(folder, "prices.csv"), join(folder, "key.header")];
writeFileSync(
  csv,
  "code,value,businessTime\nUSD_RLS,1900000,2026-11-20T10:00:00Z\nUSD_RLS,1900100,2026-11-20T10:10:00Z\n",
);
writeFileSync(header, `X-API-Key: ${key}\n`);

/** Runs a shell program; returns its exit code and output. */
function run(line: string): Promise<{ code: number | string; out: string }> {
  const env = { ...process.env, MAZANEH_URL: origin, MAZANEH_HOST: new URL(origin).host, MAZANEH_KEY: key };
  return new Promise((resolve) =>
    execFile("sh", ["-c", line], { env, timeout: 300_000 }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, out: out + err }),
    ),
  );
}

test("push: cron with curl sends a whole file repeatedly", async (context) => {
  if (!["curl", "gzip"].every(hasCommand)) return context.skip("curl or gzip is not installed");
  for (let round = 0; round < 2; round++) {
    const { code, out } = await run(`${EXAMPLES}/push.sh ${header} ${csv}`);
    assert.equal(code, 0, out);
    assert.match(out, /"stored":2,/);
  }
  assert.notEqual((await run(`${EXAMPLES}/push.sh /dev/null ${csv}`)).code, 0);
});

test("push: Python sends standard input, and fails if a line is refused", async (context) => {
  if (!hasCommand("python3")) return context.skip("python3 is not installed");
  assert.match((await run(`python3 ${EXAMPLES}/push.py < ${csv}`)).out, /'refused': 0/);
  const { code, out } = await run(
    `printf 'code,value,businessTime\\nUSD,1,2026-11-20T10:00:00Z\\n' | python3 ${EXAMPLES}/push.py`,
  );
  assert.equal(code, 1);
  assert.match(out, /'place': 2/);
});

const LINES = programOf("adapters/feeds/push/README.md", { heading: "The output of any program", language: "sh" });

/** Runs the three documented lines with the real key, and with the output of a shell program as their input. */
function pushOutputOf(program: string): ReturnType<typeof run> {
  return run(LINES.replace("http://127.0.0.1:8080", origin).replace("collector", program).replace("mz_live_…", key));
}

const sum = (out: string, name: string): number =>
  [...out.matchAll(new RegExp(`"${name}":(\\d+)`, "g"))].reduce((all, [, count]) => all + Number(count), 0);

test("push: three shell lines send a program's output, many lines at a time", async (context) => {
  if (!["bash", "curl"].every(hasCommand)) return context.skip("bash or curl is not installed");
  assert.equal(LINES.trimEnd().split("\n").length, 3);
  const prices = Array.from({ length: 2_500 }, (_, at) => {
    const businessTime = new Date(Date.UTC(2026, 0, 1) + at * 1_000);
    return `${JSON.stringify({ code: "BTC_USD", value: 80_000 + at / 100, businessTime })}\n`;
  });
  const file = join(folder, "prices.ndjson");
  writeFileSync(file, `${prices.join("")}it's "no" $JSON\n${prices[0]}{"code":"BTC_USD","value":1`);
  const { code, out } = await pushOutputOf(`cat ${file}`);
  assert.equal(code, 0, out);
  assert.deepEqual(
    ["stored", "refused"].map((name) => sum(out, name)),
    [2_501, 1],
    out,
  );
  assert.ok(out.split("\n").length < 100, out);
});

test("push: the three shell lines send a price as soon as it is printed, while the program keeps running", async (context) => {
  if (!["bash", "curl"].every(hasCommand)) return context.skip("bash or curl is not installed");
  const price = '{"code":"ETH_USD","value":3000,"businessTime":"2026-01-01T00:00:00Z"}';
  const [first, stored] = [join(folder, "first.ndjson"), join(folder, "stored")];
  writeFileSync(first, `${price}\n`);
  // The shell program keeps running until the first price is stored.
  const running = pushOutputOf(`(cat ${first}; until [ -e ${stored} ]; do sleep 0.1; done; cat ${first})`);
  await until("the price is stored", async () => (await store.observations.latest(["ETH_USD"])).value[0]);
  writeFileSync(stored, "");
  const { out } = await running;
  assert.equal(sum(out, "stored"), 2);
});

test("push: a bot's handler stores prices from editors, and reports the outcome", async () => {
  const env = { MAZANEH_URL: origin, MAZANEH_KEY: key, MAZANEH_EDITORS: "7,8" };
  const { onUpdate } = await runProgram(readFileSync(`${EXAMPLES}/telegram_bot.mjs`, "utf8"), { process: { env } });
  const say = (text: string, id = 7): unknown =>
    (onUpdate as (update: object) => unknown)({ message: { text, from: { id }, date: Date.now() / 1_000 - 60 } });
  assert.equal(await say("USD_RLS 1900500"), "Stored");
  assert.match(String(await say("USD_RLX 1900500")), /not in the catalog/);
  assert.match(String(await say("USD_RLS")), /^Send a code/);
  assert.equal(await say("USD_RLS 1", 9), undefined);
});
