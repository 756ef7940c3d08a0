import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { sparkline } from "../../adapters/cli/market/get_report.ts";
import { durationInWords, formatCount } from "../../adapters/cli/text_table.ts";
import { serving, temporaryDirectory } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";

const NOW = "2026-08-21T12:00:00Z";

/** A store with one record of PEPE, and with the dollar at 16:30 UTC on 100 days, 1,000 rial more each day. */
async function store(t: TestContext): Promise<string> {
  const data = join(await temporaryDirectory(t), "data");
  const lines = ["code,value,businessTime", "PEPE_USD,0.00000098,2026-08-20T16:30:00Z"];
  for (let day = 0; day < 100; day++) {
    lines.push(
      `USD_RLS,${1_800_000 + 1_000 * day},${new Date(Date.parse("2026-08-20T16:30:00Z") - (99 - day) * 86_400_000).toISOString()}`,
    );
  }
  assert.equal((await program(["import", "--init", "--data", data, "-"], { input: [lines.join("\n")] })).code, 0);
  return data;
}

/** Makes a function that runs `get USD_RLS` with further arguments. */
function getter(data: string): (...args: string[]) => Promise<string> {
  return async (...args) => (await program(["get", "USD_RLS", "--data", data, ...args], { now: NOW })).out;
}

test("get --from --to: ranges of any length, even far outside the records; import reads the output of --csv", async (t) => {
  const run = getter(await store(t));
  for (const [range, days] of [
    [["--from", "2026-05-20", "--to", "2026-08-20"], 93],
    [["--from", "0001-01-01", "--to", "9999-12-31"], 100],
    [["--from", "2026-08-19"], 2],
    [["--to", "2026-08-20"], 31],
  ] as const)
    assert.equal((JSON.parse(await run(...range, "--json")) as unknown[]).length, days, range.join(" "));
  const copy = join(await temporaryDirectory(t), "copy");
  const input = [await run("--from", "2026-05-20", "--csv")];
  assert.equal((await program(["import", "--init", "--data", copy, "-"], { input })).code, 0);
  assert.equal(await getter(copy)("--from", "2026-05-20"), await run("--from", "2026-05-20"));
});

test("get --candles: the latest 24, or the candles of a market day or a range", async (t) => {
  const run = getter(await store(t));
  const starts = async (...args: string[]) =>
    (JSON.parse(await run("--json", "--candles", ...args)) as { start: string }[]).map(({ start }) => start);
  const days = await starts("1d");
  assert.deepEqual([days.length, days[0], days.at(-1)], [24, "2026-07-28T00:00:00.000Z", "2026-08-20T00:00:00.000Z"]);
  assert.deepEqual(await starts("1h", "--day", "2026-08-20"), ["2026-08-20T16:00:00.000Z"]);
  assert.equal((await starts("1d", "--from", "0001-01-01", "--to", "9999-12-31")).length, 100);
  assert.deepEqual(await starts("1d", "--to", "9999-12-31"), days);
});

test("get: costs no units and needs no key, even beside a running server", async (t) => {
  const data = await store(t);
  const { key } = (await program(["keys", "create", "me", "--json", "--data", data])).json();
  const server = await serving(t, ["--data", data]);
  const { code, out } = await program(["get", "USD_RLS", "--data", data]);
  assert.equal(code, 0);
  const { json } = await server.get("/api/v1/assets/USD_RLS", String(key));
  assert.ok(out.includes(`${formatCount(Number(json["value"]))} rial`), out);
  const usage = await fetch(`${server.url}/api/v1/access`, { headers: { "X-API-Key": String(key) } });
  assert.equal(usage.headers.get("X-RateLimit-Remaining"), "49");
});

test("an age is printed in minutes, or in hours or days if there are at least two", () => {
  const ages = [0, 1, 119, 120, 2_879, 2_880, 142_220].map((minutes) => durationInWords(minutes * 60_000));
  assert.deepEqual(ages, ["0 minutes", "1 minute", "119 minutes", "2 hours", "47 hours", "2 days", "98 days"]);
});

test("get: a value has commas between thousands; a series of values is drawn as bars", () => {
  const counts = [1_903_482, 0.00000098, 1234.5, 999, 1e21].map(formatCount);
  assert.deepEqual(counts, ["1,903,482", "0.00000098", "1,234.5", "999", "1,000,000,000,000,000,000,000"]);
  assert.equal(sparkline([1, 2, 3, 4, 5, 6, 7, 8], 8), "▁▂▃▄▅▆▇█");
  assert.equal(sparkline([5, 5, 5], 8), "▄▄▄");
  const wide = sparkline(
    Array.from({ length: 1_000 }, (_, at) => at),
    20,
  );
  assert.deepEqual([wide.length, wide[0], wide.at(-1)], [20, "▁", "█"]);
});
