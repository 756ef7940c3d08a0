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
for (const [read, url, name, hasPassword] of addresses) {
  test(`store setting: ${url.replace(SECRET, "…")} is ${name}, and shows no password as text, as JSON or to inspect`, () => {
    const address = read(url);
    if (!isAddress(address)) throw new TypeError("that is no address");
    assert.equal(address.url(), url);
    assert.equal(address.hasPassword, hasPassword);
    assert.equal(String(address), name);
    assert.equal(JSON.stringify({ address }), JSON.stringify({ address: name }));
    for (const shown of [address.name, inspect(address, { showHidden: true, depth: 9 })])
      assert.ok(!shown.includes(SECRET), "the secret is not shown");
  });
}

const refused: readonly (readonly [name: "store" | "quota", url: string])[] = [
  ["store", `mysql://u:${SECRET}@h/d`],
  ["store", `postgres:/u:${SECRET}@h/d`],
  ["store", `u:${SECRET}@h/d`],
  ["store", `postgres://u:12/${SECRET}@h/d`],
  ["store", `postgres://u:${SECRET}/x@h/d`],
  ["store", `postgres://h/d/${SECRET}`],
  ["store", `postgres://u:${SECRET} x@h/d`],
  ["store", `postgres:///d?password=${SECRET}`],
  ["store", `host=h password=${SECRET} dbname=d`],
  ["store", `redis://:${SECRET}@h`],
  ["store", SECRET],
  ["store", `postgres://h/d?sslpassword=${SECRET}`],
  ["quota", `rediss://h?password=${SECRET}`],
  ["quota", `postgres://u:${SECRET}@h/d`],
  ["quota", `http://:${SECRET}@h`],
  ["quota", SECRET],
  ["quota", `redis://${SECRET}@h`],
  ["quota", `redis://:%${SECRET}@h`],
  ["store", `postgres://u:%zz${SECRET}@h/d`],
  ["quota", "files"],
];
for (const [name, url] of refused) {
  test(`store setting: ${name} "${url.replace(SECRET, "…")}" is refused with 78, and the message repeats only the scheme`, async () => {
    const others = name === "quota" ? { MAZANEH_STORE: "postgres://h/d" } : {};
    const given = [
      [{}, { [`MAZANEH_${name.toUpperCase()}`]: url }],
      [{ [name]: url }, {}],
    ] as const;
    for (const [flags, environment] of given) {
      await assert.rejects(
        settingsInForce(flags, { ...others, ...environment }),
        (error: Error & { exitCode?: number }) => {
          assert.equal(error.exitCode, 78);
          assert.match(error.message, new RegExp(`: ${name} must be `));
          assert.ok(!error.message.includes(SECRET), error.message);
          return true;
        },
      );
    }
  });
}

const flaws: readonly (readonly [variable: "MAZANEH_STORE" | "MAZANEH_QUOTA", url: string, message: RegExp])[] = [
  ["MAZANEH_STORE", `postgres://u:${SECRET}@h/`, /: received a URL that does not name a database$/],
  ["MAZANEH_STORE", "postgres:///?host=/run/postgresql", /: received a URL that does not name a database$/],
  [
    "MAZANEH_STORE",
    `postgres://u:${SECRET}@h/d?sslmod=require`,
    /: received a URL with an unknown or an empty parameter: known are .*\bsslmode, /,
  ],
  ["MAZANEH_STORE", `postgres://u:${SECRET}@h/d?sslmode=`, /an unknown or an empty parameter/],
  ["MAZANEH_STORE", `postgres://h/d?${SECRET}`, /an unknown or an empty parameter/],
  [
    "MAZANEH_STORE",
    `postgres://u:${SECRET}@a.example:5432,b.example:5433/d`,
    /: received a URL that begins with postgres:\/\/; name one host, and /,
  ],
  ["MAZANEH_STORE", `postgres://u:100%${SECRET}@h/d`, /write @ as %40, .*, % as %25$/],
  [
    "MAZANEH_QUOTA",
    `redis://${SECRET}@h`,
    /: received a URL with a user and no password; without a user it is redis:\/\/:PASSWORD@host$/,
  ],
  [
    "MAZANEH_QUOTA",
    "redis://h/market",
    /a URL whose path is not just the number of a database, as in redis:\/\/host:6379\/0$/,
  ],
  ["MAZANEH_QUOTA", `redis://:${SECRET}@h/0?db=1`, /a URL whose path is not just the number of a database/],
];
for (const [variable, url, message] of flaws) {
  test(`store setting: ${url.replace(SECRET, "…")} is refused with 78, because the client library would ignore a part of it`, async () => {
    const environment = { MAZANEH_STORE: "postgres://h/d", [variable]: url };
    await assert.rejects(settingsInForce({}, environment), (error: Error & { exitCode?: number }) => {
      assert.equal(error.exitCode, 78);
      assert.match(error.message, message);
      assert.ok(!error.message.includes(SECRET), error.message);
      return true;
    });
  });
}

test("store setting: another command finds the same store, and no password is printed", async () => {
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

test("store setting: every command with --data has --store and --quota, too", () => {
  const taking = LOADED.filter(({ options }) => "data" in options);
  assert.ok(taking.length >= 18, `${taking.length} commands`);
  for (const { name, options } of taking) assert.ok("store" in options && "quota" in options, name);
});
