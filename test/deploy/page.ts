import { readFileSync } from "node:fs";

/** The page that leads from a clean machine to a service. */
export const PAGE = "fixtures/deploy/README.md";

/** The page about other versions. */
export const UPGRADE_PAGE = "fixtures/deploy/UPGRADE.md";

/** The commands below a heading: one for each block that is marked with `sh`, or all blocks if `every`. */
export function commandsOf(page: string, heading: string): readonly string[] {
  const [, section] = readFileSync(page, "utf8").split(new RegExp(`^## ${heading}\\n`, "m"));
  if (section === undefined) throw new Error(`${page} has no section "${heading}"`);
  return [...section.split(/^## /m)[0]!.matchAll(/^```(?:sh)?\n([\s\S]*?)^```$/gm)].map(([, block]) => block!);
}

/** A line of a page that cannot be run in a test, what is run in its place, and why. */
export interface Replacement {
  readonly line: RegExp;
  readonly by: string;
  readonly why: string;
}

/** A block as it is run: each replacement that fits takes the place of its line. Notes what it replaced. */
export function replaceLines(block: string, replacements: readonly Replacement[], note: (text: string) => void): string {
  return block.split("\n").map(replaced).join("\n");

  function replaced(line: string): string {
    const found = replacements.find((one) => one.line.test(line));
    if (!found) return line;
    note(`replaced, ${found.why}: ${line}`);
    return found.by;
  }
}
