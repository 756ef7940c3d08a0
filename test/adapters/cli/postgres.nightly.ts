// What the commands print, and the data that they leave, is the same on PostgreSQL as in files.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestContext } from "node:test";
import pg from "pg";
import { serving, temporaryStore } from "../../support/cli.ts";
import { program } from "../../support/cli_program.ts";
import { postgresMissing, startPostgres } from "../../support/postgres_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";

type Outcome = Pick<Awaited<ReturnType<typeof program>>, "code" | "out" | "err">;

const HEADER = "code,value,businessTime,provider\n";
const DAYS = ["USD_RLS,1000000,2026-11-18T12:00:00Z,a", "USD_RLS,1010000,2026-11-19T12:00:00Z,b", "EUR_RLS,1200000,2026-11-19T12:00:00Z,a"];
const FIRST = `${HEADER}${DAYS.join("\n")}\n`;
const DOUBTFUL = `${HEADER}USD_RLS,99000000,2026-11-19T12:00:00Z,a\nUSD_RLS,98000000,2026-11-20T12:00:00Z,a\n`;
const CHANGED = `${HEADER}USD_RLS,1020000,2026-11-19T12:00:00Z,a\nUSD_RLS,1030000,2026-11-20T12:00:00Z,a\nUSD_RLS,x,2026-11-20T12:00:00Z,a\n`;

const postgres = await startPostgres();
if (!postgres) {
  skipAloud("commands on PostgreSQL as on files", postgresMissing);
} else {
  /** Runs a command on files and on a database, which must say the same, and gives what they have said. */
  async function bothOf(t: TestContext): Promise<{ readonly url: string; readonly data: string; both(args: readonly string[], settings?: { readonly input?: string; readonly now?: string }): Promise<Outcome> }> {
    const [data, url] = [await temporaryStore(t), await postgres!.database()];
    assert.equal((await program(["migrate", "--store", url])).code, 0);
    let second = 0;
    return {
      ...{ data, url },
      async both(args, { input, now = `2026-11-21T10:00:${String(second++).padStart(2, "0")}Z` } = {}) {
        const settings = { now, ...(input !== undefined && { input: [input] }) };
        const inFiles = named(await program([...args, "--data", data], settings), data, "--data");
        const inDatabase = named(await program([...args, "--store", url], settings), url, "--store");
        assert.deepEqual(inDatabase, inFiles, args.join(" "));
        return inDatabase;
      },
    };
  }

  test("postgres: imports ask and refuse, try, keep and undo, withdrawals and exports do and say what they do on files", async (t) => {
    const { both } = await bothOf(t);
    const records = async (): Promise<string> => (await both(["export", "--all-statuses", "--format", "ndjson"])).out;
    assert.equal((await both(["import", "-"], { input: FIRST })).code, 0);
    const first = await records();
    assert.equal(first.trim().split("\n").length, 3);

    const doubtful = await both(["import", "-"], { input: DOUBTFUL });
    assert.equal(doubtful.code, 65);
    assert.match(doubtful.err, /--yes/);
    const tried = await both(["import", "-", "--dry-run"], { input: CHANGED });
    assert.match(tried.out + tried.err, /dry run|would/i);
    assert.equal(await records(), first, "nothing was written");

    assert.equal((await both(["import", "-", "--keep-existing", "--yes"], { input: CHANGED })).code, 65, "its last line is refused");
    assert.match(await records(), /1010000[^]*1030000/);
    assert.equal((await both(["import", "-", "--yes"], { input: DOUBTFUL })).code, 0);
    assert.match(await records(), /99000000/);
    const list = await both(["imports", "list", "--json"]);
    assert.equal((JSON.parse(list.out) as { imports: unknown[] }).imports.length, 3);
    await both(["imports", "list"]);

    const partly = await both(["imports", "undo", "2"]);
    assert.match(partly.out, /replaced or removed it since/);
    assert.match((await both(["imports", "undo", "3"])).out, /as they were before/);
    assert.match((await both(["imports", "undo", "2", "--json"])).out, /"removed":1/);
    assert.equal(await records(), first);

    const selection = ["withdraw", "--code", "USD_RLS", "--from", "2026-11-18", "--to", "2026-11-20"];
    assert.match((await both([...selection, "--dry-run"])).out, /would be withdrawn/);
    assert.match((await both([...selection, "--provider", "c"])).out, /There are no records/);
    assert.match((await both(selection)).out, /^2 records .* are withdrawn\.\nThis is import 4\./);
    assert.match(await records(), /REJECTED/);
    assert.equal((await both(["export"])).out.trim().split("\n").length, 2);
    assert.equal((await both(["imports", "undo", "4"])).code, 0);
    assert.equal(await records(), first);
    for (const args of [["get"], ["get", "USD_RLS"], ["get", "EUR_RLS", "--json"], ["get", "GBP_RLS"], ["imports", "undo", "9"], ["imports", "undo", "4"], ["export", "--code", "USD_RLS", "--from", "2026-11-19"]]) await both(args);
  });

  test("postgres: plans, accounts and keys are set and listed as on files; usage and the last use of a key are those of the server", async (t) => {
    const { both, data, url } = await bothOf(t);
    const [at, now] = ["2026-11-21T10:00:00Z", new Date().toISOString()];
    for (const args of [
      ["plans", "set", "gold", "--daily-units", "7", "--attribution", "yes"], ["plans", "set", "gold", "--daily-units", "none"], ["plans", "list"], ["plans", "list", "--json"],
      ["accounts", "set", "alice", "--plan", "gold"], ["accounts", "list"],
    ]) await both(args, { now: at });
    assert.equal((await both(["import", "-"], { input: FIRST })).code, 0);
    for (const store of [["--data", data], ["--store", url]]) {
      const made = JSON.parse((await program(["keys", "create", "alice", "--plan", "gold", "--note", "office", "--json", ...store], { now: at })).out) as Record<string, string>;
      const server = await serving(t, store);
      for (let unit = 0; unit < 3; unit++) assert.equal((await server.get("/api/v1/assets/USD_RLS", made["key"])).status, 200);
      assert.equal(await server.stop(), 0);
      const [used, listed] = [await program(["usage", "alice", ...store]), await program(["keys", "list", ...store])];
      assert.match(used.out, new RegExp(`^20\\d\\d-\\d\\d-\\d\\d +3 +7 +gold +${made["id"]!}$`, "m"));
      assert.match(listed.out, new RegExp(`^${made["id"]!} +alice .*20\\d\\d-\\d\\d-\\d\\d`, "m"));
    }
    for (const args of [["accounts", "set", "alice", "--status", "RESTRICTED"], ["accounts", "list", "--json"], ["accounts", "list"], ["accounts", "set", "nobody", "--status", "DISABLED"], ["usage"], ["usage", "--csv"], ["usage", "nobody"], ["accounts", "set", "alice", "--plan", "none"]]) await both(args, { now });
  });

  test("postgres: info has the records of each asset, and verify finds a planted fault: exit code 2, and its place", async (t) => {
    const { both, data, url } = await bothOf(t);
    assert.equal((await both(["import", "-"], { input: FIRST })).code, 0);
    const facts = async (...store: readonly string[]): Promise<unknown> => (JSON.parse((await program(["info", "--json", ...store], { now: "2026-11-21T12:00:00Z" })).out) as { assets: unknown }).assets;
    assert.deepEqual(await facts("--store", url), await facts("--data", data));
    const well = await program(["verify", "--store", url]);
    assert.equal(well.code, 0, well.out + well.err);
    const client = new pg.Client(url);
    await client.connect();
    await client.query("UPDATE mazaneh.rollup SET high = high + 1 WHERE high = 1010000");
    await client.end();
    const { code, out } = await program(["verify", "--store", url]);
    assert.equal(code, 2, out);
    assert.match(out, /^rollup: USD_RLS: the roll-up of 2026-11-19.* is not that of its records$/m);
    assert.equal((JSON.parse((await program(["verify", "--json", "--store", url])).out) as { state: number }).state, 2);
  });
}

/** The outcome of a command, with one name for the store in it. */
function named({ code, out, err }: Outcome, place: string, option: string): Outcome {
  const rename = (text: string): string => text.replaceAll(`${option} ${place}`, "--at STORE").replaceAll(place, "STORE");
  return { code, out: rename(out), err: rename(err) };
}
