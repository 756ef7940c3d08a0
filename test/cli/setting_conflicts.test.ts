import assert from "node:assert/strict";
import { test } from "node:test";
import { serverWarnings } from "../../adapters/cli/setting_conflicts.ts";
import { settingsInForce } from "../../adapters/cli/settings_sources.ts";
import { lastYearOfTables } from "../../adapters/intake/levels/expected_prices.ts";
import { serving, temporaryStore } from "../support/cli.ts";

const DATABASE = "postgres://h/d";

type Variables = Readonly<Record<string, string>>;

test("conflicts: if a flag and a variable name different stores, the flag decides", async () => {
  const { values } = await settingsInForce({ data: "here", store: "files" }, { MAZANEH_STORE: DATABASE });
  assert.equal(values.store, "files");
});

/** Settings, and a part of each warning that they cause. The variables that Kubernetes sets cause no warning. */
const warned: readonly (readonly [flags: Variables, variables: Variables, warnings: readonly string[]])[] = [
  [{}, {}, []],
  [{ store: DATABASE }, { MAZANEH_DATA: "/data" }, ["MAZANEH_DATA is not used"]],
  [{ store: "files" }, { MAZANEH_DATA: "/data" }, []],
  [{}, { MAZANEH_DATA: "", MAZANEH_STORE: DATABASE, MAZANEH_STOER: "" }, []],
  [{ "address-rate": "10/s" }, {}, ["--behind-proxy"]],
  [{ "address-rate": "10/s" }, { MAZANEH_BEHIND_PROXY: "127.0.0.1" }, []],
  [{ "address-rate": "10/s", host: "0.0.0.0" }, {}, []],
  [{ "public-market": "true" }, {}, ["--address-rate"]],
  [{ "public-market": "true", "address-rate": "10/s", host: "0.0.0.0" }, {}, []],
  [{ "public-market": "true" }, { MAZANEH_BEHIND_PROXY: "true" }, []],
  [{}, { MAZANEH_STOER: DATABASE }, ["MAZANEH_STORE?"]],
  [{}, { MAZANEH_ADMINPORT: "1" }, ["MAZANEH_ADMIN_PORT?"]],
  [{}, { MAZANEH_KEYRATE: "1/s" }, ["MAZANEH_KEY_RATE?"]],
  [{}, { MAZANEH_DATA_DIR: "/d" }, ["MAZANEH_DATA?"]],
  [{}, { MAZANEH_LISTEN_PORT: "1" }, ["MAZANEH_PORT?"]],
  [{}, { MAZANEH_ADMIN_PORT_NUMBER: "1" }, ["MAZANEH_ADMIN_PORT?"]],
  [{}, { MAZANEH_STORE_URL: DATABASE }, ["MAZANEH_STORE?"]],
  [{}, { MAZANEH_SERVICE_HOST: "10.0.0.1", MAZANEH_SERVICE_PORT: "8080", MAZANEH_PORT_8080_TCP: "x" }, []],
  [{}, { MAZANEH_PORT_8080_TCP_PROTO: "x", MAZANEH_SERVICE_PORT_HTTP: "x" }, []],
  [{}, { MAZANEH_KEY: "x", MAZANEH_UPSTREAM_KEY: "x" }, []],
];
test("conflicts: serve warns about settings that have no effect or work against each other", async () => {
  for (const [flags, variables, words] of warned) {
    const warnings = serverWarnings(await settingsInForce(flags, variables), variables);
    assert.equal(warnings.length, words.length, JSON.stringify({ flags, variables, warnings }));
    for (const [at, word] of words.entries()) assert.ok(warnings[at]!.includes(word), warnings[at]);
  }
});

test("conflicts: from 1 January on, serve warns once that its built-in price tables end with the previous year", async (t) => {
  const data = await temporaryStore(t);
  const last = lastYearOfTables();
  for (const [now, count] of [
    [`${last}-12-31T23:59:59Z`, 0],
    [`${last + 1}-01-01T00:00:00Z`, 1],
  ] as const) {
    const served = await serving(t, ["--data", data, "--log-format", "json"], {}, { now });
    assert.equal(await served.stop(), 0);
    for (const text of [JSON.stringify(served.state["warnings"]), served.errors()])
      assert.equal(text.split(`price tables end with ${last}`).length - 1, count);
  }
});
