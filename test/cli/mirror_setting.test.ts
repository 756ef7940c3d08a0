import assert from "node:assert/strict";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { mirrorOf } from "../../adapters/cli/mirror_setting.ts";
import { settingsInForce } from "../../adapters/cli/settings_sources.ts";
import { temporaryDirectory } from "../support/cli.ts";

const HTTPS = "https://prices.example/market";
const ENV = { MAZANEH_UPSTREAM_KEY: " secret\n" };

async function wanted(options: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = ENV) {
  return mirrorOf(await settingsInForce(options, {}), env);
}

async function keyOf({ mirror }: Awaited<ReturnType<typeof mirrorOf>>): Promise<string | undefined> {
  return typeof mirror?.key === "function" ? mirror.key() : mirror?.key;
}

test("mirror setting: without --mirror there is no mirror", async () => {
  assert.deepEqual(await wanted({}), { mirror: undefined, warnings: [] });
});

test("mirror setting: the key is read from the variable, without surrounding blanks", async () => {
  const { mirror, warnings } = await wanted({
    mirror: HTTPS,
    "mirror-codes": "EUR_RLS,USD_RLS",
    "mirror-units": "100",
  });
  assert.deepEqual(mirror, { upstream: HTTPS, key: "secret", unitsADay: 100, codes: ["EUR_RLS", "USD_RLS"] });
  assert.deepEqual(warnings, []);
});

test("mirror setting: a key file takes precedence over the variable; if others may read the file, a warning names it, but not the key", async (t) => {
  const file = join(await temporaryDirectory(t), "key");
  await writeFile(file, "of the file\n".replaceAll(" ", "_"), { mode: 0o600 });
  for (const env of [{}, { MAZANEH_UPSTREAM_KEY: "" }, { MAZANEH_UPSTREAM_KEY: "of_the_file\n" }]) {
    const alone = await wanted({ mirror: HTTPS, "mirror-key-file": file }, env);
    assert.deepEqual([await keyOf(alone), alone.warnings], ["of_the_file", []]);
    await writeFile(file, "another_one");
    assert.equal(await keyOf(alone), "another_one", "it is read anew");
    await writeFile(file, "of_the_file\n");
  }
  await chmod(file, 0o644);
  const { warnings } = await wanted({ mirror: HTTPS, "mirror-key-file": file }, {});
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]!, /may read the key file .*\(mode 644\).*chmod 600/);
  assert.doesNotMatch(warnings[0]!, /of_the_file/);
});

test("mirror setting: a misspelt code is refused, with suggestions", async () => {
  await assert.rejects(
    wanted({ mirror: HTTPS, "mirror-codes": "EUR_RLS,usd-irr" }),
    /--mirror-codes: there is no asset "usd-irr" in the catalog; did you mean USD_RLS .*\?$/,
  );
  await assert.rejects(wanted({ mirror: HTTPS, "mirror-codes": "?????" }), /there is no asset "\?{5}" in the catalog$/);
});

test("mirror setting: /api/v1 at the end of an upstream's URL is ignored, so that each upstream has one ledger", async () => {
  for (const end of ["", "/", "/api/v1", "/api/v1/"])
    assert.equal((await wanted({ mirror: `${HTTPS}${end}` })).mirror?.upstream, HTTPS, end);
  assert.equal(
    (await wanted({ mirror: "https://prices.example/api/v10" })).mirror?.upstream,
    "https://prices.example/api/v10",
  );
});

test("mirror setting: serve warns if the key would travel unencrypted, unless it stays on this machine", async () => {
  for (const [upstream, count] of [
    ["http://prices.example", 1],
    ["http://127.0.0.1:8080", 0],
    ["http://localhost", 0],
    ["http://[::1]:80", 0],
    [HTTPS, 0],
  ] as const) {
    assert.equal((await wanted({ mirror: upstream })).warnings.length, count, upstream);
  }
});

test("mirror setting: a password in a refused URL is not repeated", async () => {
  for (const upstream of [
    "https://user:secret@prices.example",
    "ftp://user:sec@ret@prices.example",
    "https://secret@prices.example/?a",
  ]) {
    await assert.rejects(
      wanted({ mirror: upstream }),
      (error: Error) => /received ".*\/\/…@prices\.example/.test(error.message) && !/sec/.test(error.message),
    );
  }
});

test("mirror setting: by default, history begins with ten popular codes; with `--mirror-codes none`, there is no history", async () => {
  assert.equal((await wanted({ mirror: HTTPS })).mirror?.codes, undefined);
  assert.deepEqual((await wanted({ mirror: HTTPS, "mirror-codes": "none" })).mirror?.codes, []);
});
