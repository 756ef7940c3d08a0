/** A table of Markdown, whatever its cells hold. Rows have as many cells as there are names. */
export function markdownTable(names: readonly string[], rows: readonly (readonly string[])[]): string {
  return [names, names.map(() => "---"), ...rows.map((row) => row.map(cell))].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** A text as code, also where it holds backticks. */
export function markdownCode(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`;
}

/** A value as a block of JSON. */
export function jsonBlock(value: unknown): string {
  const text = JSON.stringify(value, undefined, 2);
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}json\n${text}\n${fence}`;
}

/** A cell ends at a bar, and a row at a line end. A backslash before a bar is doubled, so that it does not free the bar again. */
function cell(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, " ").replace(/(\\*)\|/g, "$1$1\\|").replace(/\\+$/, "$& ").trim();
}
