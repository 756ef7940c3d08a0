import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readJsonFiles } from "../../../adapters/stores/json_files/mod.ts";
import { makeStore } from "../../support/cli.ts";
import { program } from "../../support/cli_program.ts";
import { createRandom } from "../../support/seeded_random.ts";
import { words } from "../../support/transcript.ts";
import { record } from "../odd_files/odd_file.ts";
import { randomDialect } from "./dialects.ts";
import { type GeneratedFile, makeFile } from "./make_file.ts";

type Commands = readonly (readonly string[])[];

/** How an import went: `kind` names the result or the fault, `report` has the commands, the output and the file. */
interface Outcome {
  readonly kind: "at once" | "with answers" | "not complete" | `${string}: ${string}`;
  readonly report: string;
}

/** The result of the commands of one attempt. */
interface Run {
  readonly fault: Outcome | undefined;
  readonly isComplete: boolean;
  /** Whether the store has any records. */
  readonly isBegun: boolean;
  /** The commands that the output suggests. */
  readonly suggested: Commands;
}

const NOW = "2026-11-21T10:00:00Z";
/** Options that state a fact about a file. A suggested value may be wrong, unless the file itself shows the fact. */
const FACTS = ["unit", "decimal", "calendar", "date-order", "zone", "interval"];
const PLACEHOLDER = /(?:^|[=,])(?:CODE|NAME)(?:[=,]|$)/;

/** Imports `count` files, counts the outcomes, and reports each fault with its dialect. */
export async function importFiles(
  folder: string,
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<{ readonly counts: Readonly<Record<string, number>>; readonly faults: readonly string[] }> {
  const counts: Record<string, number> = { "at once": 0, "with answers": 0, "not complete": 0 };
  const faults: string[] = [];
  for (let at = 0; at < count; at++) {
    const ofFile = seed * 1_000_003 + at;
    const dialect = randomDialect(createRandom(ofFile));
    const { kind, report } = await importOne(folder, makeFile(dialect, ofFile));
    if (kind in counts) counts[kind]!++;
    else faults.push(`${kind} ${JSON.stringify(dialect)}\n${report}`);
  }
  return { counts, faults };
}

/** Imports a file with its owner's answers. Then runs the first suggestion, as printed, in a new store. */
async function importOne(folder: string, file: GeneratedFile): Promise<Outcome> {
  await writeFile(join(folder, file.name), file.content);
  const given = [["import", join(folder, file.name), ...file.options]];
  const run = async (who: string, commands: Commands, data: string): Promise<Run> => {
    const codes = new Set<number>();
    let printed = "";
    for (const args of commands) {
      const { code, err } = await program(args, { now: NOW, asks: true, env: { MAZANEH_DATA: data } });
      codes.add(code);
      printed += `$ mazaneh ${args.map((word) => (/[ ;|]/.test(word) ? `'${word}'` : word)).join(" ")}\n${err}`;
    }
    const stored: string[] = [];
    for await (const { code, value, businessTime, qualityStatus } of (await readJsonFiles(data)).observations.records())
      if (qualityStatus === "ACCEPTED") stored.push(record(code, value, businessTime));
    const wrong = stored.filter((one) => !file.truth.includes(one) && !file.others.includes(one));
    const isComplete = file.truth.length > 0 && file.truth.every((one) => stored.includes(one));
    // If one of two tables needs an answer that only the owner knows, a command may import only the other table.
    const tables = new Set(commands.flatMap((args) => args.filter((word) => word.startsWith(`${given[0]![1]!}/`))));
    const mayLack =
      (isComplete && file.isWhole) || tables.size === 1 || commands.some((args) => args.includes("pending"));
    let what: string | undefined;
    if (Math.max(...codes) === 0 && !mayLack) what = "exit code 0 although records are missing";
    if (codes.has(64) && who === "as suggested") what = "no command";
    if (wrong.length > 0) what = "wrong values";
    if (codes.has(70)) what = "crash";
    const values = `stored: ${wrong.slice(0, 3).join("; ")}\nknown: ${file.truth.slice(0, 3).join("; ")}`;
    const report = `${printed}${values}\n--- ${file.name}\n${file.text}`.replaceAll(`${folder}/`, "");
    const suggested = [...printed.matchAll(/^To import: mazaneh (.*)$/gm)].map(([, line]) => words(line!));
    const fault: Outcome | undefined = what === undefined ? what : { kind: `${who}: ${what}`, report };
    return { fault, isComplete, isBegun: stored.length > 0, suggested };
  };
  const stores = await mkdtemp(join(folder, "stores-"));
  const [store, other] = await Promise.all([makeStore(join(stores, "one")), makeStore(join(stores, "other"))]);
  const first = await run("at once", given, store);
  if (first.fault || first.isComplete) return first.fault ?? { kind: "at once", report: "" };
  let last = first;
  for (let answers = 0; answers < 3 && !last.isComplete && !last.fault; answers++) {
    const commands = last.suggested.flatMap((command) => answered(command, file));
    if (commands.length === 0) break;
    last = await run("with answers", commands, store);
  }
  const isTried = first.suggested.length > 0 && first.suggested.every((command) => isTrusted(command, file));
  if (isTried && first.isBegun) await run("at once", given, other);
  const careless = isTried && !last.fault ? await run("as suggested", first.suggested, other) : last;
  return careless.fault ?? { kind: last.isComplete ? "with answers" : "not complete", report: "" };
}

/** A suggested command with the owner's answers; empty if an answer is unknown. */
function answered(command: readonly string[], { options, answers }: GeneratedFile): Commands {
  const operands = command.findIndex((word) => word.startsWith("--"));
  const args = [...command.slice(0, operands), ...options];
  const asked = optionsOf(command);
  // When asked for the order of day, month and year, the owner also states the calendar.
  const isOrder = asked.some(([option]) => option === "date-order") && !command.includes("--calendar");
  for (const [option, value] of isOrder ? [...asked, ["calendar", ""] as const] : asked) {
    if (options.includes(`--${option}`)) continue;
    // A value of `--map`, `--names` or `--where` is a pair: a name, `=`, and the answer for that name.
    const [, name] = ["map", "names", "where"].includes(option) ? (/^(.*?)=/.exec(value) ?? []) : [];
    const answer = answers[name === undefined ? option : `${option} ${name}`];
    if (answer === undefined) return [];
    args.push(`--${option}`, ...(answer === "" ? [] : [name === undefined ? answer : `${name}=${answer}`]));
  }
  return [args];
}

/** Whether a suggested command must work: it has no placeholder, and each fact that the file does not show is right. */
function isTrusted(command: readonly string[], { answers, tells }: GeneratedFile): boolean {
  const isTold = ([option = "", value]: readonly string[]): boolean =>
    !FACTS.includes(option) || tells.includes(option) || answers[option] === value;
  return !command.some((word) => PLACEHOLDER.test(word)) && optionsOf(command).every(isTold);
}

/** The options of a command with their values. The value of a switch is `""`. */
function optionsOf(command: readonly string[]): readonly (readonly [option: string, value: string])[] {
  return command.flatMap((word, at) => {
    const next = command[at + 1] ?? "--";
    return word.startsWith("--") ? [[word.slice(2), next.startsWith("--") ? "" : next]] : [];
  });
}
