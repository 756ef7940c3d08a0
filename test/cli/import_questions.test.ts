// What an import asks before it stores anything: a first import, doubts of the rule for levels, two values of one time, hidden corrections.
import assert from "node:assert/strict";
import { readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { makeStore, temporaryDirectory } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";

const HEADER = "code,value,businessTime\n";
const DAY_MS = 86_400_000;
const START = Date.parse("2026-01-01T13:00:00Z");
const NOW = "2026-11-21T10:00:00Z";

/** A dollar a day from the start on, near 1,500,000 rial. */
function dollars(count: number, { first = 0, factor = 1, code = "USD_RLS" } = {}): string {
  const lines = Array.from({ length: count }, (_, i) => {
    return `${code},${(1_500_000 + (first + i) * 1_000) * factor},${new Date(START + (first + i) * DAY_MS).toISOString()}\n`;
  });
  return lines.join("");
}

/** A store with these records, and files beside it; imports ask. */
async function workplace(t: TestContext, files: Readonly<Record<string, string>>, stored = "") {
  const directory = await temporaryDirectory(t);
  const data = await makeStore(join(directory, "data"));
  const file = (name: string): string => join(directory, name);
  const all = { ...files, "stored.csv": HEADER + stored };
  for (const [name, text] of Object.entries(all)) await writeFile(file(name), text);
  const options = { asks: true, now: NOW };
  if (stored !== "") await program(["import", file("stored.csv"), "--data", data], { now: NOW });
  const run = (names: readonly string[], ...args: string[]) =>
    program(["import", ...names.map(file), "--data", data, ...args], options);
  const exported = async () => (await program(["export", "--all-statuses", "--data", data])).out;
  /** The lines on standard error, without the folder, and the options that the printed command adds. */
  const linesOf = (err: string) => {
    const lines = err.replaceAll(`${directory}/`, "").trimEnd().split("\n");
    return { lines, added: lines.at(-1)!.split("--data data ")[1] };
  };
  return { data, directory, file, run, exported, linesOf };
}

test("import: rows of two cities at one time are asked about by the column that names the city, and --where reads one", async (t) => {
  const rows = ["Tehran,1500000", "Herat,1510000"].map((row) => `2026-01-01T13:00:00Z,${row}\n`);
  const { run, exported } = await workplace(t, { "a.csv": `time,city,price\n${rows.join("")}` });
  const given = ["--code", "USD_RLS", "--yes"];
  const asked = await run(["a.csv"], ...given);
  assert.equal(asked.code, 65);
  assert.match(asked.err, /its column "city" tells different prices at one time apart: "Tehran", "Herat"$/m);
  assert.match(asked.err, /add --where city=TEXT, where TEXT is that of the rows that are wanted$/m);
  assert.doesNotMatch(asked.err, /last-wins|To import/);
  const wrong = await run(["a.csv"], ...given, "--where", "city=Kabul");
  assert.match(wrong.err, /not imported: no row has "Kabul" in its column "city"$/m);
  const { code, err } = await run(["a.csv"], ...given, "--where", "city= herat");
  assert.equal(code, 0);
  assert.match(err, /1 row that --where leaves out was skipped/);
  assert.match(await exported(), /USD_RLS,1510000,/);
});

test("import: a first import is shown, and needs --yes in a script; one of assets that have prices is not asked about", async (t) => {
  const gold = "GOLD_OUNCE_USD,4400.5,2026-01-01T13:00:00Z\n";
  const { run, exported, linesOf } = await workplace(t, {
    "a.csv": HEADER + dollars(200) + gold,
    "next.csv": HEADER + dollars(3, { first: 200 }),
  });
  const first = await run(["a.csv"]);
  assert.deepEqual(
    [first.code, first.out, await exported()],
    [65, "", "code,value,businessTime,sourceTime,provider,qualityStatus,qualityMessage\n"],
  );
  assert.deepEqual(linesOf(first.err).lines, [
    "Imported for the first time:",
    "                  records  first day   last day    lowest     last       highest",
    "  USD_RLS             200  2026-01-01  2026-07-19  1,500,000  1,699,000  1,699,000  rial",
    "                                                     150,000    169,900    169,900  toman",
    "  GOLD_OUNCE_USD        1  2026-01-01  2026-01-01    4,400.5    4,400.5    4,400.5  US dollars",
    "nothing is stored yet to compare these values with",
    "Nothing was imported.",
    "To import: mazaneh import a.csv --data data --yes",
  ]);
  const json = JSON.parse((await run(["a.csv"], "--json")).out) as {
    firstImported: { code: string }[];
    needs: object[];
    toImport: string[];
  };
  assert.deepEqual(
    [json.firstImported.map(({ code }) => code), json.needs.length, json.toImport.length],
    [["USD_RLS", "GOLD_OUNCE_USD"], 1, 1],
  );
  assert.equal((await run(["a.csv"], "--yes")).code, 0);
  const next = await run(["next.csv"]);
  assert.deepEqual([next.code, next.err], [0, ""]);
});

test("import: on a terminal, a first import and one that changes many values are asked about once: y goes on, nothing else does", async (t) => {
  const { data, file, exported } = await workplace(t, {
    "a.csv": HEADER + dollars(300),
    "b.csv": HEADER + dollars(100, { factor: 1.03 }),
  });
  const ask = (name: string, answer: string) =>
    program(["import", file(name), "--data", data], { asks: true, isTTY: true, input: [answer], now: NOW });
  const changes =
    /The largest changes of existing values:\n( {2}USD_RLS .*\+3\.0%\n){3}100 of 100 existing values change\n/;
  for (const [name, shown] of [
    ["a.csv", /USD_RLS +300 /],
    ["b.csv", changes],
  ] as const) {
    const before = await exported();
    for (const answer of ["n\n", "\n", "", "no idea\n"]) {
      const { code, err } = await ask(name, answer);
      assert.equal(code, 65);
      assert.match(err, shown);
      assert.match(err, /Import this\? \[y\/N\] mazaneh: Nothing was imported\n$/);
    }
    assert.equal(await exported(), before);
    assert.equal((await ask(name, "y\n")).code, 0);
    assert.notEqual(await exported(), before);
  }
});

const lone = dollars(100).replace(",1550000,", ",15500000,");
const reversed = (text: string): string => text.trimEnd().split("\n").reverse().join("\n");
/** What is stored, what is imported, what is told of it, the options of the printed command, and how many records wait then. */
const SUSPICIOUS: readonly (readonly [
  title: string,
  stored: string,
  text: string,
  reason: RegExp,
  added: string,
  pending: number,
])[] = [
  [
    "a whole first file in toman",
    "",
    dollars(200, { factor: 0.1 }),
    /^all 200 values of USD_RLS look like toman: about 150,000 in 2026, about 1,/,
    "--unit toman",
    0,
  ],
  [
    "a whole next file in toman",
    dollars(200),
    dollars(10, { first: 200, factor: 0.1 }),
    /^all 10 values of USD_RLS look like toman: .*, about 1,700,000 expected$/,
    "--unit toman",
    0,
  ],
  [
    "a whole first file in thousand toman",
    "",
    dollars(200, { factor: 0.0001 }),
    /^all 200 values of USD_RLS look 10,000 times too low/,
    "--unit 'thousand toman'",
    0,
  ],
  [
    "toman from a date on",
    "",
    dollars(150) + dollars(150, { first: 150, factor: 0.1 }),
    /^150 of 300 values of USD_RLS look like toman/,
    "--doubtful pending",
    150,
  ],
  [
    "toman, the newest first",
    "",
    reversed(dollars(150) + dollars(150, { first: 150, factor: 0.1 })),
    /^150 of 300 values of USD_RLS look like toman/,
    "--doubtful pending",
    150,
  ],
  [
    "toman where a part is stored in rial",
    dollars(100),
    dollars(100) + dollars(100, { first: 100, factor: 0.1 }),
    /look like toman/,
    "--doubtful pending",
    100,
  ],
  [
    "the last value in toman",
    dollars(200),
    dollars(1, { first: 200, factor: 0.1 }),
    /^the value of USD_RLS looks like toman: about 170,000 on 2026-07-20/,
    "--unit toman",
    0,
  ],
  [
    "one row by ten",
    "",
    lone,
    /^1 of 100 values of USD_RLS looks like rial that were multiplied as toman: about 16,000,000 on 2026-02-20/,
    "--doubtful pending",
    1,
  ],
  [
    "a next file in dirham",
    dollars(200),
    dollars(10, { first: 200, factor: 0.272 }),
    /^all 10 values of USD_RLS jump: about 460,000 in 2026, about 1,700,000 expected$/,
    "--doubtful pending",
    10,
  ],
  [
    "a first file in dirham",
    "",
    dollars(200, { factor: 0.272 }),
    /^all 200 values of USD_RLS do not fit its market: about 410,000 in 2026, about 1,/,
    "--doubtful pending",
    200,
  ],
  [
    "a coin in toman",
    "",
    dollars(50, { code: "BTC_RLS", factor: 8_500 }),
    /^all 50 values of BTC_RLS look like toman: about 13,000,000,000 in 2026, about 1/,
    "--unit toman",
    0,
  ],
  [
    "a coin in toman where the dollar is stored",
    dollars(50),
    dollars(50, { code: "DOGE_RLS", factor: 0.009 }),
    /^all 50 values of DOGE_RLS look like toman/,
    "--unit toman",
    0,
  ],
  [
    "toman beside dollars",
    "",
    dollars(50, { factor: 0.1 }) + dollars(50, { code: "BTC_USD", factor: 0.05 }),
    /^all 50 values of USD_RLS look like toman/,
    "--unit toman",
    0,
  ],
  [
    "toman in one of two assets",
    "",
    dollars(50) + dollars(50, { code: "EUR_RLS", factor: 0.117 }),
    /^all 50 values of EUR_RLS look like toman/,
    "--doubtful pending",
    50,
  ],
];
for (const [title, stored, text, reason, added, pending] of SUSPICIOUS) {
  test(`import: ${title} is told, and refused with or without --yes, until the printed command is run`, async (t) => {
    const { run, exported, linesOf } = await workplace(t, { "a.csv": HEADER + text }, stored);
    const before = await exported();
    const refused = await run(["a.csv"], "--yes");
    const { lines, added: options } = linesOf(refused.err);
    assert.deepEqual([refused.code, refused.out, await exported(), options], [65, "", before, added]);
    assert.ok(
      lines.some((line) => reason.test(line)),
      refused.err,
    );
    const words = (added.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ""));
    const done = await run(["a.csv"], "--yes", ...words);
    assert.deepEqual(
      [
        done.code,
        /(\d+) values? waits? for a decision\. To see what waits: mazaneh pending list --data \S+\n/.exec(
          done.err,
        )?.[1] ?? "0",
      ],
      [0, String(pending)],
    );
    const after = await exported();
    assert.equal(after.match(/PENDING,[^\n]* expected/g)?.length ?? 0, pending);
    // What waits, waits on; the rest is there already.
    assert.match((await run(["a.csv"], ...(words[1]?.endsWith("toman") ? words : []))).out, /a\.csv +0 +0 +\d+ +0\n/);
    assert.equal(await exported(), after);
  });
}

test("import: where the file says rial and its values look like toman, the printed command runs, and what it stores waits", async (t) => {
  const rows = (...cells: readonly string[]): string =>
    cells.map((cell, hour) => `USD_RLS,2026-08-21T1${hour}:00:00Z,${cell}\n`).join("");
  const files = {
    "header.csv": `code,businessTime,price (rial)\n${rows("190500", "190600")}`,
    "column.csv": `code,businessTime,value,unit\n${rows("190500,rial")}`,
    "cells.csv": `code,businessTime,value\n${rows("190500 ریال")}`,
  };
  for (const name of Object.keys(files) as (keyof typeof files)[]) {
    const { run, linesOf, exported } = await workplace(t, files);
    const { lines, added } = linesOf((await run([name], "--yes")).err);
    assert.match(
      lines.join("\n"),
      /looks? like toman: .*; the unit that the file says is followed: if it is wrong, correct it there$/m,
    );
    assert.deepEqual([added, (await run([name], "--yes", ...added!.split(" "))).code], ["--doubtful pending", 0]);
    assert.doesNotMatch(await exported(), /ACCEPTED/);
  }
});

test("import: with --doubtful accept, what is in doubt is stored as it is; other words are refused: 64", async (t) => {
  const { run, exported } = await workplace(t, { "a.csv": HEADER + lone });
  assert.equal((await run(["a.csv"], "--yes", "--doubtful", "maybe")).code, 64);
  assert.equal((await run(["a.csv"], "--yes", "--doubtful", "accept")).code, 0);
  assert.match(await exported(), /^USD_RLS,15500000,.*ACCEPTED,$/m);
});

test("import: of an archive with gaps and years apart, other orders and providers, nothing is asked", async (t) => {
  const old =
    "USD_RLS,10300,2009-01-01T12:00:00Z\nUSD_RLS,35000,2016-03-01T12:00:00Z\nUSD_RLS,260000,2021-03-01T12:00:00Z\n";
  const files = {
    "older.csv": old,
    "newest first.csv": reversed(dollars(40, { first: 240 })),
  };
  const { run } = await workplace(
    t,
    Object.fromEntries(Object.entries(files).map(([name, text]) => [name, HEADER + text])),
    dollars(240),
  );
  for (const name of ["older.csv", "newest first.csv"]) {
    const { code, err } = await run([name]);
    assert.deepEqual([name, code, err.replace(/^The largest changes[^]*/, "")], [name, 0, ""]);
  }
});

test("import: standard input is looked through, too, before anything of it is stored, and no copy of it is left", async (t) => {
  const { data, exported } = await workplace(t, {}, dollars(10));
  const before = await exported();
  const input = [HEADER + dollars(200, { first: 10 }) + dollars(20, { first: 210, factor: 0.1 })];
  const copies = async () => (await readdir(tmpdir())).filter((name) => name.startsWith("mazaneh-import-"));
  const had = await copies();
  const { code, err } = await program(["import", "-", "--data", data], { asks: true, now: NOW, input });
  assert.deepEqual([code, await exported(), await copies()], [65, before, had]);
  assert.match(
    err,
    /20 of 220 values of USD_RLS look like toman[^]*To import: mazaneh import - --data \S+ --doubtful pending\n$/,
  );
});

const T = "2026-08-21T16:30:00";
test("import: two values of one asset and time are refused with both places, whatever the order of the files; --last-wins takes the last", async (t) => {
  const [a, b] = [
    `${HEADER}USD_RLS,1905000,${T}Z\n`,
    `${HEADER}EUR_RLS,2200000,${T}Z\nUSD_RLS,1915000,2026-08-21T20:00:00+03:30\n`,
  ];
  const stored = dollars(230) + dollars(230, { code: "EUR_RLS", factor: 1.17 });
  const { run, exported, linesOf } = await workplace(t, { "a.csv": a, "b.csv": b, "same.csv": a }, stored);
  for (const [names, values] of [
    [["a.csv", "b.csv"], "1905000 (a.csv:2) and 1915000 (b.csv:3)"],
    [["b.csv", "a.csv"], "1915000 (b.csv:3) and 1905000 (a.csv:2)"],
  ] as const) {
    const { code, err } = await run(names);
    const { lines, added } = linesOf(err);
    assert.deepEqual(
      [code, lines[0], added],
      [65, `USD_RLS at ${T}.000Z has two values, ${values}; the last one counts with --last-wins`, "--last-wins"],
    );
  }
  assert.equal((await run(["a.csv", "b.csv"], "--last-wins", "--keep-existing")).code, 64);
  assert.equal((await run(["a.csv", "same.csv"], "--yes")).code, 0, "the same value twice is no conflict");
  assert.equal((await run(["b.csv", "a.csv"], "--last-wins", "--yes")).code, 0);
  assert.match(await exported(), /^USD_RLS,1905000,2026-08-21/m);
});

test("import: a file that is named after another asset than --code is asked about; --code gives each file its own", async (t) => {
  const file = (value: number): string => `date,price\n${T}Z,${value}\n`;
  const files = {
    "USD_RLS_2026.csv": file(1_905_000),
    "eur_rls.csv": file(2_200_000),
    "prices.csv": file(1_905_000),
    "NO_RLS.csv": file(1_905_000),
  };
  const { run, exported, linesOf } = await workplace(
    t,
    files,
    dollars(230) + dollars(230, { code: "EUR_RLS", factor: 1.17 }),
  );
  for (const names of [["eur_rls.csv"], ["USD_RLS_2026.csv", "eur_rls.csv"], ["eur_rls.csv", "prices.csv"]]) {
    const { code, err } = await run(names, "--code", "USD_RLS");
    assert.equal(code, 65, err);
    assert.match(
      err,
      /eur_rls\.csv is named after EUR_RLS, although USD_RLS was given; if not, say --names eur_rls=USD_RLS/,
    );
    assert.equal(linesOf(err).added, "--code EUR_RLS");
  }
  assert.equal(
    linesOf((await run(["USD_RLS_2026.csv", "eur_rls.csv"], "--code", "EUR_RLS,USD_RLS")).err).added,
    "--code USD_RLS,EUR_RLS",
  );
  for (const name of ["prices.csv", "NO_RLS.csv"])
    assert.equal((await run([name], "--code", "USD_RLS", "--dry-run")).code, 0, name);
  assert.equal((await run(["USD_RLS_2026.csv", "eur_rls.csv", "prices.csv"], "--code", "USD_RLS,EUR_RLS")).code, 64);
  assert.equal((await run(["USD_RLS_2026.csv", "eur_rls.csv"], "--code", "USD_RLS,EUR_RLS")).code, 0);
  assert.match(
    await exported(),
    /^EUR_RLS,2200000,2026-08-21[^]*^USD_RLS,1905000,2026-08-21|^USD_RLS,1905000,2026-08-21[^]*^EUR_RLS,2200000,2026-08-21/m,
  );
});

test("import: a correction that a later record of its day would hide is told; --replace-days takes the day's others back under its number", async (t) => {
  const day = (times: string, value: number): string => `USD_RLS,${value},2026-08-21T${times}Z\n`;
  const stored =
    dollars(230) +
    day("06:00:00", 1_901_000) +
    day("09:00:00", 1_902_000) +
    day("15:00:00", 1_903_000) +
    day("21:00:00", 1_904_000);
  const files = {
    "a.csv": "date,price\n2026-08-21,1905000\n",
    "b.csv": "date,price\n2026-08-21,1903000\n2026-08-22,1906000\n",
  };
  const { run, exported, linesOf, data } = await workplace(t, files, stored);
  const options = ["--code", "USD_RLS", "--day-at", "16:30"];
  const { code, err } = await run(["a.csv"], ...options);
  assert.equal(code, 65);
  assert.match(
    err,
    /the value of USD_RLS at 2026-08-21T13:00:00\.000Z would not be served, as a later one of its day is stored; --replace-days takes/,
  );
  assert.equal(linesOf(err).added, "--replace-days");
  assert.equal((await run(["a.csv"], ...options, "--keep-existing", "--dry-run")).code, 0);
  assert.equal(
    (await run(["b.csv"], ...options, "--dry-run")).code,
    0,
    "the same value is served, and the other day has no later one",
  );
  const before = await exported();
  assert.equal((await run(["a.csv"], ...options, "--replace-days")).code, 0);
  const after = await exported();
  assert.deepEqual(
    after.match(/2026-08-21T\S*(?=REJECTED,replaced)/g)?.map((line) => line.slice(11, 16)),
    ["06:00", "09:00", "15:00"],
  );
  assert.match(
    after,
    /^USD_RLS,1904000,2026-08-21T21:00:00.000Z,,,ACCEPTED,$/m,
    "at 21:00 in UTC, the next day has begun",
  );
  assert.match((await program(["get", "USD_RLS", "--day", "2026-08-21", "--data", data])).out, /^1,905,000 rial/m);
  await program(["imports", "undo", "2", "--data", data]);
  assert.equal(await exported(), before);
});

test("import: a column that is absent leaves what is stored, and what the page or get gives imports as unchanged", async (t) => {
  const full = `code,value,businessTime,sourceTime,provider,qualityStatus,qualityMessage\nUSD_RLS,1905000,${T}Z,${T}Z,desk,ACCEPTED,checked\nUSD_RLS,1906000,2026-08-22T16:30:00Z,,desk,REJECTED,wrong\n`;
  const plain = `${HEADER}USD_RLS,1905000,${T}Z\nUSD_RLS,1906000,2026-08-22T16:30:00Z\n`;
  const changed = `${HEADER}USD_RLS,1905500,${T}Z\nUSD_RLS,1906500,2026-08-22T16:30:00Z\n`;
  const files = {
    "full.csv": full,
    "plain.csv": plain,
    "changed.csv": changed,
    "blank.csv": `code,value,businessTime,provider\nUSD_RLS,1905500,${T}Z,\n`,
  };
  const { run, exported } = await workplace(t, files, dollars(230));
  const kept = async () => (await exported()).match(/^USD_RLS,190.*$/gm);
  await run(["full.csv"]);
  assert.match((await run(["plain.csv"])).out, /plain\.csv +0 +0 +2 +0\n/);
  assert.deepEqual(await kept(), [
    `USD_RLS,1905000,${T}.000Z,${T}.000Z,desk,ACCEPTED,checked`,
    "USD_RLS,1906000,2026-08-22T16:30:00.000Z,,desk,REJECTED,wrong",
  ]);
  await run(["changed.csv"], "--yes");
  assert.deepEqual(await kept(), [
    `USD_RLS,1905500,${T}.000Z,${T}.000Z,desk,ACCEPTED,`,
    "USD_RLS,1906500,2026-08-22T16:30:00.000Z,,desk,ACCEPTED,",
  ]);
  await run(["blank.csv"]);
  assert.equal((await kept())?.[0], `USD_RLS,1905500,${T}.000Z,${T}.000Z,,ACCEPTED,`);
});

test("import --dry-run: counts what waits, also beside an accepted value, as the import does", async (t) => {
  const pending = `code,value,businessTime,qualityStatus\nUSD_RLS,1600000,${new Date(START).toISOString()},PENDING\nUSD_RLS,1905000,${T}Z,PENDING\n`;
  const { run } = await workplace(t, { "a.csv": pending }, dollars(5));
  for (const options of [["--dry-run"], []])
    assert.match((await run(["a.csv"], ...options)).out, /unchanged +refused\n\S*a\.csv +2 +0 +0 +0\n/);
});

test("import --dry-run: tells of a store that is not there yet what a new one would get, and makes none", async (t) => {
  const { directory, file } = await workplace(t, { "a.csv": HEADER + dollars(5) });
  const run = (...args: string[]) =>
    program(["import", file("a.csv"), "--dry-run", "--data", join(directory, "none"), ...args], {
      asks: true,
      now: NOW,
    });
  const { code, out, err } = await run("--yes", "--init");
  assert.deepEqual([code, err.split("\n")[0]], [0, "There is no store yet; a new one would get this:"]);
  assert.match(err, /To import: mazaneh import \S+ --yes --data \S+ --init\n$/);
  assert.match(out, /a\.csv +5 +0 +0 +0\nNothing was written: this was a dry run\.\n$/);
  const asked = await run();
  assert.deepEqual([asked.code, (await readdir(directory)).includes("none")], [65, false]);
  assert.match(asked.err, /To import: mazaneh import \S+ --data \S+ --yes --init\n$/);
});
