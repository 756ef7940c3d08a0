import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { flagOf, SETTING_NAMES, SETTINGS, variableOf } from "../../../adapters/cli/settings.ts";
import type { SettingName } from "../../../adapters/cli/settings.ts";
import { settingsInForce } from "../../../adapters/cli/settings_sources.ts";
import { temporaryDirectory } from "../../support/cli.ts";
import { program } from "../../support/cli_program.ts";

test("settings: flag, variable and config name follow from one name", () => {
  assert.equal(flagOf("staleThresholdMinutes"), "stale-threshold-minutes");
  assert.equal(variableOf("staleThresholdMinutes"), "MAZANEH_STALE_THRESHOLD_MINUTES");
  assert.equal(variableOf("data"), "MAZANEH_DATA");
});

test("settings: without any, the defaults are in force", async () => {
  const { values, sources } = await settingsInForce({}, {});
  assert.deepEqual(values, {
    data: "data", store: "files", quota: "store", host: "127.0.0.1", port: 8080, adminPort: "none", behindProxy: false, keyRate: "none", addressRate: "none", fastStart: false, marketTimeZone: "Asia/Tehran", quotaTimeZone: "UTC",
    staleThresholdMinutes: 60, feedMaxAgeMinutes: "none", mirror: "none", mirrorKeyFile: "none", mirrorCodes: "all", mirrorUnits: 50, mirrorProvider: "none", accessLog: false, logFormat: "auto", maxCandles: 10_000, chargeFailures: "contract", cors: "*", application: "mazaneh",
    documentationUrl: "/docs",
  });
  assert.deepEqual(new Set(Object.values(sources)), new Set(["default"]));
});

test("settings: flags stand over variables, variables over the config file, that over the defaults", async (t) => {
  const file = join(await temporaryDirectory(t), "config.json");
  await writeFile(file, '{"port": 1, "maxCandles": 1, "application": "a", "behindProxy": true}');
  const env = { MAZANEH_CONFIG: file, MAZANEH_PORT: "2", MAZANEH_MAX_CANDLES: "2", MAZANEH_HOST: "" };
  const { values, sources } = await settingsInForce({ port: "3" }, env);
  const chosen = (["port", "maxCandles", "application", "behindProxy", "host"] as const).map((name) => [values[name], sources[name]]);
  assert.deepEqual(chosen, [
    [3, "--port"],
    [2, "MAZANEH_MAX_CANDLES"],
    ["a", file],
    [true, file],
    ["127.0.0.1", "default"],
  ]);
  const { values: other } = await settingsInForce({ config: file, "behind-proxy": false }, { MAZANEH_CONFIG: "/no/such/file" });
  assert.equal(other.port, 1, "--config stands over MAZANEH_CONFIG");
});

const readings: readonly (readonly [SettingName, text: string, value: unknown])[] = [
  ["port", "0", 0],
  ["adminPort", "none", "none"],
  ["adminPort", "0", 0],
  ["adminPort", "65536", undefined],
  ["adminPort", "off", undefined],
  ["feedMaxAgeMinutes", "15", 15],
  ["mirror", "https://api.example.com/market", "https://api.example.com/market"],
  ["mirror", "ftp://api.example.com", undefined],
  ["mirror", "https://user:secret@api.example.com", undefined],
  ["mirror", "https://api.example.com/?api_key=x", undefined],
  ["mirrorCodes", "USD_RLS, EUR_RLS,USD_RLS", ["USD_RLS", "EUR_RLS"]],
  ["mirrorCodes", "USD_RLS,", undefined],
  ["feedMaxAgeMinutes", "0", undefined],
  ["logFormat", "text", "text"],
  ["logFormat", "xml", undefined],
  ["port", "65535", 65_535],
  ["port", "65536", undefined],
  ["port", "-1", undefined],
  ["port", "80a", undefined],
  ["port", "8e3", undefined],
  ["host", " ", undefined],
  ["staleThresholdMinutes", "90", 90],
  ["staleThresholdMinutes", "0", undefined],
  ["staleThresholdMinutes", "1.5", undefined],
  ["maxCandles", "0", undefined],
  ["marketTimeZone", "Europe/Berlin", "Europe/Berlin"],
  ["marketTimeZone", "Asia/Teheran", undefined],
  ["quotaTimeZone", "UTC", "UTC"],
  ["chargeFailures", "always", "always"],
  ["chargeFailures", "never", undefined],
  ["cors", "*", "*"],
  ["cors", "none", "none"],
  ["cors", "https://a.example, http://b.example:81", ["https://a.example", "http://b.example:81"]],
  ["cors", "https://a.example/", undefined],
  ["cors", "a.example", undefined],
  ["behindProxy", "true", true],
  ["behindProxy", "0", false],
  ["behindProxy", "none", false],
  ["behindProxy", "127.0.0.1, 10.0.0.0/8,fd00::/8", ["127.0.0.1", "10.0.0.0/8", "fd00::/8"]],
  ["behindProxy", "maybe", undefined],
  ["behindProxy", "10.0.0.0/33", undefined],
  ["behindProxy", "127.0.0.1,,::1", undefined],
  ["behindProxy", "true,127.0.0.1", undefined],
  ["keyRate", "10/s:50", "10/s:50"],
  ["keyRate", "none", "none"],
  ["keyRate", "10", undefined],
  ["addressRate", "600/m", "600/m"],
  ["addressRate", "0/s", undefined],
  ["fastStart", "1", true],
  ["fastStart", "false", false],
  ["fastStart", "yes", undefined],
  ["application", "Our prices", "Our prices"],
  ["documentationUrl", "/guide", "/guide"],
  ["documentationUrl", "https://a.example/guide", "https://a.example/guide"],
  ["documentationUrl", "a.example/guide", undefined],
  ["documentationUrl", "//a.example/guide", undefined],
  ["documentationUrl", "/\\a.example/guide", undefined],
  ["documentationUrl", "https://user:secret@a.example/guide", undefined],
];
for (const [name, text, expected] of readings) {
  test(`settings: ${name} "${text}" is ${expected === undefined ? "refused" : `read as ${JSON.stringify(expected)}`}`, async () => {
    const attempt = settingsInForce({}, { [variableOf(name)]: text });
    if (expected !== undefined) {
      assert.deepEqual((await attempt).values[name], expected);
    } else {
      await assert.rejects(attempt, {
        exitCode: 78,
        message: `${variableOf(name)}: ${name} must be ${SETTINGS[name].wanted}: received "${text.replace("user:secret", "…")}"`,
      });
    }
  });
}

const configs: readonly (readonly [rule: string, content: string, wanted: RegExp | readonly [SettingName, unknown]])[] = [
  ["a list of origins", '{"cors": ["https://a.example", "https://b.example"]}', ["cors", ["https://a.example", "https://b.example"]]],
  ["origins as text", '{"cors": "https://a.example,https://b.example"}', ["cors", ["https://a.example", "https://b.example"]]],
  ["a number as text", '{"port": "8080"}', /: port must be a whole number from 0 to 65535: received "8080"$/],
  ["a text as number", '{"data": 5}', /: data must be a directory: received 5$/],
  ["a switch as text", '{"fastStart": "true"}', /: fastStart must be true or false: received "true"$/],
  ["a list of proxies", '{"behindProxy": ["127.0.0.1", "fd00::/8"]}', ["behindProxy", ["127.0.0.1", "fd00::/8"]]],
  ["proxies as a truth value", '{"behindProxy": true}', ["behindProxy", true]],
  ["a rate for addresses that nobody knows", '{"behindProxy": true, "addressRate": "1/s"}', /: addressRate needs the addresses of clients: behindProxy must name the proxies/],
  ["a rate for addresses that proxies name", '{"behindProxy": "127.0.0.1", "addressRate": "1/s"}', ["addressRate", "1/s"]],
  ["one port for the API and the admin listener", '{"port": 9464, "adminPort": 9464, "host": "0.0.0.0"}', /: port and adminPort are both 9464: choose different ones$/],
  ["one port on different addresses", '{"port": 9464, "adminPort": 9464, "host": "192.0.2.1"}', ["port", 9464]],
  ["any free ports for both", '{"port": 0, "adminPort": 0}', ["adminPort", 0]],
  ["a list where none is wanted", '{"data": ["a"]}', /: data must be a directory: received \["a"\]$/],
  ["null", '{"port": null}', /: port must be a whole number from 0 to 65535: received null$/],
  ["an unknown name", '{"prot": 80}', /: there is no setting "prot": known are data, store, quota, host, port, /],
  ["a name of the prototype", '{"__proto__": 1}', /: there is no setting "__proto__"/],
  ["another prototype name", '{"constructor": 1}', /: there is no setting "constructor"/],
  ["no JSON", "port = 80", /^The config file ".*" is not JSON: /],
  ["no object", "[]", /^The config file ".*" must hold one JSON object$/],
];
for (const [rule, content, wanted] of configs) {
  test(`config file: ${rule} is ${wanted instanceof RegExp ? "refused with 78" : "read"}`, async (t) => {
    const file = join(await temporaryDirectory(t), "config.json");
    await writeFile(file, content);
    const attempt = settingsInForce({ config: file }, {});
    if (wanted instanceof RegExp) await assert.rejects(attempt, { exitCode: 78, message: wanted });
    else assert.deepEqual((await attempt).values[wanted[0]], wanted[1]);
  });
}

test("config file: one that is not there is refused with 78, by any command", async () => {
  const { code, err } = await program(["keys", "list", "--config", "/no/such/file.json"]);
  assert.equal(code, 78);
  assert.match(err, /^mazaneh: Cannot read the config file "\/no\/such\/file\.json": ENOENT.*; check --config and MAZANEH_CONFIG\n$/);
});

test("serve --help: every setting has its option, its variable and its default there", async () => {
  const { out } = await program(["serve", "--help"]);
  const help = out.replace(/\s+/g, " ");
  for (const name of SETTING_NAMES) {
    const { summary, fallback, placeholder } = SETTINGS[name];
    const hint = placeholder === undefined ? variableOf(name) : `default ${String(fallback)}, ${variableOf(name)}`;
    assert.ok(help.includes(`--${flagOf(name)} ${placeholder === undefined ? "" : `${placeholder} `}${summary} [${hint}]`), name);
  }
});

test("settings: what a wrong proxy is told to be names the default as it is printed", () => {
  assert.ok(SETTINGS.behindProxy.wanted.startsWith(`${String(SETTINGS.behindProxy.fallback)}, true, or addresses`));
});
