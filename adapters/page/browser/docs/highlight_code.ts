/**
 * Names of JSON and of header fields; texts and addresses; numbers; comments. The rest is plain. A text has at most 300
 * signs, so that one without an end, which is looked for from each of its quotes, holds nothing up.
 */
const PIECES = new RegExp(
  [
    /("(?:[^"\\\n]|\\.){0,299}"(?=\s*:)|^[\w-]+(?=: ))/,
    /("(?:[^"\\\n]|\\.){0,299}"|'(?:[^'\\\n]|\\.){0,299}'|`(?:[^`\\]|\\.){0,299}`|https?:\/\/[^\s"'`\\]+)/,
    /((?<![\w.$-]|\d:)-?\d[\d_]*(?:\.\d+)?(?![\w.-]|:\d)|\b(?:true|false|null)\b)/,
    /((?<!\S)(?:\/\/|# ).*)/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gm",
);
const KINDS = ["key", "string", "number", "dim"];
/** What follows after so many signs is plain, as an answer may have a million. */
const MOST = 30_000;

/** A code in pieces, of which the coloured ones have a kind. Together they are the code as it is. */
export function piecesOf(code: string): readonly (readonly [piece: string, kind?: string | undefined])[] {
  const end = code.length <= MOST ? code.length : code.lastIndexOf("\n", MOST) + 1;
  // Of what `split` gives, a plain piece comes before four of a kind, of which at most one is there.
  const pieces = code
    .slice(0, end)
    .split(PIECES)
    .map((piece, at) => [piece, KINDS[(at % 5) - 1]] as const);
  return [...pieces, [code.slice(end)] as const].filter(([piece]) => piece);
}
