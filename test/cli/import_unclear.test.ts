// What can be read in two ways is refused, with a sentence that names the option which decides.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryDirectory } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";
import { importOne } from "../support/run_import.ts";

const HEADER = "code,value,businessTime\n";
const T = "2026-08-21T16:30:00Z";
const TWO_WAYS = "can be read in two ways";
const ADD_ZONE = "add --zone ZONE, where ZONE is a time zone such as UTC";

const unclear: readonly (readonly [
  what: string,
  file: string | Uint8Array,
  args: readonly string[],
  reasons: readonly string[],
  ready: string | undefined,
])[] = [
  ["dates without an hour", `${HEADER}USD_RLS,1,2026-08-21\n`, [], ['"2026-08-21" has no hour'], "--day-at 16:30"],
  [
    "times without a zone",
    `${HEADER}USD_RLS,1,2026-08-21 16:30\n`,
    [],
    ['"2026-08-21 16:30" names no zone'],
    "--zone Asia/Tehran",
  ],
  [
    "times of an asset abroad without a zone",
    `${HEADER}BTC_USD,61234.5,2026-08-21 16:30\n`,
    [],
    ['"2026-08-21 16:30" names no zone: it may be UTC or Asia/Tehran', ADD_ZONE],
    undefined,
  ],
  [
    "times of nights and a Friday without a zone",
    `${HEADER}USD_RLS,1,2026-08-19 03:00\nUSD_RLS,1,2026-08-21 16:30\nUSD_RLS,1,2026-08-28 16:30\n`,
    [],
    ['"2026-08-19 03:00" names no zone: it may be UTC or Asia/Tehran', ADD_ZONE],
    undefined,
  ],
  [
    "days in words without a year",
    "date,code,price\n30 مرداد,USD_RLS,1\n31 مرداد,USD_RLS,1\n",
    [],
    ['"30 مرداد" has no year', "add --year YEAR, where YEAR is the year of its days"],
    undefined,
  ],
  [
    "years of two digits",
    `${HEADER}USD_RLS,1,05/05/30\nUSD_RLS,1,05/05/31\n`,
    [],
    [
      '"05/05/30" has a year of two digits: 2026-08-21 (jalali) or 2005-05-30 (ymd) or 2030-05-05 (dmy) or 2030-05-05 (mdy)',
      '"05/05/30" has no hour',
    ],
    "--calendar jalali --day-at 16:30",
  ],
  [
    "day or month first",
    `${HEADER}USD_RLS,1,01/02/2024\n`,
    ["--day-at", "16:30"],
    [`"01/02/2024" ${TWO_WAYS}: 2024-02-01 (dmy) or 2024-01-02 (mdy)`],
    "--date-order dmy",
  ],
  [
    "one comma",
    `${HEADER}USD_RLS,"1,234",${T}\n`,
    [],
    [`value "1,234" ${TWO_WAYS}: as 1234 or as 1.234`],
    "--decimal .",
  ],
  [
    "one point where Excel writes commas",
    `code;value;businessTime\nUSD_RLS;1.234;${T}\n`,
    [],
    [`value "1.234" ${TWO_WAYS}: as 1.234 or as 1234`],
    "--decimal ,",
  ],
  [
    "points between thousands, perhaps",
    `${HEADER}BTC_USD,61234.5,${T}\nUSD_RLS,190.500,${T}\n`,
    [],
    [`value "190.500" ${TWO_WAYS}: as 190.500 or as 190500`],
    "--decimal ,",
  ],
  [
    "points beside Persian digits",
    `${HEADER}USD_RLS,۱۹۰.۵۰۰,${T}\n`,
    [],
    [`value "۱۹۰.۵۰۰" ${TWO_WAYS}: as 190.500 or as 190500`],
    "--decimal ,",
  ],
  [
    "another zone than a header says",
    "time_utc,code,price\n2026-08-21 13:00,USD_RLS,1\n",
    ["--zone", "Asia/Tehran"],
    ['column "time_utc" says UTC, and Asia/Tehran was given'],
    "--zone UTC",
  ],
  [
    "another calendar than a header says",
    "تاریخ شمسی,code,price\n2026-08-21,USD_RLS,1\n",
    ["--day-at", "16:30"],
    ['column "تاریخ شمسی" says jalali, and "2026-08-21" is gregorian'],
    "--calendar gregorian",
  ],
  [
    "points in texts of JSON",
    `[{"code":"USD_RLS","value":"190.500","businessTime":"${T}"}]`,
    [],
    [`value "190.500" ${TWO_WAYS}: as 190.500 or as 190500`],
    "--decimal ,",
  ],
  [
    "no code column",
    `value,businessTime\n1,${T}\n`,
    [],
    ['its header lacks code: it is "value,businessTime"', "add --code CODE, where CODE is the asset's code"],
    undefined,
  ],
  [
    "one candle",
    `code,start,open,high,low,close\nUSD_RLS,${T},1,2,1,2\n`,
    [],
    ["one candle of an asset does not tell how long it is"],
    "--interval 1d",
  ],
  [
    "a column that is named by an asset",
    `date,USD_RLS\n2026-08-21,1\n`,
    [],
    ['its only column of values is named by an asset: its header is "date,USD_RLS"', '"2026-08-21" has no hour'],
    "--wide --day-at 16:30",
  ],
  [
    "two columns for one",
    `symbol,price,date,timestamp\nUSD_RLS,1,${T},${T}\n`,
    [],
    ['its columns "date" and "timestamp" could each be businessTime'],
    "--map businessTime=date",
  ],
  [
    "buy and sell",
    `code,خرید,فروش,businessTime\nUSD_RLS,1,2,${T}\n`,
    [],
    ['its header lacks value: it is "code,خرید,فروش,businessTime"'],
    "--map value=فروش",
  ],
  [
    "columns of other names",
    `Nr;Tag;Kurs\n1;21.08.2026;1905000\n2;22.08.2026;1.5\n`,
    ["--code", "USD_RLS", "--day-at", "16:30"],
    ['its header lacks value: it is "Nr,Tag,Kurs"', 'its header lacks businessTime: it is "Nr,Tag,Kurs"'],
    "--map value=Kurs --map businessTime=Tag",
  ],
  [
    "a wide table of no asset",
    `date,price\n${T},1\n`,
    ["--wide"],
    [
      'no column of its header is an asset: it is "date,price"',
      "add --map CODE=NAME, where CODE is the asset's code and NAME is the column's name or number",
    ],
    undefined,
  ],
  [
    "a wide table with an asset twice",
    `date,USD_RLS,usd_rls\n${T},1,2\n`,
    ["--wide"],
    ["its header has two columns of USD_RLS"],
    "--map USD_RLS=USD_RLS",
  ],
  [
    "all of it at once",
    `نرخ‌ها;\nتاریخ;آخرین قیمت;فروش\n01/02/2026;x;1.905\n`,
    [],
    [
      'its header lacks code: it is "تاریخ,آخرین قیمت,فروش"',
      'its header lacks value: it is "تاریخ,آخرین قیمت,فروش"',
      `value "1.905" ${TWO_WAYS}: as 1.905 or as 1905`,
      `"01/02/2026" ${TWO_WAYS}: 2026-02-01 (dmy) or 2026-01-02 (mdy)`,
      '"01/02/2026" has no hour',
      "add --code CODE --map value=فروش --decimal , --date-order dmy --day-at 16:30, where CODE is the asset's code",
    ],
    undefined,
  ],
];
for (const [what, file, args, reasons, ready] of unclear) {
  test(`import: ${what}: all that is open is asked, with the command line that answers it, and nothing is stored: 65`, async (t) => {
    const imported = await importOne(t, file, args);
    assert.deepEqual(imported, {
      code: 65,
      notes: reasons,
      ready,
      counts: ["0", "0", "0", "0", "not imported"],
      stored: [],
    });
  });
}

/** 300 rows that tell nothing, more than those that decide on the format, and a last one. */
const MANY = Array.from(
  { length: 300 },
  (_, at) => `USD_RLS,990,2026-08-${String(1 + (at % 28)).padStart(2, "0")}T16:30:00Z\n`,
).join("");
const late: readonly (readonly [what: string, rows: readonly string[], reason: string, ready: string | undefined])[] = [
  [
    "a comma between thousands, perhaps",
    [`"1,234",${T}`],
    `value "1,234" ${TWO_WAYS}: as 1234 or as 1.234`,
    "--decimal .",
  ],
  [
    "a point between thousands, perhaps",
    [`1.234,${T}`],
    `value "1.234" ${TWO_WAYS}: as 1.234 or as 1234`,
    "--decimal ,",
  ],
  [
    "a slash between thousands, perhaps",
    [`190/500,${T}`],
    `value "190/500" ${TWO_WAYS}: as 190.500 or as 190500`,
    "--decimal .",
  ],
  [
    "slashes between thousands, and one",
    [`998/500,${T}`, `1/905/000,${T}`],
    `value "998/500" ${TWO_WAYS}: as 998.500 or as 998500`,
    "--decimal .",
  ],
  [
    "two points",
    [`1.905.000,${T}`],
    'value "1.905.000" is written as where a comma marks the fraction, unlike those before it',
    "--decimal ,",
  ],
  [
    "two points, and one",
    [`998.500,${T}`, `1.905.000,${T}`],
    `value "998.500" ${TWO_WAYS}: as 998.500 or as 998500`,
    "--decimal ,",
  ],
  [
    "a point, and a fraction of the same asset",
    [`998.500,${T}`, "998.25,2026-08-22T16:30:00Z"],
    `value "998.500" ${TWO_WAYS}: as 998.500 or as 998500`,
    "--decimal .",
  ],
  ["a date without an hour", ["1,2026-08-21"], '"2026-08-21" has no hour', "--day-at 16:30"],
  ["a year of two digits", ["1,21/08/26"], '"21/08/26" has a year of two digits', "--date-order dmy"],
];
for (const [what, rows, reason, ready] of late) {
  test(`import: ${what}, in the last rows of many: nothing is stored, also with --yes: 65`, async (t) => {
    for (const yes of [[], ["--yes"]]) {
      const imported = await importOne(t, `${HEADER}${MANY}${rows.map((row) => `USD_RLS,${row}`).join("\n")}`, yes);
      assert.deepEqual(imported, {
        code: 65,
        notes: [reason],
        ready,
        counts: ["0", "0", "0", "0", "not imported"],
        stored: [],
      });
    }
  });
}

test("import: files that want the same are told in one line, and those that want nothing are imported", async (t) => {
  const directory = await temporaryDirectory(t);
  const files = {
    "my file.csv": "1,2026-08-21",
    "b.csv": "2,2026-08-22T16:30:00Z",
    "c.csv": "3,2026-08-23",
    "d.csv": `"1,234",${T}`,
  };
  for (const [name, row] of Object.entries(files)) await writeFile(join(directory, name), `${HEADER}USD_RLS,${row}\n`);
  const names = Object.keys(files).map((name) => join(directory, name));
  const data = join(directory, "data");
  const { code, err } = await program(["import", "--init", "--data", data, ...names, "--unit", "rial"], {
    now: "2026-11-21T10:00:00Z",
  });
  const tail = `--yes --doubtful accept --unit rial --init --data ${data}`;
  assert.deepEqual(
    [code, err.split("\n").filter((line) => line.startsWith("To import"))],
    [
      65,
      [
        `To import: mazaneh import '${names[0]!}' ${names[2]!} ${tail} --day-at 16:30`,
        `To import: mazaneh import ${names[3]!} ${tail} --decimal .`,
      ],
    ],
  );
  const json = await program(["import", "--json", "--data", data, names[3]!]);
  const [file] = json.json()["files"] as unknown as readonly { readonly needs: unknown }[];
  assert.deepEqual(file?.needs, [{ option: "--decimal .", reason: `value "1,234" ${TWO_WAYS}: as 1234 or as 1.234` }]);
  assert.deepEqual(json.json()["toImport"], [
    `mazaneh import ${names[3]!} --yes --doubtful accept --data ${data} --decimal .`,
  ]);
});

const unreadable: readonly (readonly [what: string, file: string, args: readonly string[], failure: string])[] = [
  [
    "day and month first",
    `${HEADER}USD_RLS,1,13/02/2024\nUSD_RLS,1,02/13/2024\n`,
    [],
    'its dates have day and month in different orders, e.g. "13/02/2024": write them alike',
  ],
  [
    "the month first, after many days that were first",
    `${HEADER}${"USD_RLS,1,13/02/2024 16:30Z\n".repeat(300)}USD_RLS,1,02/13/2024 16:30Z\n`,
    [],
    'line 302: "02/13/2024 16:30Z" is no day of the Gregorian calendar',
  ],
  [
    "days that a spreadsheet has taken for months",
    `${HEADER}USD_RLS,1,2026-01-12\nUSD_RLS,1,13/12/2026\n`,
    [],
    'a spreadsheet has perhaps taken days for months in "2026-01-12", unlike in "13/12/2026": import the file that it has opened',
  ],
  [
    "a name that is not there",
    `${HEADER}USD_RLS,1,${T}\n`,
    ["--map", "value=close"],
    'its header has no "close": it is "code,value,businessTime"',
  ],
  [
    "--code and a code column",
    `${HEADER}USD_RLS,1,${T}\n`,
    ["--code", "EUR_RLS"],
    "its header has code, and EUR_RLS was given for all rows",
  ],
  [
    "two tables side by side",
    `date,price,date,price\n${T},1,${T},2\n`,
    ["--code", "USD_RLS"],
    'its header has "date" twice',
  ],
  [
    "two decimal marks",
    `${HEADER}USD_RLS,"1,234.5",${T}\nUSD_RLS,"1.234,5",${T}\n`,
    [],
    'its values "1,234.5" and "1.234,5" have different decimal marks: write them alike',
  ],
  [
    "binary data",
    Buffer.from([0, 0xff, 0xfe, 0xfd, 0x0a]).toString("latin1"),
    [],
    'it is not UTF-8 text; spreadsheets save it as "CSV UTF-8"',
  ],
];
for (const [what, file, args, failure] of unreadable) {
  test(`import: ${what}: the file is refused, nothing is stored: 65`, async (t) => {
    const { code, notes, ready, counts } = await importOne(t, file, args);
    assert.deepEqual(
      [code, notes.slice(-1), ready, counts],
      [65, [`not imported: ${failure}`], undefined, ["0", "0", "0", "0", "not imported"]],
    );
  });
}

const decided: readonly (readonly [
  what: string,
  file: string | Uint8Array,
  args: readonly string[],
  stored: string,
])[] = [
  ["--decimal ,", `${HEADER}USD_RLS,"1,234",${T}\n`, ["--decimal", ","], "USD_RLS 1.234 2026-08-21T16:30:00.000Z"],
  ["--decimal .", `${HEADER}USD_RLS,"1,234",${T}\n`, ["--decimal", "."], "USD_RLS 1234 2026-08-21T16:30:00.000Z"],
  [
    "--date-order dmy",
    `${HEADER}USD_RLS,1,01/02/2024\n`,
    ["--date-order", "dmy", "--day-at", "0:00", "--zone", "UTC"],
    "USD_RLS 1 2024-02-01T00:00:00.000Z",
  ],
  [
    "--date-order mdy",
    `${HEADER}USD_RLS,1,01/02/2024\n`,
    ["--date-order", "mdy", "--day-at", "0:00", "--zone", "UTC"],
    "USD_RLS 1 2024-01-02T00:00:00.000Z",
  ],
  [
    "other days of the file",
    `${HEADER}USD_RLS,1,01/02/2024\nUSD_RLS,1,02/13/2024\n`,
    ["--day-at", "0:00", "--zone", "UTC"],
    "USD_RLS 1 2024-01-02T00:00:00.000Z",
  ],
  [
    "a day far below in the file",
    `${HEADER}${"USD_RLS,1,01/02/2024\n".repeat(300)}USD_RLS,1,02/13/2024\n`,
    ["--day-at", "0:00", "--zone", "UTC"],
    "USD_RLS 1 2024-01-02T00:00:00.000Z",
  ],
  [
    "other values of the file",
    `code;value;businessTime\nUSD_RLS;1.234;${T}\nUSD_RLS;1,5;2026-08-22T16:30:00Z\n`,
    ["--yes"],
    "USD_RLS 1234 2026-08-21T16:30:00.000Z",
  ],
  ["a comma beside Persian digits", `${HEADER}USD_RLS,"۱۹۰,۵۰۰",${T}\n`, [], "USD_RLS 190500 2026-08-21T16:30:00.000Z"],
  ["the Persian slash", `${HEADER}USD_RLS,83125/4,${T}\n`, [], "USD_RLS 83125.4 2026-08-21T16:30:00.000Z"],
  [
    "blanks and apostrophes between thousands",
    `${HEADER}USD_RLS,1'905\u00a0000,${T}\n`,
    [],
    "USD_RLS 1905000 2026-08-21T16:30:00.000Z",
  ],
  [
    "a text that is a formula",
    `${HEADER}USD_RLS,"=""1905000""",${T}\n`,
    [],
    "USD_RLS 1905000 2026-08-21T16:30:00.000Z",
  ],
  [
    "a fraction of another value in rial",
    `${HEADER}USD_RLS,190.500,${T}\nUSD_RLS,190.25,2026-08-22T16:30:00Z\n`,
    [],
    "USD_RLS 190.5 2026-08-21T16:30:00.000Z",
  ],
  [
    "a point in US dollars",
    `${HEADER}SILVER_OUNCE_USD,23.848,${T}\n`,
    [],
    "SILVER_OUNCE_USD 23.848 2026-08-21T16:30:00.000Z",
  ],
  [
    "--decimal , beside Persian digits",
    `${HEADER}USD_RLS,"۱۹۰,۵۰۰",${T}\n`,
    ["--decimal", ","],
    "USD_RLS 190.5 2026-08-21T16:30:00.000Z",
  ],
  ["the Arabic comma", `${HEADER}USD_RLS,190،500,${T}\n`, [], "USD_RLS 190500 2026-08-21T16:30:00.000Z"],
  [
    "--calendar jalali",
    `${HEADER}USD_RLS,1,1405-05-30T16:30:00+03:30\n`,
    ["--calendar", "jalali"],
    "USD_RLS 1 2026-08-21T13:00:00.000Z",
  ],
  [
    "a year first without dashes",
    `${HEADER}USD_RLS,1,14050530\n`,
    ["--calendar", "jalali", "--day-at", "16:30"],
    "USD_RLS 1 2026-08-21T13:00:00.000Z",
  ],
  [
    "--unit toman, on the decimal text",
    `${HEADER}USD_RLS,100000.07,${T}\n`,
    ["--unit", "toman"],
    "USD_RLS 1000000.7 2026-08-21T16:30:00.000Z",
  ],
  [
    "--map and names with commas",
    `a,"price, last",c\nUSD_RLS,5,${T}\n`,
    ["--map", "code=A,value=price, last,businessTime=c"],
    "USD_RLS 5 2026-08-21T16:30:00.000Z",
  ],
];
for (const [what, file, args, first] of decided) {
  test(`import: ${what} decides`, async (t) => {
    const { code, stored } = await importOne(t, file, args);
    assert.deepEqual([code, stored[0]], [0, first]);
  });
}

const refusedLines: readonly (readonly [what: string, row: string, args: readonly string[], reason: string])[] = [
  ["toman of an asset in US dollars", `BTC_USD,1 toman,${T}`, [], 'value is in toman: received "BTC_USD"'],
  [
    "a number that Excel has rounded",
    `USD_RLS,1.91E+06,${T}`,
    [],
    'value "1.91E+06" was rounded by a spreadsheet: format its column as a number, and save the file again',
  ],
  [
    "another decimal mark",
    `USD_RLS,"1.234,5",${T}`,
    ["--decimal", "."],
    'value "1.234,5" does not fit the decimal mark "."',
  ],
  [
    "groups that are not of three digits",
    `USD_RLS,"12,34,567",${T}`,
    [],
    'value must be a number above zero: received "12,34,567"',
  ],
  ["a number past all numbers", `USD_RLS,1e400,${T}`, [], 'value must be a number above zero: received "1e400"'],
  ["NaN", `USD_RLS,NaN,${T}`, [], 'value must be a number above zero: received "NaN"'],
  ["two signs", `USD_RLS,۱٫۲٫۳,${T}`, [], 'value must be a number above zero: received "۱٫۲٫۳"'],
  [
    "the 30th of Esfand in a year without it",
    "USD_RLS,1,1404/12/30",
    ["--calendar", "jalali", "--day-at", "16:30"],
    'businessTime "1404/12/30" is no day of the Jalali calendar',
  ],
  [
    "a Gregorian date among Jalali ones",
    "USD_RLS,1,2026/08/21",
    ["--calendar", "jalali", "--day-at", "16:30"],
    'businessTime "2026/08/21" is no day of the Jalali calendar',
  ],
  [
    "the hour 24",
    "USD_RLS,1,2026-08-21 24:00",
    ["--zone", "UTC"],
    'businessTime must be ISO 8601 with a zone, e.g. 2026-01-31T12:00:00Z: received "2026-08-21 24:00"',
  ],
];
for (const [what, row, args, reason] of refusedLines) {
  test(`import: ${what}: the line is refused, the others are imported: 65`, async (t) => {
    const good = `USD_RLS,5,${args.includes("jalali") ? "1405-05-30T16:30:00Z" : T}`;
    const others = Array.from({ length: 300 }, () => good);
    const { code, notes, counts } = await importOne(t, [HEADER.trim(), ...others, row, good].join("\n"), args);
    assert.deepEqual([code, notes.at(-1), counts], [65, `:302: ${reason}`, ["1", "0", "300", "1"]]);
  });
}

test("import: with --code, a row of another asset than the first row's is refused: 65", async (t) => {
  const csv = "symbol,price,date\nUSD,1905000,2026-08-20\nEUR,2200000,2026-08-20\nUSD,1910000,2026-08-21\n";
  const { code, notes, stored } = await importOne(t, csv, ["--code", "USD_RLS", "--day-at", "16:30", "--zone", "UTC"]);
  assert.deepEqual(
    [code, notes.slice(1)],
    [
      65,
      [':3: symbol is "EUR" here and "USD" before, and one asset was given for all rows', "ignored columns: symbol"],
    ],
  );
  assert.deepEqual(stored, ["USD_RLS 1905000 2026-08-20T16:30:00.000Z", "USD_RLS 1910000 2026-08-21T16:30:00.000Z"]);
});

test("import: options that cannot be used are refused before anything is read: 64", async () => {
  const wrong: readonly (readonly [readonly string[], string])[] = [
    [["--map", "value"], '--map wants COLUMN=NAME: received "value"'],
    [
      ["--map", "opens=x"],
      '--map has "opens", which is neither a column (code, value, businessTime, sourceTime, provider, qualityStatus, qualityMessage, time, open, high, low, close, end) nor an asset',
    ],
    [["--map", "value=x", "--map", "value=y"], "--map names value twice"],
    [["--code", "BTC"], '--code must be one of the catalog: received "BTC"; it may be BTC_USD or BTC_RLS'],
    [["--code", "BTC_USD", "--unit", "toman"], '--unit toman is for codes that end in _RLS: received "BTC_USD"'],
    [["--names", "x=FOO"], '--names wants NAME=CODE with codes of the catalog: received "x=FOO"'],
    [["--code", "USD_RLS", "--map", "EUR_RLS=x"], "--code is for tables without a column for each asset"],
    [
      ["--unit", "dollar"],
      '--unit is rial or toman or thousand rial or thousand toman or million rial or million toman: received "dollar"',
    ],
    [["--decimal", "x"], '--decimal is . or , or /: received "x"'],
    [["--calendar", "hijri"], '--calendar is gregorian or jalali: received "hijri"'],
    [["--date-order", "ydm"], '--date-order is dmy or mdy or ymd: received "ydm"'],
    [["--interval", "1x"], '--interval is a width such as 15m, 1h, 1d or 1w: received "1x"'],
    [["--day-at", "25:00"], '--day-at is a time such as 16:30: received "25:00"'],
    [["--zone", "Tehran"], '--zone is the name of a time zone such as Asia/Tehran: received "Tehran"'],
  ];
  for (const [args, message] of wrong) {
    const { code, err } = await program(["import", "--data", "/nowhere/at/all", "x.csv", ...args]);
    assert.deepEqual([code, err], [64, `mazaneh: ${message}\n`]);
  }
});
