// The output of commands, in the transcripts beside this file. test/support/transcript.ts describes their format.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { transcript } from "../../support/transcript.ts";

const FOLDER = import.meta.dirname;

for (const name of (await readdir(FOLDER)).filter((one) => one.endsWith(".txt")).sort())
  await transcript(join(FOLDER, name));
