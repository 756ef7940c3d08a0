// What a file says of its unit is followed and told. What it says twice and differently is not stored.
import assert from "node:assert/strict";
import { test } from "node:test";
import { importOne } from "../support/run_import.ts";

const T = "2026-08-21T13:00:00Z";
const HEADER = "code,businessTime,value";
const TOMAN = "stored as ten times as many rial";

/** A table of one asset with these values, one an hour; behind the value a row may have other cells. */
function table(header: string, ...values: readonly string[]): string {
  return [`businessTime,${header}`, ...values.map((value, hour) => `2026-08-21T${10 + hour}:00:00Z,${value}`)].join(
    "\n",
  );
}

type UnitCase = readonly [
  what: string,
  file: string,
  args: readonly string[],
  reading: string,
  values: readonly number[],
];
const unitCases: readonly UnitCase[] = [
  [
    "a header in Persian",
    table("قیمت (تومان)", "190500"),
    [],
    `values in toman, as column "قیمت (تومان)" says, ${TOMAN}`,
    [1905000],
  ],
  [
    "Arabic letters",
    table("قيمت به تومان", "190500"),
    [],
    `values in toman, as column "قيمت به تومان" says, ${TOMAN}`,
    [1905000],
  ],
  [
    "a header in English",
    table("price_toman", "190500.05"),
    [],
    `values in toman, as column "price_toman" says, ${TOMAN}`,
    [1905000.5],
  ],
  [
    "a name that is mapped",
    table("Kurs [Toman]", "190500"),
    ["--map", "value=Kurs [Toman]"],
    `values in toman, as column "Kurs [Toman]" says, ${TOMAN}`,
    [1905000],
  ],
  [
    "a name that is mapped without its unit",
    table("Kurs (IRT)", "190500"),
    ["--map", "value=kurs"],
    `values in toman, as column "Kurs (IRT)" says, ${TOMAN}`,
    [1905000],
  ],
  ["the unit alone", table("تومان", "190500"), [], `values in toman, as column "تومان" says, ${TOMAN}`, [1905000]],
  [
    "thousand toman",
    table("نرخ (هزار تومان)", "190.5", "190.25"),
    [],
    'values in thousand toman, as column "نرخ (هزار تومان)" says, stored as 10,000 times as many rial',
    [1905000, 1902500],
  ],
  [
    "a footer",
    `${table("value", "190.5")}\nقیمت‌ها به هزار تومان است`,
    [],
    'values in thousand toman, as title "قیمت‌ها به هزار تومان است" says, stored as 10,000 times as many rial',
    [1905000],
  ],
  [
    "--unit in thousands, and the same in a footer",
    `${table("value", "190.5")}\nقیمت‌ها به هزار تومان است`,
    ["--unit", "thousand toman"],
    "values in thousand toman, stored as 10,000 times as many rial",
    [1905000],
  ],
  ["rial", table("value (IRR)", "1905000"), [], 'values in rial, as column "value (IRR)" says', [1905000]],
  ["the same as --unit", table("price_toman", "190500"), ["--unit", "toman"], `values in toman, ${TOMAN}`, [1905000]],
  [
    "a title",
    `نرخ‌ها به تومان,\n${table("قیمت", "190500")}`,
    [],
    `values in toman, as title "نرخ‌ها به تومان," says, ${TOMAN}`,
    [1905000],
  ],
  [
    "a column",
    table("value,واحد", "190500,تومان", "1905000,ریال", "1905000,"),
    [],
    'values in the unit that column "واحد" says',
    [1905000, 1905000, 1905000],
  ],
  [
    "the cells",
    table("value", "190500 تومان", '"1,905,000 ریال"', '"۱۹۰٬۵۰۰ تومان"'),
    [],
    "values in the unit beside them",
    [1905000, 1905000, 1905000],
  ],
  [
    "slashes between thousands",
    table("value", "1/905/000"),
    [],
    "slashes between thousands, values in rial",
    [1905000],
  ],
  ["slashes before fractions", table("value", "1905000/5"), [], "decimal slash, values in rial", [1905000.5]],
  ["the zone of a header", "time_utc,price\n2026-08-21 13:00,1905000", [], "times of UTC, values in rial", [1905000]],
  [
    "the calendar of a header",
    "تاریخ (شمسی),قیمت\n05/05/30,1905000",
    ["--day-at", "16:30"],
    "Jalali dates at 16:30 Asia/Tehran, values in rial",
    [1905000],
  ],
  [
    "the price of a dollar in dollars",
    table("price_usd", "1905000"),
    [],
    'values in US dollars, as column "price_usd" says',
    [1905000],
  ],
];
for (const [what, file, args, reading, values] of unitCases) {
  test(`units: ${what}: told, and followed`, async (t) => {
    const { code, notes, stored } = await importOne(t, file, ["--code", "USD_RLS", ...args]);
    assert.deepEqual(
      [code, notes[0]?.endsWith(reading) ? reading : notes[0], stored.map((one) => Number(one.split(" ")[1]))],
      [0, reading, values],
    );
  });
}

test("units: each column of a wide table has its own, also as objects", async (t) => {
  const csv = `businessTime,USD_RLS (toman),"EUR_RLS (ریال)",BTC_USD ($)\n${T},190500,2224000,"$61,234.5"\n`;
  const json = JSON.stringify([
    { businessTime: T, "USD_RLS (toman)": 190500, "EUR_RLS (ریال)": "2,224,000", "BTC_USD ($)": 61234.5 },
  ]);
  for (const file of [csv, json]) {
    const { code, stored } = await importOne(t, file, ["--wide"]);
    assert.deepEqual(
      [code, stored.map((one) => one.split(" ").slice(0, 2).join(" "))],
      [0, ["USD_RLS 1905000", "EUR_RLS 2224000", "BTC_USD 61234.5"]],
    );
  }
});

test("units: rows of another quote unit are refused, the others are imported: 65", async (t) => {
  const csv = `${HEADER},unit\nUSD_RLS,${T},190500,toman\nBTC_USD,${T},61234.5,toman\nBTC_USD,${T},61234.5,USD\nEUR_RLS,${T},2,USD\n`;
  const { code, notes, stored } = await importOne(t, csv);
  assert.deepEqual(
    [code, notes.slice(1)],
    [65, [':3: value is in toman: received "BTC_USD"', ':5: value is in US dollars: received "EUR_RLS"']],
  );
  assert.deepEqual(stored, ["USD_RLS 1905000 2026-08-21T13:00:00.000Z", "BTC_USD 61234.5 2026-08-21T13:00:00.000Z"]);
});

test("units: --unit is about codes that end in _RLS, which is told; those in dollars beside them are taken as they are", async (t) => {
  const { code, notes, stored } = await importOne(t, `${HEADER}\nUSD_RLS,${T},190500\nBTC_USD,${T},61234.5\n`, [
    "--unit",
    "toman",
  ]);
  assert.deepEqual(
    [code, notes[0]?.split(", ").slice(-2).join(", ")],
    [0, `values in toman for codes that end in _RLS, ${TOMAN}`],
  );
  assert.deepEqual(stored, ["USD_RLS 1905000 2026-08-21T13:00:00.000Z", "BTC_USD 61234.5 2026-08-21T13:00:00.000Z"]);
});

const MANY = Array.from(
  { length: 300 },
  (_, at) => `2026-08-${1 + (at % 20)}T${10 + Math.floor(at / 30)}:${String(at % 30).padStart(2, "0")}:00Z,190500`,
);
test("units: a footer that many rows below says another unit is asked about, and nothing is stored", async (t) => {
  const file = ["businessTime,value", ...MANY, "قیمت‌ها به تومان است"].join("\n");
  const { code, notes, ready, stored } = await importOne(t, file, ["--code", "USD_RLS"]);
  assert.deepEqual(
    [code, notes.at(-1), ready, stored],
    [65, 'line 302 says "قیمت‌ها به تومان است"', "--unit toman", []],
  );
});

test("units: values of an index are points, in the summary and in the line that says how they are read", async (t) => {
  const { code, notes } = await importOne(t, `${HEADER}\nشاخص کل,${T},4500000\n`);
  assert.deepEqual([code, notes[0]?.split(", ").at(-1)], [0, "values in points"]);
});

const contradictions: readonly (readonly [what: string, file: string, args: readonly string[], reason: string])[] = [
  [
    "header and --unit",
    table("price_toman", "190500"),
    ["--unit", "rial"],
    'column "price_toman" says toman, and rial was given',
  ],
  [
    "title and header",
    `ارقام به ریال\n${table("قیمت (تومان)", "190500")}`,
    [],
    'column "قیمت (تومان)" says toman, and title "ارقام به ریال" rial',
  ],
  [
    "header and cells",
    table("قیمت (تومان)", "190500", "1905000 ریال"),
    [],
    'line 3: value "1905000 ریال" is in rial and in toman, as the file says both',
  ],
  [
    "header and unit column",
    table("price_toman,unit", "190500,rial"),
    [],
    'line 2: value "190500" is in rial and in toman, as the file says both',
  ],
  [
    "--unit and a footer",
    [`${table("value", "190500")}`, "قیمت‌ها به هزار تومان است"].join("\n"),
    ["--unit", "toman"],
    'title "قیمت‌ها به هزار تومان است" says thousand toman, and toman was given',
  ],
  [
    "--unit and the last cell of many",
    ["businessTime,value", ...MANY, `${T},1905000 rial`].join("\n"),
    ["--unit", "toman"],
    'line 302: value "1905000 rial" is in rial and in toman, as the file says both',
  ],
];
for (const [what, file, args, reason] of contradictions) {
  test(`units: ${what} contradict each other: nothing is stored: 65`, async (t) => {
    for (const yes of [[], ["--yes"]]) {
      const { code, notes, ready, stored } = await importOne(t, file, ["--code", "USD_RLS", ...args, ...yes]);
      assert.deepEqual([code, notes.at(-1), ready, stored], [65, `not imported: ${reason}`, undefined, []]);
    }
  });
}
