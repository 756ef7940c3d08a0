// Files as people have them, each with its outcome: no wrong number is stored of any, and most are right at once.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { readJsonFiles } from "../../../adapters/stores/json_files/mod.ts";
import { program } from "../../support/cli_program.ts";
import { CONFLICTS } from "./conflicts.ts";
import { DECIMALS } from "./decimals.ts";
import { FIRST } from "./first.ts";
import { NAMES } from "./names.ts";
import { type OddFile, record, truthOf, words } from "./odd_file.ts";
import { OHLC } from "./ohlc.ts";
import { PEOPLE } from "./people.ts";
import { SHAPES } from "./shapes.ts";
import { TABLES } from "./tables.ts";
import { TIMES } from "./times.ts";
import { UNITS } from "./units.ts";
import { WRITTEN } from "./written.ts";

const KINDS: Readonly<Record<string, readonly OddFile[]>> = {
  ...{
    units: UNITS,
    decimals: DECIMALS,
    times: TIMES,
    names: NAMES,
    shapes: SHAPES,
    ohlc: OHLC,
    conflicts: CONFLICTS,
    first: FIRST,
  },
  ...{ written: WRITTEN, tables: TABLES, people: PEOPLE },
};
/** Options that every import may need. */
const PLAIN = /^(?: ?--(?:code|day|day-at|year) \S+)*$/;
/** Options about values that look wrong, or contradict each other. */
const OF_VALUES = ["--doubtful", "--last-wins", "--replace-days"];
const NOW = "2026-11-21T10:00:00Z";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "mazaneh-odd-"));
});
after(() => rm(folder, { recursive: true, force: true }));

for (const [kind, files] of Object.entries(KINDS)) {
  test(`odd files: ${kind}: each has its outcome, and each command that is printed works`, async () => {
    const problems: string[] = [];
    for (const file of files) {
      const { problem, said } = await outcomeOf(file);
      if (problem !== undefined) problems.push(`${file[0]} ${file[2]}: ${problem}\n${said}`);
    }
    assert.equal(problems.length, 0, `${problems.length} of ${files.length}\n\n${problems.join("\n\n")}`);
  });
}

test("odd files: at least 65 of 100 are right at once, without any option beside --code, --day, --day-at, --year and --yes", () => {
  const all = Object.values(KINDS)
    .flat()
    .filter(([, , , outcome]) => typeof outcome === "string" || "byCommand" in outcome);
  const atOnce = all.filter(([, , options, outcome]) => typeof outcome === "string" && PLAIN.test(options));
  assert.ok(all.length >= 200, `${all.length} files`);
  assert.ok(atOnce.length >= all.length * 0.65, `${atOnce.length} of ${all.length}`);
});

/** Imports a file, and runs the command that is printed, if one is. The problem is what differs from the outcome of the file. */
async function outcomeOf([name, content, options, outcome, stored]: OddFile): Promise<{
  readonly problem: string | undefined;
  readonly said: string;
}> {
  const at = await mkdtemp(join(folder, "f-"));
  const names = Array.isArray(content) ? name.split(" ") : [name];
  for (const [i, one] of names.entries())
    await writeFile(join(at, one), (Array.isArray(content) ? content[i] : content) as string | Uint8Array);
  const store = ["--init", "--yes", "--data", join(at, "data")];
  if (stored !== undefined) {
    await writeFile(join(at, "stored"), stored);
    await program(["import", ...store, join(at, "stored")], { now: NOW, asks: true });
  }
  const earlier = await recordsIn(at);
  const first = await run(["import", ...names.map((one) => join(at, one)), ...words(options), ...store], at);
  const found = await recordsIn(at);
  if (typeof outcome === "string") return { problem: difference(found, truthOf(outcome)), said: first.said };
  // Of several files, those that leave nothing open are stored.
  const allowed = "byCommand" in outcome && Array.isArray(content) ? truthOf(outcome.byCommand) : [];
  if (!found.every((one) => earlier.includes(one) || allowed.includes(one)))
    return { problem: "it was stored at once", said: first.said };
  if ("rejected" in outcome && !first.said.includes(outcome.rejected))
    return { problem: `the reason is not ${outcome.rejected}`, said: first.said };
  if (first.command === undefined)
    return { problem: "byCommand" in outcome ? "no command was printed" : undefined, said: first.said };
  const second = await run(words(first.command), at);
  const said = `${first.said}\n${second.said}`;
  if ("byCommand" in outcome) return { problem: difference(await recordsIn(at), truthOf(outcome.byCommand)), said };
  return { problem: works(first.command, second) ? undefined : "the command that was printed does not work", said };
}

/** An import, with the command that it prints. */
interface Run {
  readonly said: string;
  readonly command: string | undefined;
}

async function run(args: readonly string[], at: string): Promise<Run> {
  const { err, out } = await program(args, { now: NOW, asks: true });
  return { said: `${out}${err}`.replaceAll(`${at}/`, ""), command: /^To import: mazaneh (.*)$/m.exec(err)?.[1] };
}

/** Whether a command that was printed has stored something, or leaves open values at most. */
function works(command: string, { said, command: next }: Run): boolean {
  if (next === undefined) return said.includes("This is import");
  const added = words(next).filter((word) => word.startsWith("--") && !words(command).includes(word));
  return added.length > 0 && added.every((option) => OF_VALUES.includes(option));
}

function difference(found: readonly string[], expected: readonly string[]): string | undefined {
  const [extra, missing] = [
    found.filter((one) => !expected.includes(one)),
    expected.filter((one) => !found.includes(one)),
  ];
  return extra.length + missing.length === 0 && found.length === expected.length
    ? undefined
    : `stored ${extra.slice(0, 3).join("; ")} and not ${missing.slice(0, 3).join("; ")}`;
}

/** The accepted records of a store, as truths are written; none where there is no store. */
async function recordsIn(at: string): Promise<readonly string[]> {
  const { observations } = await readJsonFiles(join(at, "data")).catch(() => ({ observations: undefined }));
  const accepted = [...(observations?.records() ?? [])].filter(({ qualityStatus }) => qualityStatus === "ACCEPTED");
  return accepted.map(({ code, value, businessTime }) => record(code, value, businessTime)).sort();
}
