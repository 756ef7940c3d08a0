// npm runs this before and after packing, to leave the scripts and tools of this repository out of the packed manifest.
import { readFileSync, renameSync, writeFileSync } from "node:fs";

const [MANIFEST, WHOLE] = ["package.json", ".package.whole.json"];

if (process.argv[2] === "restore") {
  renameSync(WHOLE, MANIFEST);
} else {
  const text = readFileSync(MANIFEST, "utf8");
  const { scripts, devDependencies, ...published } = JSON.parse(text);
  writeFileSync(WHOLE, text);
  writeFileSync(MANIFEST, `${JSON.stringify(published, null, 2)}\n`);
}
