import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { EXIT_CODES } from "../../adapters/cli/command_failure.ts";
import { COMMANDS } from "../../adapters/cli/commands/mod.ts";
import { mazaneh, spawned } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";
import { LOADED } from "./loaded_commands.ts";

test("--help lists every command and every exit code", async () => {
  const { code, out, err } = await mazaneh(["--help"]);
  assert.deepEqual([code, err], [0, ""]);
  for (const { name, summary } of COMMANDS)
    assert.match(out.replace(/\n {4,}/g, " "), new RegExp(`^  ${name} .*${summary}$`, "m"));
  for (const [exitCode] of EXIT_CODES) assert.match(out, new RegExp(`^  ${exitCode} `, "m"));
  assert.equal((await program(["-h"])).out, out);
  assert.equal((await program(["help"])).out, out);
});

test("--version prints the version of the package", async () => {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  const { code, out } = await spawned(["--version"]);
  assert.deepEqual([code, out], [0, `${version}\n`]);
});

test("COMMAND --help: shows usage and options wherever --help is placed, and fits on two screens", async () => {
  for (const { name, operands, summary, options } of LOADED) {
    const { code, out, err } = await program([...name.split(" "), "--help"]);
    assert.deepEqual([code, err], [0, ""]);
    assert.ok(out.startsWith(`Usage: mazaneh ${`${name} ${operands}`.trimEnd()} [OPTION…]\n\n${summary}.\n`), out);
    for (const option of Object.keys(options)) assert.match(out, new RegExp(`^  --${option}( |$)`, "m"));
    assert.deepEqual(
      out.split("\n").filter((line) => line.length > 101),
      [],
      "no line is wider than a usual terminal",
    );
    assert.ok(name === "serve" || out.trimEnd().split("\n").length <= 48, `${name}: at most two screens of 24 lines`);
    assert.equal((await program([...name.split(" "), "-h", "--no-such-option"])).out, out);
    assert.equal((await program(["help", ...name.split(" ")])).out, out);
  }
});

test("an empty option value, as from an unset shell variable, and an empty argument are refused: exit code 64", async () => {
  for (const { name, options } of LOADED) {
    const words = name.split(" ");
    const texts = Object.keys(options).filter((option) => options[option]!.type !== "boolean");
    for (const option of texts) {
      const { code, err } = await program([...words, `--${option}`, ""]);
      const sentence = `mazaneh: The value of --${option} is empty; perhaps a shell variable is not set\n`;
      assert.deepEqual([code, err], [64, sentence], name);
    }
    assert.match((await program([...words, ""])).err, /^mazaneh: An argument is empty; /, name);
  }
});

test("commands without operands refuse an operand with exit code 64, and do nothing", async () => {
  const without = COMMANDS.filter(({ operands }) => operands === "");
  assert.ok(without.length >= 14, "they are found");
  for (const { name } of without) {
    const { code, err } = await program([...name.split(" "), "now"]);
    assert.deepEqual([name, code, err], [name, 64, 'mazaneh: There is one argument too many: "now"\n']);
  }
});
