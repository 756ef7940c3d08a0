// Files as people have them: no wrong number is stored of any, most are right at once, and all others by the command that the refusal prints.
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
const PLAIN = /^(?: ?--(?:code|day-at) \S+)*$/;
const MAX_COMMANDS = 1;
const NOW = "2026-11-21T10:00:00Z";

/** How an import went: right at once, or after so many commands that were printed; rightly refused; or with what is amiss. */
type Outcome = "at once" | "by command" | "refused" | { readonly kind: "wrong" | "stuck"; readonly said: string };

const outcomes = new Map<OddFile, Outcome>();
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "mazaneh-odd-"));
});
after(() => rm(folder, { recursive: true, force: true }));

for (const [kind, files] of Object.entries(KINDS)) {
  test(`odd files: ${kind}: no wrong number, and nobody is stuck`, async () => {
    const problems: string[] = [];
    for (const file of files) {
      const outcome = await imported(file);
      outcomes.set(file, outcome);
      if (typeof outcome === "object") problems.push(`${outcome.kind}: ${file[0]} ${file[2]}\n${outcome.said}`);
    }
    assert.equal(problems.length, 0, `${problems.length} of ${files.length}\n\n${problems.join("\n\n")}`);
  });
}

test("odd files: at least 70 of 100 are right at once, without any option beside --code, --day-at and --yes", () => {
  const all = [...outcomes].filter(([, outcome]) => outcome !== "refused");
  const atOnce = all.filter(([[, , options], outcome]) => outcome === "at once" && PLAIN.test(options));
  const others = all.filter(([, outcome]) => outcome !== "at once").map(([[name]]) => name);
  assert.ok(outcomes.size >= 200, `${outcomes.size} files`);
  assert.ok(atOnce.length >= all.length * 0.7, `${atOnce.length} of ${all.length}; not: ${others.join(", ")}`);
});

async function imported(file: OddFile): Promise<Outcome> {
  const [name, content, options, truth, stored] = file;
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
  let said = "";
  let args = ["import", ...names.map((one) => join(at, one)), ...words(options), ...store];
  for (let commands = 0; commands <= MAX_COMMANDS; commands++) {
    const { err, out } = await program(args, { now: NOW, asks: true });
    said += `${out}${err}`.replaceAll(`${at}/`, "");
    const found = await recordsIn(at);
    const expected = truthOf(truth.startsWith("refused") ? "" : truth.replace(/ or refused$/, ""));
    const isUntouched = String(found) === String(earlier);
    if (truth.endsWith("refused") && isUntouched) return "refused";
    if (String(found) === String(expected) && (!isUntouched || commands > 0 || stored !== undefined))
      return commands === 0 ? "at once" : "by command";
    const wrong = found.filter((one) => !expected.includes(one) && !earlier.includes(one));
    if (wrong.length > 0)
      return {
        kind: "wrong",
        said: `${wrong.slice(0, 3).join("; ")} and not ${expected.slice(0, 3).join("; ")}\n${said}`,
      };
    const command = /^To import: mazaneh (.*)$/m.exec(err)?.[1];
    if (command === undefined) break;
    args = words(command);
  }
  return { kind: "stuck", said };
}

/** The accepted records of a store, as truths are written; none where there is no store. */
async function recordsIn(at: string): Promise<readonly string[]> {
  const { observations } = await readJsonFiles(join(at, "data")).catch(() => ({ observations: undefined }));
  const accepted = [...(observations?.records() ?? [])].filter(({ qualityStatus }) => qualityStatus === "ACCEPTED");
  return accepted.map(({ code, value, businessTime }) => record(code, value, businessTime)).sort();
}
