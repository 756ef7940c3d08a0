import { readFileSync } from "node:fs";

/** The page that leads from a clean machine to a service. */
export const PAGE = "fixtures/deploy/README.md";

/** The commands below a heading: one for each block that is marked with `sh`, or all blocks if `every`. */
export function commandsOf(page: string, heading: string): readonly string[] {
  const [, section] = readFileSync(page, "utf8").split(new RegExp(`^## ${heading}\\n`, "m"));
  if (section === undefined) throw new Error(`${page} has no section "${heading}"`);
  return [...section.split(/^## /m)[0]!.matchAll(/^```(?:sh)?\n([\s\S]*?)^```$/gm)].map(([, block]) => block!);
}

/** A line of a page that cannot be run in a test, and what is run in its place. */
export type Replacement = readonly [line: RegExp, by: string];

/** A block as it is run: the first replacement that fits takes the place of its line. */
export function replaceLines(block: string, replacements: readonly Replacement[]): string {
  return block
    .split("\n")
    .map((line) => replacements.find(([one]) => one.test(line))?.[1] ?? line)
    .join("\n");
}
