import assert from "node:assert/strict";
import { test } from "node:test";
import { serverWarnings } from "../../adapters/cli/setting_conflicts.ts";
import { settingsInForce } from "../../adapters/cli/settings_sources.ts";
import { lastYearOfTables } from "../../adapters/intake/levels/expected_prices.ts";
import { serving, temporaryStore } from "../support/cli.ts";

const SECRET = "s3cret";
const DATABASE = "postgres://h/d";
const COUNTS_ITSELF =
  "MAZANEH_QUOTA: a store in files counts units itself: add --quota store, or name a store such as postgres://user@host:5432/database";

type Variables = Readonly<Record<string, string>>;

const refused: readonly (readonly [
  rule: string,
  flags: Variables,
  variables: Variables,
  code: number,
  message: string,
])[] = [
  [
    "two stores, one of them a flag",
    { data: "here" },
    { MAZANEH_STORE: `${DATABASE}?password=${SECRET}` },
    64,
    `--data and MAZANEH_STORE name two stores: leave --data out for ${DATABASE}, or add --store files for the directory`,
  ],
  [
    "two flags for the store",
    { data: "here", store: DATABASE },
    {},
    64,
    `--data and --store name two stores: leave --data out for ${DATABASE}, or add --store files for the directory`,
  ],
  ["counters in Redis beside a store in files", {}, { MAZANEH_QUOTA: `redis://:${SECRET}@h` }, 78, COUNTS_ITSELF],
  [
    "counters in Redis beside --store files",
    { store: "files" },
    { MAZANEH_STORE: DATABASE, MAZANEH_QUOTA: "redis://h" },
    78,
    COUNTS_ITSELF,
  ],
  [
    "a rate per address with unknown addresses",
    { "address-rate": "1/s" },
    { MAZANEH_BEHIND_PROXY: "true" },
    78,
    "--address-rate: addressRate needs the addresses of clients: behindProxy must name the proxies, not be true",
  ],
];
test("conflicts: settings that exclude each other are refused", async () => {
  for (const [rule, flags, variables, exitCode, message] of refused)
    await assert.rejects(settingsInForce(flags, variables), { exitCode, message }, rule);
});

test("conflicts: a flag decides between two stores", async () => {
  const { values } = await settingsInForce({ data: "here", store: "files" }, { MAZANEH_STORE: DATABASE });
  assert.equal(values.store, "files");
});

const warned: readonly (readonly [
  rule: string,
  flags: Variables,
  variables: Variables,
  warnings: readonly string[],
])[] = [
  ["nothing", {}, {}, []],
  [
    "a directory beside --store",
    { store: DATABASE },
    { MAZANEH_DATA: "/data" },
    [`The directory of MAZANEH_DATA is not used: --store names another store, ${DATABASE}`],
  ],
  ["a directory beside --store files", { store: "files" }, { MAZANEH_DATA: "/data" }, []],
  ["an empty variable", {}, { MAZANEH_DATA: "", MAZANEH_STORE: DATABASE, MAZANEH_STOER: "" }, []],
  [
    "a rate per address, possibly behind a proxy",
    { "address-rate": "10/s" },
    {},
    [
      "--address-rate counts all clients of a proxy on this machine as one: if there is such a proxy, name it with --behind-proxy 127.0.0.1",
    ],
  ],
  ["a rate per address, given by a proxy", { "address-rate": "10/s" }, { MAZANEH_BEHIND_PROXY: "127.0.0.1" }, []],
  ["a rate per address, without a proxy", { "address-rate": "10/s", host: "0.0.0.0" }, {}, []],
  [
    "an unlimited public market",
    { "public-market": "true" },
    {},
    ["The market is public, and the requests of each address are not limited: --address-rate 20/s:200 limits them"],
  ],
  [
    "a public market with a limit per address",
    { "public-market": "true", "address-rate": "10/s", host: "0.0.0.0" },
    {},
    [],
  ],
  ["a public market with unknown addresses", { "public-market": "true" }, { MAZANEH_BEHIND_PROXY: "true" }, []],
  [
    "misspelt variables",
    {},
    { MAZANEH_STOER: DATABASE, MAZANEH_ADMINPORT: "1", MAZANEH_KEYRATE: "1/s" },
    [
      "The variable MAZANEH_STOER has no effect; did you mean MAZANEH_STORE?",
      "The variable MAZANEH_ADMINPORT has no effect; did you mean MAZANEH_ADMIN_PORT?",
      "The variable MAZANEH_KEYRATE has no effect; did you mean MAZANEH_KEY_RATE?",
    ],
  ],
  [
    "variables that begin with the name of a setting's variable, or contain it",
    {},
    {
      ...{
        MAZANEH_DATA_DIR: "/d",
        MAZANEH_LISTEN_PORT: "1",
        MAZANEH_ADMIN_PORT_NUMBER: "1",
        MAZANEH_STORE_URL: DATABASE,
      },
    },
    [
      "The variable MAZANEH_DATA_DIR has no effect; did you mean MAZANEH_DATA?",
      "The variable MAZANEH_LISTEN_PORT has no effect; did you mean MAZANEH_PORT?",
      "The variable MAZANEH_ADMIN_PORT_NUMBER has no effect; did you mean MAZANEH_ADMIN_PORT?",
      "The variable MAZANEH_STORE_URL has no effect; did you mean MAZANEH_STORE?",
    ],
  ],
  [
    "variables that Kubernetes sets for a service, and unrelated ones",
    {},
    {
      MAZANEH_SERVICE_HOST: "10.0.0.1",
      MAZANEH_SERVICE_PORT: "8080",
      MAZANEH_PORT_8080_TCP: "x",
      MAZANEH_PORT_8080_TCP_PROTO: "x",
      MAZANEH_SERVICE_PORT_HTTP: "x",
      MAZANEH_KEY: "x",
      MAZANEH_UPSTREAM_KEY: "x",
    },
    [],
  ],
];
test("conflicts: serve warns about settings that have no effect or work against each other", async () => {
  for (const [rule, flags, variables, warnings] of warned)
    assert.deepEqual(serverWarnings(await settingsInForce(flags, variables), variables), warnings, rule);
});

test("conflicts: serve warns about a misspelt variable", async (t) => {
  const data = await temporaryStore(t);
  const env = { MAZANEH_STROE: DATABASE };
  const said = "The variable MAZANEH_STROE has no effect; did you mean MAZANEH_STORE?";
  const served = await serving(t, ["--data", data], env, { now: "2026-06-01T00:00:00Z" });
  assert.deepEqual(served.state["warnings"], [said]);
  assert.equal(await served.stop(), 0);
});

test("conflicts: from 1 January on, serve warns once that its level tables end with the previous year", async (t) => {
  const data = await temporaryStore(t);
  const last = lastYearOfTables();
  const warning = `The built-in price tables end with ${last}: install a newer version, which checks newer prices better`;
  for (const [now, warnings] of [
    [`${last}-12-31T23:59:59Z`, []],
    [`${last + 1}-01-01T00:00:00Z`, [warning]],
  ] as const) {
    const served = await serving(t, ["--data", data, "--log-format", "json"], {}, { now });
    assert.equal(await served.stop(), 0);
    assert.deepEqual(served.state["warnings"], warnings);
    assert.equal(served.errors().split(warning).length - 1, warnings.length);
  }
});
