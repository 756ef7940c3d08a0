import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { settingsInForce } from "../../adapters/cli/settings_sources.ts";
import { storeOptions } from "../../adapters/cli/store_options.ts";
import { isAddress, readQuota, readStore } from "../../adapters/cli/store_setting.ts";
import { LOADED } from "./loaded_commands.ts";

const SECRET = "s3cret";

const addresses: readonly (readonly [
  read: typeof readStore | typeof readQuota,
  url: string,
  name: string,
  hasPassword: boolean,
])[] = [
  [readStore, "postgres://market@db.example:5432/market", "postgres://…@db.example:5432/market", false],
  [readStore, `postgres://${SECRET}@db.example/market`, "postgres://…@db.example/market", false],
  [readStore, `postgresql://market:${SECRET}@db.example/market`, "postgresql://market@db.example/market", true],
  [
    readStore,
    `postgres://market:a%2F%40${SECRET}@db.example/market?sslmode=verify-full`,
    "postgres://market@db.example/market",
    true,
  ],
  [readStore, `postgres://db.example/market?user=market&password=${SECRET}`, "postgres://db.example/market", true],
  [
    readStore,
    "postgres://db.example/market?sslmode=verify-full&sslrootcert=/etc/ca.pem&application_name=prices&connect_timeout=3&target_session_attrs=read-write",
    "postgres://db.example/market",
    false,
  ],
  [readStore, "postgres:///market?host=/var/run/postgresql", "postgres:///market?host=/var/run/postgresql", false],
  [readStore, "postgres://[::1]:5433/market", "postgres://[::1]:5433/market", false],
  [readQuota, "redis://127.0.0.1:6379/1", "redis://127.0.0.1:6379/1", false],
  [readQuota, `rediss://:${SECRET}@cache.example`, "rediss://cache.example", true],
  [readQuota, `redis://counter:${SECRET}@cache.example/0`, "redis://counter@cache.example/0", true],
];
test("store setting: a URL is shown without its password in text, in JSON and by inspect()", () => {
  for (const [read, url, name, hasPassword] of addresses) {
    const address = read(url);
    if (!isAddress(address)) throw new TypeError("that is no address");
    assert.deepEqual([address.url(), address.hasPassword, String(address)], [url, hasPassword, name]);
    assert.equal(JSON.stringify({ address }), JSON.stringify({ address: name }));
    for (const shown of [address.name, inspect(address, { showHidden: true, depth: 9 })])
      assert.ok(!shown.includes(SECRET), "the secret is not shown");
  }
});

const STORE_URLS = [
  `mysql://u:${SECRET}@h/d`,
  `postgres:/u:${SECRET}@h/d`,
  `u:${SECRET}@h/d`,
  `postgres://u:12/${SECRET}@h/d`,
  `postgres://u:${SECRET}/x@h/d`,
  `postgres://h/d/${SECRET}`,
  `postgres://u:${SECRET} x@h/d`,
  `postgres:///d?password=${SECRET}`,
  `host=h password=${SECRET} dbname=d`,
  `redis://:${SECRET}@h`,
  SECRET,
  `postgres://h/d?sslpassword=${SECRET}`,
  `postgres://u:%zz${SECRET}@h/d`,
];
const QUOTA_URLS = [
  `rediss://h?password=${SECRET}`,
  `postgres://u:${SECRET}@h/d`,
  `http://:${SECRET}@h`,
  SECRET,
  `redis://${SECRET}@h`,
  `redis://:%${SECRET}@h`,
  "files",
];
/** URLs with a part that the client library would ignore. */
const flaws: readonly (readonly [variable: string, url: string, message: RegExp])[] = [
  ["MAZANEH_STORE", `postgres://u:${SECRET}@h/`, /does not name a database$/],
  ["MAZANEH_STORE", "postgres:///?host=/run/postgresql", /does not name a database$/],
  [
    "MAZANEH_STORE",
    `postgres://u:${SECRET}@h/d?sslmod=require`,
    /unknown or an empty parameter: known are .*\bsslmode, /,
  ],
  ["MAZANEH_STORE", `postgres://u:${SECRET}@h/d?sslmode=`, /an unknown or an empty parameter/],
  ["MAZANEH_STORE", `postgres://h/d?${SECRET}`, /an unknown or an empty parameter/],
  ["MAZANEH_STORE", `postgres://u:${SECRET}@a.example:5432,b.example:5433/d`, /name one host/],
  ["MAZANEH_STORE", `postgres://u:100%${SECRET}@h/d`, /% as %25$/],
  ["MAZANEH_QUOTA", `redis://${SECRET}@h`, /a user and no password/],
  ["MAZANEH_QUOTA", "redis://h/market", /not just the number of a database/],
  ["MAZANEH_QUOTA", `redis://:${SECRET}@h/0?db=1`, /not just the number of a database/],
];
test("store setting: an invalid URL, or one with a part that would be ignored, is refused with exit code 78, and the message hides the password", async () => {
  const others = { MAZANEH_STORE: "postgres://h/d" };
  const demandRefusal = (attempt: Promise<unknown>, message: RegExp): Promise<void> =>
    assert.rejects(attempt, (error: Error & { exitCode?: number }) => {
      assert.deepEqual([error.exitCode, error.message.includes(SECRET)], [78, false], error.message);
      assert.match(error.message, message);
      return true;
    });
  for (const [name, urls] of [
    ["store", STORE_URLS],
    ["quota", QUOTA_URLS],
  ] as const) {
    for (const url of urls) {
      const message = new RegExp(`: ${name} must be `);
      await demandRefusal(settingsInForce({}, { ...others, [`MAZANEH_${name.toUpperCase()}`]: url }), message);
      await demandRefusal(settingsInForce({ [name]: url }, name === "store" ? {} : others), message);
    }
  }
  for (const [variable, url, message] of flaws)
    await demandRefusal(settingsInForce({}, { ...others, [variable]: url }), message);
});

test("store setting: a suggested command has the options for the same store, but never a password", async () => {
  const cases = [
    [{}, {}, ""],
    [{ data: "my data" }, {}, " --data 'my data'"],
    [{ data: "d", store: "files" }, {}, " --data d --store files"],
    [
      { store: "postgres://u@h/d?sslmode=verify-full", quota: "redis://h" },
      {},
      " --store 'postgres://u@h/d?sslmode=verify-full' --quota redis://h",
    ],
    [{}, { MAZANEH_STORE: `postgres://u:${SECRET}@h/d`, MAZANEH_QUOTA: "redis://h" }, " --quota redis://h"],
  ] as const;
  for (const [flags, environment, wanted] of cases)
    assert.equal(storeOptions(await settingsInForce(flags, environment)), wanted);
});

test("store setting: every command that has --data also has --store and --quota", () => {
  const taking = LOADED.filter(({ options }) => "data" in options);
  assert.ok(taking.length >= 18, `${taking.length} commands`);
  for (const { name, options } of taking) assert.ok("store" in options && "quota" in options, name);
});
