// Imports realistic files and compares the outcomes. No wrong number is stored. Most files need no further options.
import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, before, test } from "node:test";
import { readJsonFiles } from "../../../adapters/stores/json_files/mod.ts";
import { program } from "../../support/cli_program.ts";
import { withoutShown } from "../../support/run_import.ts";
import { IS_NIGHTLY } from "../../support/suite_size.ts";
import { UPDATE, words } from "../../support/transcript.ts";
import { casesOf, type OddFile, outcomeLines, record, truthOf } from "./odd_file.ts";

/** Options that every import may need. */
const PLAIN = /^(?: ?--(?:code|day|day-at|year) \S+)*$/;
/** Options about values that look wrong or contradict each other. */
const OF_VALUES = ["--doubtful", "--last-wins", "--replace-days"];
const CORPUS = import.meta.dirname;
const texts = new Map<string, string>();
for (const name of (await readdir(CORPUS)).filter((one) => one.endsWith(".txt")).sort())
  texts.set(name, await readFile(join(CORPUS, name), "utf8"));

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "mazaneh-odd-"));
});
after(() => rm(folder, { recursive: true, force: true }));

for (const [name, text] of texts) {
  test(`odd files: ${basename(name, ".txt")}: each file has the expected outcome, and each printed command works`, async () => {
    const problems: string[] = [];
    const [cases, lines] = [casesOf(text), text.split("\n")];
    for (const file of (UPDATE ? cases : cases.filter(({ isNightly }) => IS_NIGHTLY || !isNightly)).toReversed()) {
      const at = await mkdtemp(join(folder, "f-"));
      const { problem, first } = await outcomeOf(file, at);
      const isListed = file.notes.length > 0 || file.outcome === "refused";
      const length = Math.max(1, file.notes.length + (file.outcome === "refused" ? 0 : 1));
      if (isListed && UPDATE) lines.splice(file.outcomeAt, length, ...outcomeLines(file, first.notes));
      const differs = isListed && !UPDATE && file.notes.join("\n") !== first.notes.join("\n");
      if (problem !== undefined || differs)
        problems.push(`${name}:${file.at}: ${problem ?? "the printed lines differ"}\n${first.said}`);
    }
    if (UPDATE) await writeFile(join(CORPUS, name), lines.join("\n"));
    assert.equal(problems.length, 0, `${problems.length} of ${cases.length}\n\n${problems.join("\n\n")}`);
  });
}

test("odd files: at least 65 % of the files with true prices are imported correctly with only --code, --day, --day-at, --year and --yes", () => {
  const all = [...texts.values()].flatMap(casesOf).filter(({ outcome, options }) => {
    return outcome !== "refused" && !options.includes("--doubtful accept");
  });
  const atOnce = all.filter(({ options, outcome }) => outcome !== "asked" && PLAIN.test(options));
  assert.ok(all.length >= 200, `${all.length} files`);
  assert.ok(atOnce.length >= all.length * 0.65, `${atOnce.length} of ${all.length}`);
});

/** Imports a file, and runs the printed command, if any. `problem` says how the outcome differs from the case. */
async function outcomeOf(
  file: OddFile,
  at: string,
): Promise<{ readonly problem: string | undefined; readonly first: Run }> {
  const { files, options, outcome, truth } = file;
  for (const { name, bytes } of files) await writeFile(join(at, name), bytes);
  const store = ["--init", "--yes", "--data", join(at, "data")];
  let earlier: readonly string[] = [];
  if (file.before !== undefined) {
    await writeFile(join(at, "stored"), file.before);
    await program(["import", ...store, join(at, "stored")], { now: NOW, asks: true });
    earlier = await recordsIn(at);
  }
  const first = await run(
    ["import", ...files.map(({ name }) => join(at, name)), ...words(options), ...store],
    at,
    files.length > 1 ? "" : files[0]!.name,
  );
  const found = await recordsIn(at);
  if (first.code !== (outcome === "stored" ? 0 : 65)) return { problem: `the exit code is ${first.code}`, first };
  if (outcome === "stored" || outcome === "partly") return { problem: difference(found, truthOf(truth)), first };
  // Of several files, the import itself may store each file that leaves no question open.
  const allowed = files.length > 1 ? truthOf(truth) : [];
  if (!found.every((one) => earlier.includes(one) || allowed.includes(one)))
    return { problem: "records were stored before the printed command ran", first };
  if (first.command === undefined)
    return { problem: outcome === "asked" ? "no command was printed" : undefined, first };
  const second = await run(words(first.command), at);
  const wrong = outcome === "asked" ? difference(await recordsIn(at), truthOf(truth)) : undefined;
  const isUseless = !works(first.command, second);
  return { problem: wrong ?? (isUseless ? `the printed command does not work: ${second.said}` : undefined), first };
}

/** The result of an import, and the command that it prints. */
interface Run {
  readonly code: number;
  readonly said: string;
  /** The lines about the files, and the options that the printed command adds. */
  readonly notes: readonly string[];
  readonly command: string | undefined;
}

const NOW = "2026-11-21T10:00:00Z";

/** Runs an import. Removes `name`, the name of the file, from its notes. */
async function run(args: readonly string[], at: string, name = ""): Promise<Run> {
  const { code, err, out } = await program(args, { now: NOW, asks: true });
  const notes = withoutShown(err)
    .replaceAll(`${at}/`, "")
    .replace(/^(?:nothing is stored yet to compare|Making a new store|Nothing was imported).*\n/gm, "")
    .replace(/^To import: mazaneh import .* --data data(.*)$/gm, "To import: …$1")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => (line.startsWith(`${name}:`) ? line.slice(name.length).replace(/^: /, "") : line));
  const command = /^To import: mazaneh (.*)$/m.exec(err)?.[1];
  return { code, said: `${out}${err}`.replaceAll(`${at}/`, ""), notes, command };
}

/** Whether a printed command has stored records, or asks only for further options about values. */
function works(command: string, { said, command: next }: Run): boolean {
  if (next === undefined) return said.includes("This is import");
  const added = words(next).filter((word) => word.startsWith("--") && !words(command).includes(word));
  return added.length > 0 && added.every((option) => OF_VALUES.includes(option));
}

/** How sorted records differ; `undefined` for equal ones. */
function difference(found: readonly string[], expected: readonly string[]): string | undefined {
  if (found.join() === expected.join()) return undefined;
  const extra = found.filter((one) => !expected.includes(one)).slice(0, 3);
  const missing = expected.filter((one) => !found.includes(one)).slice(0, 3);
  return `stored ${extra.join("; ")} and not ${missing.join("; ")}`;
}

/** The accepted records of a store, in the form that `truthOf` returns; empty if there is no store. */
async function recordsIn(at: string): Promise<readonly string[]> {
  const { observations } = await readJsonFiles(join(at, "data")).catch(() => ({ observations: undefined }));
  const accepted = [...(observations?.records() ?? [])].filter(({ qualityStatus }) => qualityStatus === "ACCEPTED");
  return accepted.map(({ code, value, businessTime }) => record(code, value, businessTime)).sort();
}
