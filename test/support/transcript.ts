import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { after, test } from "node:test";
import { makeStore } from "./cli.ts";
import { program } from "./cli_program.ts";

/** Whether transcripts are rewritten with the current output: `MAZANEH_UPDATE=1`. */
export const UPDATE = process.env["MAZANEH_UPDATE"] === "1";

const NOW = "2026-11-21T10:00:00Z";
/** Parts of the output that differ in each run. */
const VARIES: readonly (readonly [RegExp, string])[] = [
  [/\(store \w+\)/g, "(store …)"],
  [/\.[0-9a-f]{16}\.tmp/g, ".….tmp"],
  [/^(Disk +).*/gm, "$1…"],
  [/(127\.0\.0\.1:|"pid":)\d{2,}/g, "$1…"],
  [/^((?:[A-Z]{6}|\w+\/)\S+json +\d+|.*once had) +[\d,]+/gm, "$1 …"],
];
const KEY = /\bmz_live_([0-9A-Za-z]{8})_[0-9A-Za-z]{49}\b/g;

/**
 * Declares a test for each part of a transcript. A part begins with `## ` and its title. The test runs in its own
 * directory, with an empty store in `data`:
 *
 * ```
 * < prices.csv
 * code,value,businessTime
 * *200 USD_RLS,{1500000+1000},{2026-01-01T13:00:00Z+1d}
 * @ 2026-08-21T12:00:00Z
 * $ mazaneh import prices.csv
 * ```
 *
 * - `<` writes a file. A line that begins with `*200` is repeated 200 times; a value in braces grows by its step.
 * - `@` sets the clock.
 * - `$` runs a command of the program, or `cat FILE`. Variables may come before the command (`COLUMNS` is the width of
 *   the terminal). The command may be followed by `< FILE` for standard input, `> /dev/null` to hide the output, `# y`
 *   for a terminal on which `y` is typed (`^D` ends it), and then an exit code other than 0: `[64]`.
 *
 * A command is followed by its output. Lines of standard error start with `! `. The first key is `<key-1>`, its ID
 * `<id-0001>`. `MAZANEH_UPDATE=1` rewrites the output, but not the exit codes.
 */
export async function transcript(path: string): Promise<void> {
  const [head = "", ...parts] = (await readFile(path, "utf8")).split(/^## /m);
  const played: string[] = [];
  for (const [at, part] of parts.entries()) {
    const [title = "", ...lines] = part.trimEnd().split("\n");
    test(`transcript ${basename(path, ".txt")}: ${title}`, async () => {
      const found = await play(lines);
      played[at] = [title, ...found].join("\n");
      if (!UPDATE) assert.equal(found.join("\n"), lines.join("\n"));
    });
  }
  after(async () => {
    if (UPDATE && Object.keys(played).length === parts.length)
      await writeFile(path, `${head}${played.map((part) => `## ${part}\n`).join("\n")}`);
  });
}

async function play(lines: readonly string[]): Promise<readonly string[]> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "mazaneh-transcript-")));
  const home = process.cwd();
  process.chdir(directory);
  try {
    await makeStore("data");
    const run = shell(directory);
    const played: string[] = [];
    let now = NOW;
    for (let at = 0; at < lines.length; ) {
      const line = lines[at++]!;
      const inner: string[] = [];
      while (at < lines.length && !/^[$<@] /.test(lines[at]!)) inner.push(lines[at++]!);
      played.push(line, ...(line.startsWith("$ ") ? await run(line.slice(2), now) : inner));
      if (line.startsWith("@ ")) now = line.slice(2);
      if (line.startsWith("< ")) await writeIn(line.slice(2), unescaped(inner.flatMap(repeated).join("\n")));
    }
    return played;
  } finally {
    process.chdir(home);
    await rm(directory, { recursive: true, force: true });
  }
}

async function writeIn(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text === "" ? "" : `${text}\n`);
}

/** Replaces `\\n`, `\\r`, `\\t` and `\\u200f` in a text with their characters. */
export function unescaped(text: string): string {
  return text
    .replace(/\\([trn])/g, (_, letter: "t" | "r" | "n") => ({ t: "\t", r: "\r", n: "\n" })[letter])
    .replace(/\\u([0-9a-f]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Expands a line with a count into its lines. */
export function repeated(line: string): readonly string[] {
  const [, count, pattern = ""] = /^\*(\d+) (.*)$/.exec(line) ?? [];
  if (count === undefined) return [line];
  return Array.from({ length: Number(count) }, (_, at) =>
    pattern.replace(/\{(.+?)([+-][\d.]+)([dhm]?)\}/g, (_whole, start: string, step: string, unit: string) => {
      const width = { d: 86_400_000, h: 3_600_000, m: 60_000 }[unit];
      if (width === undefined) return String(Number((Number(start) + at * Number(step)).toPrecision(12)));
      return new Date(Date.parse(start) + at * Number(step) * width).toISOString();
    }),
  );
}

/** Runs command lines, which share the replacements for keys and IDs. */
function shell(directory: string): (line: string, now: string) => Promise<readonly string[]> {
  const names = new Map<string, string>();
  return async (line, now) => {
    const [, command = "", input, answer = "", exitCode = "0"] =
      /^(.*?)(?: < (\S+))?(?: > \/dev\/null)?(?: #(?: (.*?))??)?(?: \[(\d+)\])?$/.exec(line) ?? [];
    let plain = command;
    for (const [secret, name] of names) plain = plain.replaceAll(name, secret);
    const given = words(plain);
    if (given[0] === "cat") return (await readFile(given[1]!, "utf8")).trimEnd().split("\n");
    const start = given.indexOf("mazaneh");
    const variables = given.slice(0, start).map((word) => word.split(/=(.*)/s).slice(0, 2) as [string, string]);
    const isTTY = line.includes(" #");
    const typed = answer === "^D" ? "" : `${answer}\n`;
    const piped = input === undefined ? "" : await readFile(input);
    const { COLUMNS, ...env }: Record<string, string> = Object.fromEntries(variables);
    const { code, out, err } = await program(given.slice(start + 1), {
      env: { MAZANEH_DATA: "data", ...env },
      ...(COLUMNS !== undefined && { columns: Number(COLUMNS) }),
      input: [isTTY ? typed : piped],
      ...{ now, asks: true, isTTY },
    });
    assert.equal(code, Number(exitCode), `${line}\n${err}`);
    const seen = (text: string): string => {
      for (const [key, id] of text.matchAll(KEY)) {
        const number = names.size / 2 + 1;
        if (!names.has(key)) names.set(key, `<key-${number}>`).set(id!, `<id-${String(number).padStart(4, "0")}>`);
      }
      let shown = text.replaceAll(`${directory}/`, "");
      for (const [secret, name] of names) shown = shown.replaceAll(secret, name);
      for (const [varies, name] of VARIES) shown = shown.replace(varies, name);
      return shown.replace(/[\r\u001b]/g, (letter) => (letter === "\r" ? "\\r" : "\\e")).trimEnd();
    };
    const isHidden = line.includes(" > /dev/null");
    const [stdout, stderr] = [out, err].map(seen).map((text) => (isHidden ? "" : text)) as [string, string];
    return [
      ...(stderr === "" ? [] : stderr.split("\n").map((one) => `! ${one}`.trimEnd())),
      ...(stdout === "" ? [] : stdout.split("\n")),
    ];
  };
}

/** The words of a command line, split as a shell does. */
export function words(line: string): string[] {
  const found = line.match(/(?:[^\s"'\\]|\\.|"[^"]*"|'[^']*')+/g) ?? [];
  return found.map((word) =>
    word.replace(/\\(.)|"([^"]*)"|'([^']*)'/g, (_, escaped, double, single) => escaped ?? double ?? single),
  );
}
