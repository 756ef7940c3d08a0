import assert from "node:assert/strict";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { mirrorOf, refuseSample } from "../../../adapters/cli/mirror_setting.ts";
import { settingsInForce } from "../../../adapters/cli/settings_sources.ts";
import { createMemoryStore } from "../../../adapters/memory_store.ts";
import { createIngest } from "../../../core/mod.ts";
import { systemClock } from "../../../adapters/system.ts";
import { temporaryDirectory } from "../../support/cli.ts";

const HTTPS = "https://prices.example/market";
const ENV = { MAZANEH_UPSTREAM_KEY: " secret\n" };

async function wanted(options: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = ENV) {
  return mirrorOf(await settingsInForce(options, {}), env, false);
}

test("mirror setting: without --mirror there is none, whatever else is set", async () => {
  assert.deepEqual(await wanted({ "mirror-units": "10" }), { mirror: undefined, warnings: [] });
});

test("mirror setting: the key comes from the variable, without the blanks around it", async () => {
  const { mirror, warnings } = await wanted({ mirror: HTTPS, "mirror-codes": "EUR_RLS,USD_RLS", "mirror-units": "100", "mirror-provider": "desk" });
  assert.deepEqual(mirror, { upstream: HTTPS, key: "secret", unitsADay: 100, codes: ["EUR_RLS", "USD_RLS"], provider: "desk" });
  assert.deepEqual(warnings, []);
});

test("mirror setting: a key file stands over the variable; one that others may read is named in a warning, without the key", async (t) => {
  const file = join(await temporaryDirectory(t), "key");
  await writeFile(file, "of the file\n".replaceAll(" ", "_"), { mode: 0o600 });
  const alone = await wanted({ mirror: HTTPS, "mirror-key-file": file });
  assert.deepEqual([alone.mirror?.key, alone.warnings], ["of_the_file", []]);
  await chmod(file, 0o644);
  const { warnings } = await wanted({ mirror: HTTPS, "mirror-key-file": file });
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]!, /may read the key file .*\(mode 644\).*chmod 600/);
  assert.doesNotMatch(warnings[0]!, /of_the_file/);
});

test("mirror setting: a key that would travel unencrypted is named in a warning, unless it stays on this machine", async () => {
  for (const [upstream, count] of [["http://prices.example", 1], ["http://127.0.0.1:8080", 0], ["http://localhost", 0], ["http://[::1]:80", 0], [HTTPS, 0]] as const) {
    assert.equal((await wanted({ mirror: upstream })).warnings.length, count, upstream);
  }
});

test("mirror setting: a store with made-up prices is refused, with two ways out", async () => {
  const { observations } = createMemoryStore();
  await refuseSample(observations, "data");
  await createIngest({ clock: systemClock, observations })([{ code: "USD_RLS", value: 1, businessTime: "2026-01-01T00:00:00Z", provider: "SAMPLE" }]);
  await assert.rejects(refuseSample(observations, "data"), /"data" holds made-up sample prices.*--data and --init.*--drop-sample/);
});

test("mirror setting: a password in a refused URL is not repeated", async () => {
  for (const upstream of ["https://user:secret@prices.example", "ftp://user:sec@ret@prices.example", "https://secret@prices.example/?a"]) {
    await assert.rejects(wanted({ mirror: upstream }), (error: Error) => /received ".*\/\/…@prices\.example/.test(error.message) && !/sec/.test(error.message));
  }
});
