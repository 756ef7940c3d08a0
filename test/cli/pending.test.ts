import assert from "node:assert/strict";
import { test } from "node:test";
import { serving, temporaryStore } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";

const line = (code: string, value: number, day: number, status = "PENDING"): string =>
  `${code},${value},2026-01-0${day}T13:00:00Z,${status}\n`;
/** An accepted value and five pending values. */
const PRICES =
  "code,value,businessTime,qualityStatus\n" +
  line("USD_RLS", 100, 1, "ACCEPTED") +
  [2, 3, 4].map((day) => line("USD_RLS", 10, day)).join("") +
  [2, 3].map((day) => line("EUR_RLS", 11, day)).join("");

test("pending: values are listed, accepted and rejected beside a running server", async (t) => {
  const data = await temporaryStore(t);
  await serving(t, ["--data", data]);
  const run = async (args: string, input = ""): Promise<string> => {
    const { code, out, err } = await program([...args.split(" "), "--data", data], { input });
    assert.equal(code, 0, err);
    return out;
  };
  await run("import -", PRICES);
  const { pending, assets } = JSON.parse(await run("pending list --json")) as {
    pending: number;
    assets: readonly { code: string; records: number }[];
  };
  assert.deepEqual([pending, assets.map(({ code, records }) => `${code} ${records}`)], [5, ["USD_RLS 3", "EUR_RLS 2"]]);
  await run("pending accept USD_RLS --from 2026-01-03 --to 2026-01-03 --yes");
  await run("pending reject all --yes");
  const rows = (await run("export --all-statuses")).trim().split("\n").slice(1);
  assert.deepEqual(rows.map((row) => row.replace(/^(...).*-0(\d)T.*,([A-Z]+),.*$/, "$1 $2 $3")).sort(), [
    "EUR 2 REJECTED",
    "EUR 3 REJECTED",
    "USD 1 ACCEPTED",
    "USD 2 REJECTED",
    "USD 3 ACCEPTED",
    "USD 4 REJECTED",
  ]);
  const { imports } = JSON.parse(await run("imports list --json")) as {
    imports: readonly { type: string; subjects: readonly string[]; replaced: number }[];
  };
  assert.deepEqual(
    imports.slice(0, 2).map(({ type, subjects, replaced }) => [type, ...subjects, replaced]),
    [
      ["withdrawal", "pending values of USD_RLS, EUR_RLS", 4],
      ["import", "accepted pending values of USD_RLS", 1],
    ],
  );
  assert.equal(await run("pending accept all --yes"), "No pending values match.\n");
});
