import assert from "node:assert/strict";
import { test } from "node:test";
import { type RunOptions, serving, temporaryStore } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";
import { createMemoryEngine } from "../support/memory_engine.ts";

const HEADER = "code,value,businessTime,provider,qualityStatus,qualityMessage\n";
const line = (code: string, value: number, day: number, rest = "desk,PENDING,toman?"): string =>
  `${code},${value},2026-01-0${day}T13:00:00Z,${rest}\n`;
/** An accepted value, and five pending ones. */
const PRICES =
  HEADER +
  line("USD_RLS", 100, 1, ",ACCEPTED,") +
  [2, 3, 4].map((day) => line("USD_RLS", 10, day)).join("") +
  line("EUR_RLS", 11, 2) +
  line("EUR_RLS", 11, 3);

/** Runs commands on one store; fails where one does not end with `code`. */
function commandsOn(place: readonly string[], engine?: RunOptions["engine"]) {
  return async (args: string, { code = 0, ...options }: RunOptions & { readonly code?: number } = {}) => {
    const run = await program([...args.split(" "), ...place], { ...options, ...(engine && { engine }) });
    assert.equal(run.code, code, `${args}: ${run.err}`);
    return run;
  };
}

function jsonOf<Value>({ out }: { readonly out: string }): Value {
  return JSON.parse(out) as Value;
}

/** The status of each record, by asset and day. */
async function statuses(run: ReturnType<typeof commandsOn>): Promise<readonly string[]> {
  const { out } = await run("export --all-statuses");
  return out
    .trim()
    .split("\n")
    .slice(1)
    .map((row) => row.replace(/^(...).*-0(\d)T.*,(ACC|PEN|REJ)[A-Z]+,(.*)$/, "$1 $2 $3 $4").trim())
    .sort();
}

for (const where of [
  "in a directory that no server holds",
  "in the directory of a running server",
  "in the store of another engine",
]) {
  test(`pending: values ${where} are listed, accepted and rejected, and are pending again when that is undone`, async (t) => {
    const data = await temporaryStore(t);
    const memory = where.includes("engine") ? createMemoryEngine() : undefined;
    if (where.includes("running")) await serving(t, ["--data", data]);
    const run = commandsOn(memory ? [] : ["--data", data], memory && (() => memory));
    assert.equal((await run("pending list")).out, "No pending values.\n");
    await run("import -", { input: PRICES });
    assert.match(
      (await run("pending list EUR_RLS")).out,
      // biome-ignore lint/complexity/useRegexLiterals: it has a line for each line of the answer
      new RegExp(String.raw`^asset +business time +value +source +provider +reason
EUR_RLS +2026-01-02T13:00:00.000Z +11 +import +desk +toman\?
EUR_RLS .*\n
EUR_RLS: 2 values, from 2026-01-02T13:00:00.000Z to 2026-01-03T13:00:00.000Z
To accept: mazaneh pending accept EUR_RLS.*
To accept a range: mazaneh pending accept EUR_RLS --from 2026-01-02T13:00:00.000Z --to 2026-01-03T13:00:00.001Z.*
To reject: mazaneh pending reject EUR_RLS.*\n$`),
    );
    const { pending, assets, values } = jsonOf<{
      pending: number;
      assets: { code: string; records: number }[];
      values: { source: string }[];
    }>(await run("pending list --json"));
    assert.deepEqual(
      [pending, assets.map(({ code, records }) => [code, records]), values.map(({ source }) => source)],
      [
        5,
        [
          ["USD_RLS", 3],
          ["EUR_RLS", 2],
        ],
        Array.from({ length: 5 }, () => "import"),
      ],
    );

    assert.match(
      (await run("pending accept all", { code: 64 })).err,
      /^mazaneh: 5 values of USD_RLS, EUR_RLS would be accepted: give --yes to confirm\n$/,
    );
    assert.equal((await run("pending reject USD_RLS", { isTTY: true, input: "n\n" })).out, "Nothing was changed.\n");
    const accepted = await run("pending accept USD_RLS --from 2026-01-03 --to 2026-01-03 --yes");
    assert.match(
      accepted.out,
      /^Accepted 1 value of USD_RLS\.\nThis is import 2\. To undo it: mazaneh imports undo 2.*\n$/,
    );
    assert.match(
      (await run("pending reject all", { isTTY: true, input: "y\n" })).out,
      /^Rejected 4 values of USD_RLS, EUR_RLS\.\nThis is import 3\./,
    );
    const rejected = ["EUR 2", "EUR 3", "USD 2", "USD 4"].map((record) => `${record} REJ rejected by hand`);
    assert.deepEqual(await statuses(run), [...rejected, "USD 1 ACC", "USD 3 ACC accepted by hand"].sort());
    assert.equal((await run("get USD_RLS --csv")).out.includes("2026-01-03T13:00:00.000Z"), true, "it is served");
    const { imports } = jsonOf<{ imports: { type: string; subjects: string[]; replaced: number }[] }>(
      await run("imports list --json"),
    );
    assert.deepEqual(
      imports.slice(0, 2).map(({ type, subjects, replaced }) => [type, ...subjects, replaced]),
      [
        ["withdrawal", "pending values of USD_RLS, EUR_RLS", 4],
        ["import", "accepted pending values of USD_RLS", 1],
      ],
    );
    assert.equal((await run("pending accept all --yes")).out, "No pending values match.\n");
    if (memory) return; // Its imports cannot be undone.
    assert.match(
      (await run("imports undo 2")).out,
      /^Import 2 \(accepted pending values of USD_RLS\) is undone: 1 record is as it was before\.\n$/,
    );
    for (const none of ["EUR_RLS", "USD_RLS --from 2026-01-04"])
      assert.equal((await run(`pending accept ${none} --yes`)).out, "No pending values match.\n");
    assert.deepEqual(
      (await statuses(run)).filter((record) => record.includes("PEN")),
      ["USD 3 PEN toman?"],
    );
  });
}

test("pending: --from and --to take days and times; the range that pending list prints has exactly its values", async (t) => {
  const run = commandsOn(["--data", await temporaryStore(t)]);
  await run("import -", { input: PRICES });
  const printed = /To accept a range: mazaneh (.*) --data/.exec((await run("pending list USD_RLS")).out)?.[1];
  const late = "--from 2026-01-04T00:00:00Z";
  await run("import - --yes", { input: HEADER + line("USD_RLS", 10, 5) });
  for (const [bounds, count] of [
    ["--from 2026-01-02 --to 2026-01-03", 2],
    ["--from 2026-01-03T13:00:00Z --to 2026-01-04T13:00:00Z", 1],
    [`${late} --to 2026-01-05`, 2],
    [`${late} --to 2026-01-04T16:30:00.001+03:30`, 1],
  ] as const)
    assert.match(
      (await run(`pending accept USD_RLS ${bounds}`, { code: 64 })).err,
      new RegExp(`^mazaneh: ${count} values? of`),
      bounds,
    );
  assert.match((await run(`${printed} --yes`)).out, /^Accepted 3 values of USD_RLS\./);
  assert.doesNotMatch((await run("pending list USD_RLS")).out, /To accept a range/, "one value is left");
});

test("pending: a pending value stands beside an accepted one until it is decided about; a code that is none is refused", async (t) => {
  const run = commandsOn(["--data", await temporaryStore(t)]);
  await run("import -", { input: PRICES });
  const again = await run("import - --yes", { input: HEADER + line("USD_RLS", 101, 1) });
  assert.match(again.out, /accepted +replaced +unchanged +refused\nstandard input +1 +0 +0 +0\n/);
  const ofFirstDay = async () => (await statuses(run)).filter((record) => record.startsWith("USD 1"));
  assert.deepEqual(await ofFirstDay(), ["USD 1 ACC", "USD 1 PEN toman?"]);
  await run("pending accept USD_RLS --to 2026-01-01 --yes");
  assert.deepEqual(await ofFirstDay(), ["USD 1 ACC accepted by hand"]);
  assert.match(
    (await run("pending accept USD --yes", { code: 64 })).err,
    /CODE must be in the catalog: received "USD"; did you mean USD_RLS/,
  );
});
