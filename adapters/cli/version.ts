import { existsSync, readFileSync } from "node:fs";

/** The version of the package that this program belongs to, whether it runs from sources or built. */
export function programVersion(file = new URL("package.json", import.meta.url)): string {
  const { name, version } = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as { name?: string; version?: string }) : {};
  if (name === "mazaneh" && version !== undefined) return version;
  const above = new URL("../package.json", file);
  if (above.href === file.href) throw new TypeError("Cannot tell the version as the program lies in no package");
  return programVersion(above);
}
