import { readFileSync } from "node:fs";

/** The version of the package that this program belongs to, whether it runs from sources or built. */
export function programVersion(): string {
  for (let place = new URL("./", import.meta.url); ; ) {
    const version = versionIn(new URL("package.json", place));
    const above = new URL("../", place);
    if (version !== undefined) return version;
    if (above.href === place.href) throw new TypeError("Cannot tell the version as the program lies in no package");
    place = above;
  }
}

function versionIn(file: URL): string | undefined {
  let content: string;
  try {
    content = readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
  const parsed: unknown = JSON.parse(content);
  const isOurs = typeof parsed === "object" && parsed !== null && "name" in parsed && parsed.name === "mazaneh";
  return isOurs && "version" in parsed && typeof parsed.version === "string" ? parsed.version : undefined;
}
