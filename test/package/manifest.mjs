// What npm runs before and after it packs: users get a package.json without the scripts and tools of this repository.
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
