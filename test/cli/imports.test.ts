import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { formatChange } from "../../adapters/cli/describe_value_changes.ts";
import { makeStore, mazaneh, serving, startMazaneh, temporaryDirectory } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";

const HEADER = "code,value,businessTime,provider\n";
const DAY_MS = 86_400_000;
const START = Date.parse("2015-01-01T16:30:00Z");

/** A record a day from the start on, near 1,000,000 rial. */
function days(count: number, { factor = 1, first = 0, provider = "" } = {}): string {
  const lines = Array.from({ length: count }, (_, i) => {
    return `USD_RLS,${(1_000_000 + (first + i) * 100) * factor},${new Date(START + (first + i) * DAY_MS).toISOString()},${provider}\n`;
  });
  return lines.join("");
}

/** A store, and files beside it. */
async function filled(t: TestContext, files: Readonly<Record<string, string>>) {
  const directory = await temporaryDirectory(t);
  const data = await makeStore(join(directory, "data"));
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), HEADER + text);
  const file = (name: string): string => join(directory, name);
  const run = (...args: string[]) => program([...args, "--data", data]);
  const exported = async (): Promise<string> => (await run("export", "--all-statuses")).out;
  const listed = async () =>
    (JSON.parse((await run("imports", "list", "--json")).out) as { imports: readonly Record<string, unknown>[] })
      .imports;
  return { data, file, run, exported, listed };
}

test("imports: an import by mistake is listed with what it did, and undone to the byte in export; the second time there is nothing to do", async (t) => {
  const mistake = `${days(2, { first: 10, factor: 1.02, provider: "desk" })}${days(5, { first: 298 })}NO,1,T,\n`;
  const { run, file, exported, listed } = await filled(t, { "a.csv": days(300), "b.csv": mistake });
  assert.equal((await run("imports", "list")).out, "There are no imports.\n");
  await run("import", file("a.csv"));
  const before = await exported();
  const mistaken = await run("import", file("b.csv"));
  assert.match(
    mistaken.out,
    /b\.csv +3 +2 +2 +1\nThis is import 2\. To take it back: mazaneh imports undo 2 --data \S+\n$/,
  );
  const [second, first] = await listed();
  const { time, largestChange, ...rest } = second!;
  assert.equal(Number.isNaN(Date.parse(String(time))), false);
  assert.deepEqual(rest, {
    id: 2,
    type: "import",
    state: "done",
    subjects: [file("b.csv")],
    providers: ["desk"],
    accepted: 3,
    replaced: 2,
    unchanged: 2,
    kept: 0,
    refused: 1,
    undone: null,
  });
  assert.deepEqual(largestChange, {
    code: "USD_RLS",
    businessTime: new Date(START + 10 * DAY_MS).toISOString(),
    from: 1_001_000,
    to: 1_021_020,
  });
  assert.deepEqual([first?.["id"], first?.["accepted"]], [1, 300]);
  const { out } = await run("imports", "list");
  assert.match(
    out,
    /^import +when +of +provider +accepted +replaced +unchanged +refused +largest change\n2 +\S+Z +\S+b\.csv +desk +3 +2 +2 +1 +USD_RLS \+2\.0%\n1 /,
  );

  const undone = await run("imports", "undo", "2");
  assert.deepEqual(
    [undone.code, undone.out],
    [0, `Import 2 (${file("b.csv")}) is undone: 2 records are as they were before, and 3 that were new are removed.\n`],
  );
  assert.equal(await exported(), before);
  assert.equal((await run("imports", "undo", "2")).out, `Import 2 (${file("b.csv")}): there is nothing to undo.\n`);
  assert.equal((await listed())[0]?.["state"], "undone");
});

test("import and withdraw: the hint how to take it back names the store, quoted for a shell, and the config file", async (t) => {
  const directory = await temporaryDirectory(t);
  const data = await makeStore(join(directory, "ali's data"));
  const [prices, config] = [join(directory, "a.csv"), join(directory, "no assets.json")];
  await Promise.all([writeFile(prices, HEADER + days(3)), writeFile(config, "{}")]);
  const quoted = `--data '${data.replace("'", "'\\''")}'`;
  const undo = /To take it back: mazaneh imports undo \d+(.*)\n$/;
  const hintOf = async (args: readonly string[], env = {}): Promise<string | undefined> =>
    undo.exec((await program(args, { env })).out)?.[1];
  assert.equal(await hintOf(["import", prices, "--data", data]), ` ${quoted}`);
  const withdraw = ["withdraw", "--code", "USD_RLS", "--to", "2015-02-01", "--from"];
  assert.equal(await hintOf([...withdraw, "2015-01-03"], { MAZANEH_DATA: data }), ` ${quoted}`);
  assert.equal(
    await hintOf([...withdraw, "2015-01-01", "--data", data], { MAZANEH_CONFIG: config }),
    ` ${quoted} --config '${config}'`,
  );
});

test("imports undo: leaves what a later import has replaced, and says so", async (t) => {
  const { run, file } = await filled(t, {
    "a.csv": days(300),
    "b.csv": days(3, { factor: 1.01 }),
    "c.csv": days(1, { factor: 1.02 }),
  });
  for (const name of ["a.csv", "b.csv", "c.csv"]) await run("import", file(name));
  const { code, out } = await run("imports", "undo", "2");
  assert.deepEqual(
    [code, out],
    [
      0,
      `Import 2 (${file("b.csv")}) is partly undone: 2 records are as they were before.\n1 record was left, as something newer has replaced or removed it since. Where newer imports did, undo those first, then ask again.\n`,
    ],
  );
  const json = JSON.parse((await run("imports", "undo", "1", "--json")).out) as object;
  assert.deepEqual(json, { id: 1, restored: 0, removed: 299, replacedSince: 1, unknown: 0 });
});

test("imports undo: an import is listed as undone only when nothing of it can come back", async (t) => {
  const { run, file, exported, listed } = await filled(t, {
    "a.csv": days(300),
    "b.csv": days(2, { factor: 1.01 }) + days(1, { first: 300 }),
    "c.csv": days(2, { factor: 1.02 }),
  });
  await run("import", file("a.csv"));
  const before = await exported();
  for (const name of ["b.csv", "c.csv"]) await run("import", file(name));
  const states = async (): Promise<unknown[]> => (await listed()).map(({ state }) => state);
  const { out } = await run("imports", "undo", "2");
  assert.match(
    out,
    /is partly undone: 1 that was new is removed\.\n2 records were left, as something newer .* undo those first, then ask again\.\n$/,
  );
  assert.deepEqual(await states(), ["done", "partly undone", "done"]);
  assert.match((await run("imports", "undo", "2")).out, /: nothing was undone\.\n2 records were left/);
  await run("imports", "undo", "3");
  assert.deepEqual(await states(), ["undone", "partly undone", "done"]);
  assert.match((await run("imports", "undo", "2")).out, /is undone: 2 records are as they were before\.\n$/);
  assert.deepEqual(await states(), ["undone", "undone", "done"]);
  assert.equal(await exported(), before);
});

test("imports undo: wrong numbers are refused: 64", async (t) => {
  const { run } = await filled(t, {});
  for (const id of ["7", "0", "x", "1e3", "-1", "99999999999"])
    assert.equal((await run("imports", "undo", "--", id)).code, 64, id);
});

test("import --dry-run: says all that the import would say, and writes nothing", async (t) => {
  const parts = [days(1, { factor: 1.1 }), days(4, { first: 198 }), days(1, { first: 201, factor: 1.2 }), "NO,1,T,\n"];
  const mixed = parts.join("");
  const { run, file, exported, listed } = await filled(t, { "a.csv": days(200), "b.csv": mixed });
  await run("import", file("a.csv"));
  const before = await exported();
  const dry = await run("import", "--last-wins", "--dry-run", file("b.csv"));
  assert.equal(await exported(), before);
  assert.equal((await listed()).length, 1);
  const real = await run("import", "--last-wins", file("b.csv"));
  assert.deepEqual([dry.code, dry.err], [real.code, real.err]);
  assert.equal(
    dry.out.replace("Nothing was written: this was a dry run.\n", ""),
    real.out.replace(/^This is import.*\n/m, ""),
  );
  assert.match(real.out, /b\.csv +2 +2 +2 +1\n/);
  assert.equal(JSON.parse((await run("import", "--dry-run", "--json", file("b.csv"))).out).dryRun, true);
});

test("import --provider names the provider of records that name none; --keep-existing leaves what is there, and counts it", async (t) => {
  const { run, file, exported } = await filled(t, {
    "a.csv": days(1) + days(1, { first: 1, provider: "desk" }),
    "b.csv": days(2, { factor: 1.5 }) + days(1, { first: 2 }),
  });
  await run("import", "--provider", "archive", file("a.csv"));
  assert.deepEqual((await exported()).match(/archive|desk/g), ["archive", "desk"]);
  const before = await exported();
  const kept = await run("import", "--keep-existing", file("b.csv"));
  assert.match(kept.out, /^file +accepted +replaced +unchanged +kept +refused\n\S+b\.csv +1 +0 +0 +2 +0\n/);
  assert.equal((await exported()).startsWith(before), true);
  assert.equal((await run("import", "--provider", " ", file("a.csv"))).code, 64);
});

test("import: SIGTERM ends it with what is stored and how to take it back; kill -9 leaves it listed as interrupted; both are undone", async (t) => {
  const minutes = Array.from(
    { length: 300_000 },
    (_, i) => `USD_RLS,1000000,${new Date(START + (i + 1) * 60_000).toISOString()},\n`,
  );
  const { data, run, file, exported, listed } = await filled(t, { "a.csv": days(100), "big.csv": minutes.join("") });
  await run("import", file("a.csv"));
  const before = await exported();
  for (const [signal, exitCode, state] of [
    ["SIGTERM", 143, "stopped"],
    ["SIGKILL", null, "interrupted"],
  ] as const) {
    const child = startMazaneh(["import", file("big.csv"), "--data", data]);
    const closed = once(child, "close");
    t.after(() => void child.kill("SIGKILL"));
    const texts = { out: "", err: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (texts.out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (texts.err += text));
    // The file of the observations grows when the first batch is stored, of 150.
    const size = async (): Promise<number> => (await stat(join(data, "obs/obs-00000001.ndjson"))).size;
    const begun = await size();
    for (let tries = 0; (await size()) < begun + 100_000; tries++) {
      assert.ok(tries < 2_400, `nothing is stored: ${texts.err}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    child.kill(signal);
    const [code] = await closed;
    assert.equal(code, exitCode);
    const [entry] = await listed();
    assert.equal(entry?.["state"], state);
    if (state === "stopped") {
      assert.match(
        texts.out,
        /big\.csv +[\d,]+ +\d+ +\d+ +0 {2}not read to its end\nThis is import \d\. To take it back: \S.* imports undo \d --data \S+\n$/,
      );
      assert.match(
        texts.err,
        new RegExp(
          `not read to its end: stopped by ${signal}\nmazaneh: The import was stopped by ${signal}; what the table counts is stored\n$`,
        ),
      );
    } else {
      assert.ok(Number(entry?.["stored"]) >= 2_000, "the first batch is stored");
    }
    assert.equal((await run("imports", "undo", String(entry?.["id"]))).code, 0);
    assert.equal(await exported(), before);
  }
});

test("imports: through a running server an import is undone at once, and answers are as before", async (t) => {
  const { data, file } = await filled(t, { "a.csv": days(50), "b.csv": days(50, { factor: 1.5 }) });
  await mazaneh(["import", file("a.csv"), "--data", data]);
  const key = (await mazaneh(["keys", "create", "alice", "--json", "--data", data])).json()["key"] as unknown as string;
  const server = await serving(t, ["--data", data]);
  const latest = async (): Promise<unknown> => (await server.get("/api/v1/assets/USD_RLS", key)).json["value"];
  const before = await latest();
  assert.equal((await mazaneh(["import", "--yes", file("b.csv"), "--data", data])).code, 0);
  assert.notEqual(await latest(), before);
  assert.match((await mazaneh(["imports", "undo", "2", "--data", data])).out, /50 records are as they were before/);
  assert.equal(await latest(), before);
  assert.equal(await server.stop(), 0);
});

test("imports undo: of a damaged log it leaves what may have replaced others, in the same words and with the same exit code beside a server: 65", async (t) => {
  const { data, run, file } = await filled(t, { "a.csv": days(1), "b.csv": days(2, { first: 5 }) });
  await run("import", file("a.csv"));
  await run("import", "--yes", file("b.csv"));
  const log = join(data, "obs", "obs-00000001.ndjson");
  const lines = (await readFile(log, "utf8")).split("\n");
  lines[2] = lines[2]!.replace('"value":[', '"value":[1');
  await writeFile(log, lines.join("\n"));
  const { code, out } = await run("imports", "undo", "2");
  assert.match(out, /2 records were left, as the data is damaged/);
  const server = await serving(t, ["--data", data]);
  const beside = await run("imports", "undo", "2");
  assert.deepEqual([code, beside.code, beside.out], [65, 65, out]);
  assert.equal(await server.stop(), 0);
});

test("withdraw: records are kept as REJECTED with the reason, days are those of the market and included; undo reverses it", async (t) => {
  const { data, run, file, exported, listed } = await filled(t, {
    "a.csv": days(5) + days(5, { first: 5, provider: "desk" }),
  });
  await run("import", file("a.csv"));
  const before = await exported();
  const args = ["withdraw", "--code", "USD_RLS", "--from", "2015-01-03", "--to", "2015-01-08"];
  assert.deepEqual(
    (await run(...args, "--dry-run")).out,
    "6 records of USD_RLS, from 2015-01-03T16:30:00.000Z to 2015-01-08T16:30:00.000Z, would be withdrawn. Nothing was written: this was a dry run.\n",
  );
  assert.equal(await exported(), before);
  const done = await run(...args, "--provider", "desk", "--reason", "toman");
  assert.deepEqual(
    [done.code, done.out],
    [
      0,
      `3 records of USD_RLS, from 2015-01-06T16:30:00.000Z to 2015-01-08T16:30:00.000Z, are withdrawn.\nThis is import 2. To take it back: mazaneh imports undo 2 --data ${data}\n`,
    ],
  );
  assert.deepEqual((await exported()).match(/2015-01-\d\d(?=.*REJECTED,toman)/g), [
    "2015-01-06",
    "2015-01-07",
    "2015-01-08",
  ]);
  assert.deepEqual([(await listed())[0]?.["type"], (await listed())[0]?.["replaced"]], ["withdrawal", 3]);
  const desk = await run(...args, "--provider", "desk");
  assert.equal(
    desk.out,
    'There are no such records of USD_RLS by "desk"; those of other times run from 2015-01-09T16:30:00.000Z to 2015-01-10T16:30:00.000Z.\n',
  );
  assert.equal(
    (await run("withdraw", "--code", "EUR_RLS", "--from", "2015-01-03", "--to", "2015-01-08")).out,
    "There are no records of EUR_RLS to withdraw.\n",
  );
  const [slashes, toman] = [
    await program([...args, "--from", "۱۳۹۳/۱۰/۱۳", "--data", data]),
    await program([...args, "--code", "USD_TMN", "--data", data]),
  ];
  assert.match(
    slashes.err,
    /: received "۱۳۹۳\/۱۰\/۱۳"; dates are Gregorian, and ۱۳۹۳\/۱۰\/۱۳ of the Jalali calendar is 2015-01-03\n$/,
  );
  assert.equal(
    toman.err,
    'mazaneh: --code must be one of the catalog: received "USD_TMN"; did you mean USD_RLS (rial; 10 rial are 1 toman)?\n',
  );
  await run("imports", "undo", "2");
  assert.equal(await exported(), before);
  const wrong = [
    ["--code", "USD"],
    ["--from", "yesterday"],
    ["--to", "2015-01-02"],
    ["--to", "2015-01-03T00:00:00"],
    ["--reason", "x".repeat(501)],
  ];
  for (const option of wrong)
    assert.equal((await program([...args, ...option, "--data", data])).code, 64, option.join(" "));
});

test("imports list: a change of a value is told as a share, or as a factor where it is large", () => {
  const changes = [
    [100, 103.2],
    [100, 96.8],
    [100, 100.5],
    [100, 100.001],
    [100, 99.999],
    [10, 100],
    [100, 10],
    [1, 2_500],
    [1, 2],
  ] as const;
  assert.deepEqual(
    changes.map(([from, to]) => formatChange({ from, to })),
    ["+3.2%", "-3.2%", "+0.50%", "<+0.01%", ">-0.01%", "×10", "÷10", "×2,500", "×2"],
  );
});
