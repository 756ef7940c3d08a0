// What the page about upgrades says of the files, on files of the real program.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { mazaneh, serving, temporaryDirectory } from "../support/cli.ts";
import { UPGRADE_PAGE } from "./page.ts";

test("upgrade: the page names the schema of each kind of file", async (t) => {
  const root = await temporaryDirectory(t);
  const [data, backup] = [join(root, "data"), join(root, "backup")];
  const { code, err } = await mazaneh(["import", "-", "--init", "--data", data], { input: "code,value,businessTime\nUSD_RLS,1905000,2026-08-21T16:30:00Z\n" });
  assert.equal(code, 0, err);
  const { key } = (await mazaneh(["keys", "create", "alice", "--json", "--data", data])).json();
  const server = await serving(t, ["--data", data]);
  assert.equal((await server.get("/api/v1/assets/USD_RLS", String(key))).status, 200);
  assert.equal(await server.stop(), 0);
  assert.equal((await mazaneh(["backup", backup, "--data", data])).code, 0);

  const schemaOf = (path: string): number => Number(/"schema":(\d+)/.exec(readFileSync(path, "latin1"))?.[1]);
  const only = (folder: string, ending: string): string => join(data, folder, readdirSync(join(data, folder)).find((name) => name.endsWith(ending))!);
  const found: Readonly<Record<string, readonly string[]>> = {
    "`MANIFEST.json`": [join(data, "MANIFEST.json")],
    "`accounts/accounts.json`": [join(data, "accounts/accounts.json")],
    "`obs/obs-….ndjson`, `quota/quota-….ndjson`": [only("obs", ".ndjson"), only("quota", ".ndjson")],
    "`BACKUP.json` of a backup": [join(backup, "BACKUP.json")],
  };
  const rows = [...readFileSync(UPGRADE_PAGE, "utf8").matchAll(/^\| (`.*?) \| (\d+)/gm)];
  assert.deepEqual(rows.map(([, files]) => files), Object.keys(found));
  for (const [, files, schema] of rows) for (const path of found[files!]!) assert.equal(schemaOf(path), Number(schema), path);
});
