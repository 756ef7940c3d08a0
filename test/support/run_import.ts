import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { readJsonFiles } from "../../adapters/stores/json_files/mod.ts";
import { temporaryDirectory } from "./cli.ts";
import { program } from "./cli_program.ts";

/** The output of an import, without the directory of the file, and the records that it stored. */
export interface Imported {
  readonly code: number;
  /** The lines on standard error about the file, without the name of the file. */
  readonly notes: readonly string[];
  /** The records, e.g. `USD_RLS 1905000 2026-08-21T16:30:00.000Z`. */
  readonly stored: readonly string[];
}

/** The output of an import, without the assets that it lists as new. */
export function withoutShown(err: string): string {
  return err.replace(/Imported for the first time:\n(?: {2,}\S.*\n)+/, "");
}

/** Imports one file into a new data directory. */
export async function importOne(t: TestContext, content: string | Uint8Array): Promise<Imported> {
  const directory = await temporaryDirectory(t);
  const [data, file] = [join(directory, "data"), join(directory, "table")];
  await writeFile(file, content);
  const now = "2026-11-21T10:00:00Z";
  const { code, out, err } = await program(["import", "--init", "--data", data, file], { now });
  const notes = withoutShown(err)
    .split("\n")
    .filter((line) => !/^(?:$|Making a new store|To import: )/.test(line))
    .map((line) => (line.startsWith(file) ? line.slice(file.length).replace(/^: /, "") : line));
  // If the whole file is refused, the store is not opened.
  if (out === "" || out.includes("not imported")) return { code, notes, stored: [] };
  const { observations } = await readJsonFiles(data);
  const stored = [...observations.records()].map(
    ({ code: asset, value, businessTime }) => `${asset} ${value} ${new Date(businessTime).toISOString()}`,
  );
  return { code, notes, stored };
}
