import { existsSync, readFileSync } from "node:fs";

/**
 * The version of the package that this code belongs to, whether it runs from sources or built; `unknown` in the bundle of an app, which
 * has a package of its own.
 */
export function programVersion(file = new URL("package.json", import.meta.url)): string {
  const { name, version } = existsSync(file)
    ? (JSON.parse(readFileSync(file, "utf8")) as { name?: string; version?: string })
    : {};
  if (name === "mazaneh" && version !== undefined) return version;
  const above = new URL("../package.json", file);
  return above.href === file.href ? "unknown" : programVersion(above);
}
