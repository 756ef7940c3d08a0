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

test("COMMAND --help tells its use and its options, wherever it stands, and none is longer than two screens", async () => {
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
    assert.ok(name === "serve" || out.trimEnd().split("\n").length <= 48, `${name}: two screens of 24 lines`);
    assert.equal((await program([...name.split(" "), "-h", "--no-such-option"])).out, out);
    assert.equal((await program(["help", ...name.split(" ")])).out, out);
  }
});

test("an empty value of any option is refused, as a shell variable that is not set leaves it, and so is an empty argument: 64", async () => {
  for (const { name, options } of LOADED) {
    const words = name.split(" ");
    const texts = Object.keys(options).filter((option) => options[option]!.kind !== "switch");
    for (const option of texts) {
      const { code, err } = await program([...words, `--${option}`, ""]);
      const sentence = `mazaneh: The value of --${option} is empty; perhaps a shell variable is not set\n`;
      assert.deepEqual([code, err], [64, sentence], name);
    }
    assert.match((await program([...words, ""])).err, /^mazaneh: An argument is empty; /, name);
  }
});

const wrong: readonly (readonly [args: readonly string[], message: RegExp])[] = [
  [[], /^A command is missing\. Commands are: serve, keys create, /],
  [["keys", "make"], /^There is no command "keys make"\. Commands are: serve, keys create, /],
  [["sevre"], /^There is no command "sevre"\. Commands are: serve, /],
  [["constructor"], /^There is no command "constructor"/],
  [["--data", "x", "serve"], /^A command is missing/],
  [["serve", "now"], /^There is one argument too many: "now"$/],
  [["serve", "--prot", "1"], /^Unknown option '--prot'; did you mean --port\? See --help$/],
  [["serve", "--stale", "1"], /^Unknown option '--stale'; did you mean --stale-threshold-minutes\? See --help$/],
  [["serve", "--wat"], /^Unknown option '--wat'; see --help$/],
  [["import", "-", "--follow"], /^Unknown option '--follow'; see --help$/],
  [["serve", "-p", "80"], /^Unknown option '-p'; see --help$/],
  [
    ["serve", "--feed-max-age-minutes", "-5"],
    /^The value of --feed-max-age-minutes is missing; one that begins with a dash is written --feed-max-age-minutes=-1$/,
  ],
  [["serve", "--port"], /^Option '--port <value>' argument missing$/],
  [["serve", "--sample=yes"], /^Option '--sample' does not take an argument$/],
  [["keys", "create"], /^ACCOUNT is missing$/],
  [["keys", "create", "a", "b"], /^There is one argument too many: "b"$/],
  [["keys", "create", "a", "--expires", "soon"], /^--expires must be 30d, 12h, or a time such as .*: received "soon"$/],
  [["keys", "create", "a", "--expires", "2020-01-01T00:00:00Z"], /^--expires must be in the future: received /],
  [["keys", "create", "a", "--expires", "0d"], /^--expires must be /],
  [["keys", "revoke"], /^ID is missing$/],
  [["accounts", "set", "a"], /^--plan or --status is missing$/],
  [
    ["accounts", "set", "a", "--status", "active"],
    /^--status must be one of ACTIVE, RESTRICTED, DISABLED: received "active"$/,
  ],
  [["plans", "set", "P"], /^--daily-units or --attribution is missing$/],
  [
    ["plans", "set", "P", "--daily-units", "0"],
    /^--daily-units must be a whole number from 1, or unlimited: received "0"$/,
  ],
  [["plans", "set", "P", "--attribution", "maybe"], /^--attribution must be yes or no: received "maybe"$/],
  [["import"], /^FILE is missing; - is standard input$/],
  [["import", "-", "-"], /^Standard input can be read only once$/],
  [["export", "--format", "xml"], /^--format must be one of csv, csv-excel, ndjson: received "xml"$/],
  [
    ["export", "--code", "USD_RLS", "--code", "toString"],
    /^--code must be one of the catalog: received "toString"; mazaneh info lists the codes with records; codes of your own need --config$/,
  ],
  [
    ["export", "--code", "usd_rls"],
    /^--code must be one of the catalog: received "usd_rls"; did you mean USD_RLS \(rial; 10 rial are 1 toman\)\?$/,
  ],
  [["export", "--from", "2026-01-32"], /^--from must be a day, .*, or a time with a zone, .*: received "2026-01-32"$/],
  [["export", "--json"], /^--json needs --out/],
];
test("a wrong command line: exit code 64 and one line on standard error", async () => {
  for (const [args, message] of wrong) {
    const { code, out, err } = await program(args, { env: { MAZANEH_DATA: "/no/such/directory" } });
    assert.deepEqual([code, out], [64, ""], args.join(" "));
    assert.match(err, /^mazaneh: [^\n]+\n$/);
    assert.match(err.slice("mazaneh: ".length, -1), message);
  }
});

test("commands: all that take no operand refuse one with 64, and do nothing", async () => {
  const without = COMMANDS.filter(({ operands }) => operands === "");
  assert.ok(without.length >= 14, "they are found");
  for (const { name } of without) {
    const { code, err } = await program([...name.split(" "), "now"]);
    assert.deepEqual([name, code, err], [name, 64, 'mazaneh: There is one argument too many: "now"\n']);
  }
});
