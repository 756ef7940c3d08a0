import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { dashed, SETTING_NAMES, SETTINGS, type SettingName, variableOf } from "../../adapters/cli/settings.ts";
import { settingsInForce } from "../../adapters/cli/settings_sources.ts";
import { temporaryStore } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";

test("settings: flags take precedence over variables, and variables over defaults; an empty variable counts as unset", async () => {
  const { values, sources } = await settingsInForce(
    { port: "3", "behind-proxy": false },
    { MAZANEH_PORT: "2", MAZANEH_MAX_CANDLES: "2", MAZANEH_HOST: "" },
  );
  const chosen = (["port", "maxCandles", "host"] as const).map((name) => [values[name], sources[name]]);
  assert.deepEqual(chosen, [
    [3, "--port"],
    [2, "MAZANEH_MAX_CANDLES"],
    ["127.0.0.1", "default"],
  ]);
});

test("settings: each command reads the settings and the config file once", async (t) => {
  const data = await temporaryStore(t);
  const config = join(dirname(data), "config.json");
  await writeFile(config, "{}");
  const question = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "find_asset", arguments: { asset: "dollar" } },
  };
  const input = "code,value,businessTime\nUSD_RLS,1905000,2026-08-21T16:30:00Z\n";
  const range = ["--from", "2026-08-21", "--to", "2026-08-21"];
  const commands: readonly (readonly [args: readonly string[], input?: string])[] = [
    [["import", "-"], input],
    ...["info", "get USD_RLS", "export", "usage", "verify", "status", "keys list", "pending list"].map(
      (line) => [line.split(" ")] as const,
    ),
    [["pending", "accept", "all", "--yes"]],
    [["withdraw", "--code", "USD_RLS", "--dry-run", ...range]],
    [["mirror", "again", "USD_RLS", ...range]],
    [["keys", "create", "bob", "--may", "write", "--codes", "USD_RLS"]],
    [["mcp"], `${JSON.stringify(question)}\n`],
  ];
  for (const [args, input = ""] of commands) {
    let reads = 0;
    const env = {
      MAZANEH_DATA: data,
      get MAZANEH_CONFIG() {
        reads++;
        return config;
      },
    };
    const { code, err } = await program(args, { input, env });
    assert.deepEqual([reads, code === 64], [1, false], `${args.join(" ")}: ${err}`);
  }
});

const readings: readonly (readonly [SettingName, text: string, value: unknown])[] = [
  ["adminPort", "0", 0],
  ["adminPort", "65536", undefined],
  ["feedMaxAgeMinutes", "15", 15],
  ["mirror", "https://api.example.com/market", "https://api.example.com/market"],
  ["mirror", "https://user:secret@api.example.com", undefined],
  ["mirror", "https://api.example.com/?api_key=x", undefined],
  ["mirrorCodes", "USD_RLS, EUR_RLS,USD_RLS", ["USD_RLS", "EUR_RLS"]],
  ["mirrorCodes", "none", "none"],
  ["logFormat", "xml", undefined],
  ["port", "65535", 65_535],
  ["port", "65536", undefined],
  ["host", " ", undefined],
  ["host", "[::1]", "::1"],
  ["marketTimeZone", "Europe/Berlin", "Europe/Berlin"],
  ["marketTimeZone", "Asia/Teheran", undefined],
  ["chargeFailures", "never", undefined],
  ["cors", "https://a.example, http://b.example:81", ["https://a.example", "http://b.example:81"]],
  ["cors", "https://a.example/", undefined],
  ["cors", "https://*.example", undefined],
  ["behindProxy", "true", true],
  ["behindProxy", "0", false],
  ["behindProxy", "127.0.0.1, 10.0.0.0/8,fd00::/8", ["127.0.0.1", "10.0.0.0/8", "fd00::/8"]],
  ["behindProxy", "maybe", undefined],
  ["behindProxy", "10.0.0.0/33", undefined],
  ["keyRate", "10/s:50", "10/s:50"],
  ["addressRate", "0/s", undefined],
  ["application", "Our prices", "Our prices"],
  ["documentationUrl", "/guide", "/guide"],
  ["documentationUrl", "https://a.example/guide", "https://a.example/guide"],
  ["documentationUrl", "//a.example/guide", undefined],
  ["documentationUrl", "/\\a.example/guide", undefined],
  ["documentationUrl", "https://user:secret@a.example/guide", undefined],
];
test("settings: each text is parsed, or refused with its source and the expected form", async () => {
  for (const [name, text, expected] of readings) {
    const attempt = settingsInForce({}, { [variableOf(name)]: text });
    if (expected !== undefined) {
      assert.deepEqual((await attempt).values[name], expected, `${name} "${text}"`);
    } else {
      const received = text.replace("user:secret", "…");
      await assert.rejects(attempt, {
        exitCode: 78,
        message: `${variableOf(name)}: ${name} must be ${SETTINGS[name].expected}: received "${received}"`,
      });
    }
  }
});

test("serve --help: lists every setting with option, variable and default", async () => {
  const { out } = await program(["serve", "--help"]);
  const help = out.replace(/\s+/g, " ");
  for (const name of SETTING_NAMES) {
    const { summary, fallback, placeholder } = SETTINGS[name];
    const hint = placeholder === undefined ? variableOf(name) : `default ${String(fallback)}, ${variableOf(name)}`;
    assert.ok(
      help.includes(`--${dashed(name)} ${placeholder === undefined ? "" : `${placeholder} `}${summary} [${hint}]`),
      name,
    );
  }
});
