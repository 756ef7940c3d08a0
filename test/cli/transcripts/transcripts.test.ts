// Compares the output of commands with the transcripts beside this file. See test/support/transcript.ts for the format.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { transcript } from "../../support/transcript.ts";

const FOLDER = import.meta.dirname;

for (const name of (await readdir(FOLDER)).filter((one) => one.endsWith(".txt")).sort())
  await transcript(join(FOLDER, name));
