// What the page about upgrades says of the files, on files of the real program.
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { logSeed, seal } from "../../adapters/stores/json_files/log/sealed_line.ts";
import { mazaneh, serving, temporaryDirectory } from "../support/cli.ts";
import { commandsOf, UPGRADE_PAGE } from "./page.ts";

test("upgrade: the page names the schema of each kind of file", async (t) => {
  const root = await temporaryDirectory(t);
  const [data, backup] = [join(root, "data"), join(root, "backup")];
  const { code, err } = await mazaneh(["import", "-", "--init", "--data", data], {
    input: "code,value,businessTime\nUSD_RLS,1905000,2026-08-21T16:30:00Z\n",
  });
  assert.equal(code, 0, err);
  const { key } = (await mazaneh(["keys", "create", "alice", "--json", "--data", data])).json();
  const server = await serving(t, ["--data", data]);
  assert.equal((await server.get("/api/v1/assets/USD_RLS", String(key))).status, 200);
  assert.equal(await server.stop(), 0);
  assert.equal((await mazaneh(["backup", backup, "--data", data])).code, 0);

  const schemaOf = (path: string): number => Number(/"schema":(\d+)/.exec(readFileSync(path, "latin1"))?.[1]);
  const only = (folder: string, ending: string): string =>
    join(data, folder, readdirSync(join(data, folder)).find((name) => name.endsWith(ending))!);
  const found: Readonly<Record<string, readonly string[]>> = {
    "`MANIFEST.json`": [join(data, "MANIFEST.json")],
    "`accounts/accounts.json`": [join(data, "accounts/accounts.json")],
    "`obs/obs-….ndjson`, `quota/quota-….ndjson`": [only("obs", ".ndjson"), only("quota", ".ndjson")],
    "`BACKUP.json` of a backup": [join(backup, "BACKUP.json")],
  };
  const rows = [...readFileSync(UPGRADE_PAGE, "utf8").matchAll(/^\| (`.*?) \| (\d+)/gm)];
  assert.deepEqual(
    rows.map(([, files]) => files),
    Object.keys(found),
  );
  for (const [, files, schema] of rows)
    for (const path of found[files!]!) assert.equal(schemaOf(path), Number(schema), path);
});

test("upgrade: the page's commands lead a store of the schema before forward, which is served and written, and back, with what came since", async (t) => {
  const root = await temporaryDirectory(t);
  const [data, backups, newer] = [join(root, "data"), join(root, "backups"), join(root, "data.newer")];
  const run = async (args: readonly string[], input = "") => {
    const { code, out, err } = await mazaneh(args, { input });
    assert.equal(code, 0, `${args.join(" ")}: ${err}`);
    return out;
  };
  /** The commands of a block that are the program's, on these directories; what one prints to a file another one reads. */
  const follow = async (heading: string): Promise<void> => {
    let printed = "";
    for (const [, words, redirection] of commandsOf(UPGRADE_PAGE, heading)
      .join("\n")
      .matchAll(/\bmazaneh ((?:backup|verify|export|restore|import) .*?)(?: ([<>])\S+)?$/gm)) {
      if (words!.startsWith("restore")) renameSync(data, newer);
      const args = words!
        .replaceAll("/var/lib/mazaneh-backups", backups)
        .replaceAll("/var/lib/mazaneh", data)
        .split(" ");
      const out = await run(args, redirection === "<" ? printed : "");
      if (redirection === ">") printed = out;
    }
  };
  await run(
    ["import", "-", "--init", "--data", data],
    "code,value,businessTime\nUSD_RLS,1905000,2026-08-21T16:30:00Z\n",
  );
  const { key } = JSON.parse(await run(["keys", "create", "alice", "--json", "--data", data])) as {
    readonly key: string;
  };
  const asked = async (value: number): Promise<void> => {
    const server = await serving(t, ["--data", data]);
    assert.equal((await server.get("/api/v1/assets/USD_RLS", key)).json["value"], value);
    assert.equal(await server.stop(), 0);
  };
  await asked(1_905_000);
  for (const folder of ["obs", "quota"])
    for (const name of readdirSync(join(data, folder))) toFirstSchema(join(data, folder, name));

  mkdirSync(backups);
  await follow("Going forward");
  await asked(1_905_000);
  await run(["import", "-", "--data", data], "code,value,businessTime\nUSD_RLS,2100000,2026-08-22T16:30:00Z\n");
  await asked(2_100_000);
  assert.match(
    readFileSync(join(data, "obs/obs-00000001.ndjson"), "utf8"),
    /"schema":1,/,
    "it goes on with the file of the schema before",
  );
  await follow("Going back");
  await asked(2_100_000);
  assert.equal(JSON.parse(await run(["verify", "--json", "--data", data])).state, 0);
});

/** Gives a file of a log the header that schema 1 has; its lines are those of schema 2. */
function toFirstSchema(path: string): void {
  const [header = "", ...lines] = readFileSync(path, "utf8").split("\n");
  const { storeId, kind, schema } = JSON.parse(header) as {
    readonly storeId: string;
    readonly kind: string;
    readonly schema: number;
  };
  assert.equal(schema, 2);
  const open = header.slice(0, header.lastIndexOf(',"k":')).replace('"schema":2', '"schema":1');
  writeFileSync(path, [seal(open, logSeed(storeId, kind)), ...lines].join("\n"));
}
