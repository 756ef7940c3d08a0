import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Observation } from "../../../core/market/observation.ts";
import { buildPrograms } from "../support/program.ts";
import { median } from "../support/rounds.ts";
import { collectGarbage, millisecondsOf } from "../support/timing.ts";

/** What the commands are measured with. */
export interface CommandPlan {
  readonly rows: readonly Observation[];
  readonly rounds: number;
  /** Where files may lie. */
  readonly folder: string;
  readonly url: string;
  /** Makes the tables anew. */
  empty(): Promise<void>;
  /** Loads the same rows with COPY; the milliseconds for a record. */
  copy(): Promise<number>;
}

/** A command, with the median of its milliseconds for a record, and of its ratio to COPY in the same round. */
export interface CommandFigure {
  readonly name: string;
  readonly median: number;
  readonly ofCopy: number;
}

/** The value of a record that was corrected: no jump, so that it is imported like any other. */
const CORRECTION = 1.0001;

/** Measures `mazaneh import FILE` from the start of the process to its end, on PostgreSQL and on JSON files. */
export async function measureCommands({ rows, rounds, folder, url, empty, copy }: CommandPlan): Promise<readonly CommandFigure[]> {
  const program = (await buildPrograms("adapters/cli/main.ts"))("adapters/cli/main.ts");
  const [first, corrected] = [join(folder, "new.csv"), join(folder, "corrected.csv")];
  writeTable(first, rows, 1);
  writeTable(corrected, rows, CORRECTION);
  const directory = join(folder, "files");
  const stores: readonly (readonly [name: string, store: readonly string[], empty: () => Promise<void>])[] = [
    ["PostgreSQL", ["--store", url], empty],
    ["JSON files", ["--data", directory, "--init"], async () => rmSync(directory, { recursive: true, force: true })],
  ];
  const costs = new Map<string, { readonly own: number; readonly copy: number }[]>();

  async function run(name: string, copied: number, args: readonly string[]): Promise<void> {
    collectGarbage();
    const own = (await millisecondsOf(() => importOf(program, args))) / rows.length;
    costs.set(name, [...(costs.get(name) ?? []), { own, copy: copied }]);
  }

  for (let round = 0; round < rounds; round++) {
    const copied = await copy();
    for (const [name, store, emptied] of stores) {
      await emptied();
      await run(`${name}: import FILE, all new`, copied, [first, ...store]);
      await emptied();
      await run(`${name}: import FILE --yes, all new`, copied, [first, ...store, "--yes"]);
      await run(`${name}: import FILE --yes, all there already`, copied, [first, ...store, "--yes"]);
      await run(`${name}: import FILE --yes, all corrected`, copied, [corrected, ...store, "--yes"]);
    }
  }
  return [...costs].map(([name, all]) => ({ name, median: median(all.map(({ own }) => own)), ofCopy: median(all.map((one) => one.copy / one.own)) }));
}

async function importOf(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [program, "import", ...args], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`import ended with ${code}: ${said}`);
}

function writeTable(path: string, rows: readonly Observation[], factor: number): void {
  const lines = rows.map(({ code, value, businessTime, provider }) => `${code},${value * factor},${new Date(businessTime).toISOString()},${provider}\n`);
  writeFileSync(path, `code,value,businessTime,provider\n${lines.join("")}`);
}
