// Runs the example that reads a dropped file, in Chromium: the bundle of `mazaneh/intake`, a CSV file with questions, and a JSON file.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { readTable } from "../../adapters/intake/mod.ts";
import { serveListener } from "../support/serve_listener.ts";

const CHROMIUM = "/usr/bin/chromium-headless-shell";
const skip = !existsSync(CHROMIUM) && `${CHROMIUM} is missing (package chromium-headless-shell)`;
const CSV = "تاریخ;قیمت (تومان)\n1405/05/28;۱۹۰٬۳۰۰\n1405/05/29;۱۹۰٬۷۰۰\n";
const CSV_READ = "USD_RLS 1903000 2026-08-19T13:00:00.000Z\nUSD_RLS 1907000 2026-08-20T13:00:00.000Z";
const JSON_FILE = '{"data":[{"symbol":"دلار","price":1905000,"date":"2026-08-21T16:30:00+03:30"}]}';

test("a web page reads a dropped file with the answers to questions about it", { skip }, async (t) => {
  const bundle = { bundle: true, write: false, format: "esm", platform: "browser" } as const;
  const { outputFiles } = await build({ ...bundle, entryPoints: ["adapters/intake/mod.ts"] });
  const site = await serveListener((request, response) => {
    const isScript = request.url === "/intake.js";
    response.setHeader("Content-Type", isScript ? "text/javascript" : "text/html; charset=utf-8");
    response.end(isScript ? outputFiles[0]!.text : readFileSync("fixtures/examples/dropped_file.html"));
  });
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
  t.after(() => browser.close());
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on("pageerror", ({ message }) => faults.push(message));
  await page.goto(site);
  const drop = (name: string, text: string): Promise<unknown> =>
    page.evaluate(`{
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
      dispatchEvent(new DragEvent("drop", { dataTransfer }));
    }`);

  await drop("usd.csv", CSV);
  for (const answer of ['{"code":"USD_RLS"}', '{"dayAt":"16:30"}'])
    await page.getByRole("button", { name: answer, exact: true }).click();
  await page.getByText("13:00").waitFor();
  assert.ok(
    (await page.locator("pre").textContent())?.endsWith(CSV_READ),
    "prices are in rial, and times have the hour that was given as an answer",
  );

  await drop("answer.json", JSON_FILE);
  await page.getByText("JSON list").waitFor();
  assert.match((await page.locator("pre").textContent()) ?? "", /\nUSD_RLS 1905000 2026-08-21T16:30:00\+03:30$/);
  assert.deepEqual(faults, []);
});

test("readTable: reads text and bytes alike, and leaves no question open once all suggested answers are given", () => {
  const first = readTable(CSV, { file: "usd.csv" });
  const answers = Object.assign({}, ...first.questions.map(({ set }) => set)) as object;
  assert.deepEqual([answers, first.records.length], [{ code: "USD_RLS", dayAt: "16:30" }, 2]);
  const second = readTable(Buffer.from(CSV), { file: "usd.csv", answers });
  assert.deepEqual([second.questions, second.failure, second.rejected], [[], undefined, []]);
  assert.deepEqual(second.records, first.records);
});

test("readTable: asks about rows that differ only in an unknown column, and names an invalid answer", () => {
  const sides = "date,side,price\n2026-08-19,sell,1903000\n2026-08-19,buy,1883000\n";
  const { questions } = readTable(sides, { answers: { code: "USD_RLS", dayAt: "16:30" } });
  const sets = questions.map(({ set }) => set);
  assert.deepEqual(sets, [{ where: { side: "sell" } }]);
  assert.throws(
    () => readTable(sides, { answers: { dayAt: "noon" } }),
    /^RangeError: Cannot read a table because its answer dayAt must be a time/,
  );
  assert.equal(readTable("", {}).failure, "it is empty");
});
