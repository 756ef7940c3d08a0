import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { sparkline } from "../../adapters/cli/market/get_report.ts";
import { formatCount } from "../../adapters/cli/text_table.ts";
import { serving, temporaryDirectory } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";

const NOW = "2026-08-21T12:00:00Z";

/** A store with a dollar of each of a hundred days at 16:30 UTC, the value growing by a thousand rial a day, and one record of PEPE. */
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

test("get CODE: the latest value with its unit, its times and its labels", async (t) => {
  const data = await store(t);
  const { code, out, err } = await program(["get", "USD_RLS", "--data", data], { now: NOW });
  assert.deepEqual([code, err], [0, ""]);
  assert.deepEqual(out.split("\n"), [
    "USD_RLS  US Dollar / Iranian Rial  دلار آمریکا / ریال ایران",
    "1,899,000 rial, +0.05% since 2026-08-19",
    "2026-08-20T16:30:00.000Z, on 2026-08-20 in Asia/Tehran",
    "▁▁▁▂▂▂▂▃▃▃▃▄▄▄▄▅▅▅▅▅▆▆▆▆▇▇▇▇███",
    "days to 2026-08-20, 1,869,000 to 1,899,000",
    "",
  ]);
  for (const name of ["usd_rls", "دلار", "دلار امريكا"])
    assert.equal((await program(["get", name, "--data", data], { now: NOW })).out, out, name);
  assert.match((await program(["get", "PEPEUSDT", "--data", data], { now: NOW })).out, /^0\.00000098 US dollar$/m);
});

test("get --day: the last value of a market day; --json and --csv give it to programs", async (t) => {
  const data = await store(t);
  const run = async (...args: string[]) =>
    (await program(["get", "USD_RLS", "--data", data, ...args], { now: NOW })).out;
  assert.match(await run("--day", "2026-06-01"), /^1,819,000 rial, /m);
  const value = JSON.parse(await run("--day", "2026-06-01", "--json")) as Record<string, unknown>;
  assert.deepEqual(
    [value["code"], value["value"], value["businessTime"]],
    ["USD_RLS", 1_819_000, "2026-06-01T16:30:00.000Z"],
  );
  assert.equal(
    await run("--day", "2026-06-01", "--csv"),
    "code,value,businessTime\nUSD_RLS,1819000,2026-06-01T16:30:00.000Z\n",
  );
  // 16:30 UTC is already the next day further east.
  assert.match(await run("--day", "2026-06-02", "--market-time-zone", "Pacific/Auckland"), /^1,819,000 rial, /m);
});

test("get --from --to: a table of days over more than 31 days, which --csv gives as import reads it", async (t) => {
  const data = await store(t);
  const run = async (...args: string[]) =>
    (await program(["get", "USD_RLS", "--data", data, ...args], { now: NOW })).out;
  const out = await run("--from", "2026-05-20", "--to", "2026-08-20");
  const rows = out.split("\n").filter((line) => /^2026-/.test(line));
  assert.equal(rows.length, 93);
  assert.match(rows[1]!, /^2026-05-21 {2}1,808,000 {2}\+0\.06% {2}2026-05-21T16:30:00\.000Z$/);
  assert.match(out, /^day +rial +change +time \(UTC\)$/m);
  assert.match(out, /^93 days in rial, 1,807,000 to 1,899,000$/m);
  // Dates far outside the records cost nothing.
  assert.equal((await run("--from", "0001-01-01", "--to", "9999-12-31", "--csv")).split("\n").length, 102);
  assert.equal(
    (await run("--from", "2026-08-19", "--json")).match(/businessTime/g)?.length,
    2,
    "without --to, up to the latest",
  );
  assert.equal(
    (await run("--to", "2026-08-20", "--json")).match(/businessTime/g)?.length,
    31,
    "without --from, from 30 days before",
  );

  const copy = join(await temporaryDirectory(t), "copy");
  assert.equal(
    (await program(["import", "--init", "--data", copy, "-"], { input: [await run("--from", "2026-05-20", "--csv")] }))
      .code,
    0,
  );
  assert.equal(
    await run("--from", "2026-05-20"),
    (await program(["get", "USD_RLS", "--data", copy, "--from", "2026-05-20"], { now: NOW })).out,
  );
});

test("get --candles: the latest 24, those of a market day, or those of a range", async (t) => {
  const data = await store(t);
  const run = async (...args: string[]) =>
    (await program(["get", "USD_RLS", "--data", data, ...args], { now: NOW })).out;
  const starts = async (...args: string[]) =>
    (JSON.parse(await run("--json", ...args)) as { start: string }[]).map(({ start }) => start);
  const days = await starts("--candles", "1d");
  assert.deepEqual([days.length, days[0], days.at(-1)], [24, "2026-07-28T00:00:00.000Z", "2026-08-20T00:00:00.000Z"]);
  assert.deepEqual(await starts("--candles", "1h", "--day", "2026-08-20"), ["2026-08-20T16:00:00.000Z"]);
  assert.deepEqual(await starts("--candles", "4h", "--from", "2026-08-18", "--to", "2026-08-19"), [
    "2026-08-18T16:00:00.000Z",
    "2026-08-19T16:00:00.000Z",
  ]);
  assert.deepEqual(await starts("--candles", "15m", "--from", "2026-08-20T00:00:00Z"), ["2026-08-20T16:30:00.000Z"]);
  assert.equal(
    (await starts("--candles", "1d", "--from", "0001-01-01", "--to", "9999-12-31")).length,
    100,
    "what lies outside the records costs nothing",
  );
  assert.deepEqual(await starts("--candles", "1d", "--to", "9999-12-31"), days);
  const out = await run("--candles", "1d", "--from", "2026-08-19");
  assert.match(out, /^start \(UTC\) +open +high +low +close +records$/m);
  assert.match(out, /^2026-08-20T00:00Z +1,899,000 +1,899,000 +1,899,000 +1,899,000 +1$/m);
  assert.match(
    await run("--candles", "1d", "--day", "2026-08-20", "--csv"),
    /^start,end,open,high,low,close,observationCount,complete\n/,
  );
});

const refused: readonly (readonly [rule: string, args: readonly string[], code: number, message: RegExp])[] = [
  ["a name of several assets", ["BTC"], 64, /There is no asset "BTC"; it may be BTC_USD or BTC_RLS$/],
  [
    "an unknown code that is like none",
    ["ABSHODE_RLS"],
    64,
    /There is no asset "ABSHODE_RLS"; mazaneh info lists the codes with records; codes of your own need --config$/,
  ],
  [
    "a Jalali day in Persian digits",
    ["USD_RLS", "--day", "۱۴۰۵/۰۵/۲۸"],
    64,
    /received "۱۴۰۵\/۰۵\/۲۸"; dates are Gregorian, and ۱۴۰۵\/۰۵\/۲۸ of the Jalali calendar is 2026-08-19$/,
  ],
  ...(["--from", "--to"] as const).map(
    (bound) =>
      [
        `a Jalali ${bound}`,
        ["USD_RLS", bound, "1402-12-10"],
        64,
        new RegExp(
          `${bound} must be a Gregorian day: received "1402-12-10"; dates are Gregorian, and 1402-12-10 of the Jalali calendar is 2024-02-29$`,
        ),
      ] as const,
  ),
  ["an asset without a record", ["EUR_RLS"], 65, /There is no record for EUR_RLS yet/],
  ["a day without a record", ["USD_RLS", "--day", "2020-01-01"], 65, /There is no record for USD_RLS on 2020-01-01/],
  [
    "a day that is none",
    ["USD_RLS", "--day", "yesterday"],
    64,
    /date must be a real Gregorian day written YYYY-MM-DD: received "yesterday"/,
  ],
  ["a range that runs backwards", ["USD_RLS", "--from", "2026-08-02", "--to", "2026-08-01"], 64, /runs backwards/],
  [
    "a range that begins at no day",
    ["USD_RLS", "--from", "x", "--to", "2026-08-01"],
    64,
    /from must be a real Gregorian day/,
  ],
  ["an interval that is none", ["USD_RLS", "--candles", "2h"], 64, /interval is one of 15m, 1h, 4h, 1d: received "2h"/],
  ["candles of a day without a record", ["USD_RLS", "--candles", "1h", "--day", "2020-01-01"], 65, /./],
  [
    "a day and a range",
    ["USD_RLS", "--day", "2026-08-01", "--from", "2026-08-01"],
    64,
    /--day is one day: leave --from and --to out/,
  ],
  ["two formats", ["USD_RLS", "--csv", "--json"], 64, /--csv and --json exclude each other/],
  ["no code", [], 64, /CODE is missing/],
  ["a code that would move the cursor", ["\u001b[31m"], 64, /^[^\u001b]*$/],
];
test("get: refuses what it cannot answer, in one line", async (t) => {
  const data = await store(t);
  for (const [rule, args, exitCode, message] of refused) {
    const { code, out, err } = await program(["get", ...args, "--data", data], { now: NOW });
    assert.deepEqual([code, out], [exitCode, ""], `${rule}: ${err}`);
    assert.match(err, /^mazaneh: [^\n]+\n$/, rule);
    assert.match(err.trimEnd(), message, rule);
  }
});

test("get: days without a record in between are no failure", async (t) => {
  const { code, out } = await program(
    ["get", "USD_RLS", "--data", await store(t), "--from", "2020-01-01", "--to", "2020-02-01"],
    { now: NOW },
  );
  assert.deepEqual(
    [code, out.split("\n")[1]],
    [0, "There is no record in these days; the records of USD_RLS run from 2026-05-13 to 2026-08-20."],
  );
});

test("get: beside a running server it takes no unit and needs no key", async (t) => {
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

test("values and bars as text", () => {
  assert.deepEqual([1_903_482, 0.00000098, 1234.5, 999, 1e21].map(formatCount), [
    "1,903,482",
    "0.00000098",
    "1,234.5",
    "999",
    "1,000,000,000,000,000,000,000",
  ]);
  assert.equal(sparkline([1, 2, 3, 4, 5, 6, 7, 8], 8), "▁▂▃▄▅▆▇█");
  assert.equal(sparkline([5, 5, 5], 8), "▄▄▄");
  const wide = sparkline(
    Array.from({ length: 1_000 }, (_, at) => at),
    20,
  );
  assert.deepEqual([wide.length, wide[0], wide.at(-1)], [20, "▁", "█"]);
});
