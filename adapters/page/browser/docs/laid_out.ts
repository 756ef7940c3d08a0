/** Signs of JSON, and its texts, in which they mean nothing; brackets with nothing between them are one. */
const SIGNS = /"[^"\\]*(?:\\.[^"\\]*)*"|\{\s*\}|\[\s*\]|[{}[\],:]/g;

/** JSON with a value a line. Nothing of it is written anew: its numbers keep their digits. */
export function laidOut(json: string): string {
  if (!/^[{[]/.test(json) || json.includes("\n")) return json;
  let depth = 0;
  const line = (): string => `\n${"  ".repeat(Math.max(0, depth))}`;
  return json.replace(SIGNS, (sign) => {
    if (sign === "{" || sign === "[") return depth++, sign + line();
    if (sign === "}" || sign === "]") return depth--, line() + sign;
    return sign === "," ? sign + line() : sign === ":" ? ": " : sign;
  });
}
