// Puts an API key into every place where it does not belong. No output may repeat the secret of the key.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { SETTING_NAMES, variableOf } from "../../adapters/cli/settings.ts";
import { mazaneh, serving } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";
import { runs } from "../support/suite_size.ts";
import { LOADED } from "./loaded_commands.ts";

const folder = mkdtempSync(join(tmpdir(), "mazaneh-canary-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const data = join(folder, "data");

const made = await program(["keys", "create", "alice", "--init", "--json", "--data", data]);
const KEY = (JSON.parse(made.out) as { key: string }).key;
const SECRET = KEY.slice("mz_live_12345678_".length);
/** Forms of a pasted key: whole, without prefix, without checksum, with a foreign prefix, inside other text. */
const FORMS = [
  KEY,
  SECRET,
  SECRET.slice(0, 43),
  `sk_live_${SECRET}`,
  `X-API-Key:${KEY}`,
  `\u00a0${KEY}\u00a0`,
  KEY.slice(0, -1),
].slice(0, runs(1));

/** Asserts that the output contains no ten consecutive characters of the secret. */
function assertSilent({ out, err }: { out: string; err: string }, what: string): void {
  for (let at = 0; at + 10 <= SECRET.length; at++) {
    const part = SECRET.slice(at, at + 10);
    assert.ok(!out.includes(part) && !err.includes(part), `${what.replaceAll(SECRET, "SECRET")}:\n${out}${err}`);
  }
}

async function silent(args: readonly string[], setting: Parameters<typeof program>[1] = {}): Promise<number> {
  const run = await program(args, setting);
  assertSilent(run, args.join(" "));
  return run.code;
}

describe("canary", () => {
  const home = process.cwd();
  before(() => process.chdir(folder)); // Some commands take the key as a path, and write to it.
  after(() => process.chdir(home));

  test("canary: a key is not printed if it is an operand or an option of any command, or the command itself", async () => {
    for (const form of FORMS) {
      await silent([form]);
      await silent(["keys", form]);
      await silent([form, "--help"]);
      for (const { name, options } of LOADED) {
        const words = name.split(" ");
        const end = ["--data", data];
        // `serve` would start a server here, and is tested below with the real program.
        if (name !== "serve") await silent([...words, form, ...end]);
        await silent([...words, form, form, ...end]);
        await silent([...words, `--${form}`, ...end]);
        await silent([...words, `--data=${join(folder, "none", form)}`, "one", "two", "three"]);
        for (const [option, { type }] of Object.entries(options)) {
          if (type === "boolean" || name === "serve")
            await silent([...words, `--${option}=${form}`, "one", "two", "three"]);
          else
            await silent([...words, `--${option}`, form, ...end, ...(name === "restore" ? ["a", "b"] : ["alice"])], {
              input: ["code\n"],
            });
        }
      }
    }
  });

  test("canary: a key is not printed if it is in any variable, or in the config file as a name, a value, or the whole content", async () => {
    for (const form of FORMS) {
      for (const name of [...SETTING_NAMES.map(variableOf), "MAZANEH_CONFIG"]) {
        await silent(["keys", "list"], { env: { MAZANEH_DATA: data, [name]: form } });
      }
      const config = join(folder, "config.json");
      const values = [
        form,
        { assets: form },
        { assets: { add: form, drop: [form] } },
        { assets: { add: [{ code: form }] } },
      ];
      const texts = [form, `{"assets":"${form}`, `{"${form}":1}`, ...values.map((value) => JSON.stringify(value))];
      for (const text of texts) {
        await writeFile(config, text);
        await silent(["keys", "list", "--config", config]);
      }
    }
  });

  test("canary: a key in an imported file is never printed, whether it is a cell, the name of a column or the name of the file", async () => {
    const columns = ["code", "value", "businessTime", "sourceTime", "provider", "qualityStatus", "qualityMessage"];
    const good = ["USD_RLS", "1", "2026-08-21T16:30:00Z", "", "", "", ""];
    for (const form of FORMS) {
      const files = [
        `${form}\n`,
        `${columns.join(",")},${form}\n${good.join(",")},x\n`,
        `"${form}`,
        `{"${form}":1}\n`,
        `{"code":"${form}\n`,
        `[${form}]\n`,
        ...columns.map(
          (_, at) => `${columns.join(",")}\n${good.map((cell, column) => (column === at ? form : cell)).join(",")}\n`,
        ),
        ...columns.map(
          (column) =>
            `${JSON.stringify({ code: "USD_RLS", value: 1, businessTime: "2026-08-21T16:30:00Z", [column]: form })}\n`,
        ),
      ];
      for (const text of files) {
        await silent(["import", "-", "--data", data], { input: [text] });
        await silent(["import", "-", "--data", data, "--json"], { input: [text], isTTY: true });
      }
      const place = join(folder, form);
      await mkdir(place, { recursive: true });
      await writeFile(join(place, `${form}.csv`), files[1]!);
      await writeFile(join(place, `${form}.gz`), gzipSync(files[1]!).subarray(0, 30));
      for (const path of [place, join(place, `${form}.csv`), join(place, `${form}.gz`), join(place, "none")]) {
        await silent(["import", path, "--data", data], { isTTY: true });
        await silent(["import", path, "--data", data, "--json"]);
      }
      const out = join(place, `${form}.csv`);
      assert.equal(await silent(["export", "--data", data, "--out", out]), 0);
      assert.equal(await silent(["export", "--data", data, "--out", out, "--json"]), 0);
    }
  });

  test("canary: a key in arguments of the real program is not printed, whether servers start or fail", async (t) => {
    const place = join(folder, KEY, "served");
    const server = await serving(t, ["--data", place, "--application", KEY]);
    assertSilent({ out: JSON.stringify(server.state), err: "" }, "serve --json");
    assertSilent(await mazaneh(["serve", "--port", "0", "--data", place]), "serve, with a directory in use");
    assertSilent(await mazaneh(["serve", KEY, "--port", KEY, "--data", place]), "serve, with a key as the port");
    assertSilent(await mazaneh(["keys", "create", KEY, "--data", place]), "keys create, with a key as the name");
    assert.equal(await server.stop(), 0);
  });

  test("a key is not stored as the name of an account or a plan, or as a note: exit code 64", async () => {
    const before = await readFile(join(data, "accounts/accounts.json"), "utf8");
    const commands = [
      ["keys", "create", SECRET],
      ["keys", "create", "bob", "--note", KEY],
      ["plans", "set", SECRET, "--daily-units", "5", "--attribution", "no"],
    ];
    for (const command of commands) {
      const { code, err } = await program([...command, "--data", data]);
      assert.deepEqual(
        [code, /^mazaneh: \S+ looks like an API key, and would be stored in plain text\n$/.test(err)],
        [64, true],
        err,
      );
    }
    assert.equal(await readFile(join(data, "accounts/accounts.json"), "utf8"), before);
  });

  test("canary: no file in accounts/ contains the key after these commands", async () => {
    for (const entry of await readdir(join(data, "accounts"))) {
      assert.equal((await readFile(join(data, "accounts", entry), "utf8")).includes(SECRET), false, entry);
    }
  });
});
