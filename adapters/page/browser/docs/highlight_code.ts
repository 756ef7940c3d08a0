/**
 * The four coloured kinds: member names and names of header fields; strings and addresses; numbers; comments. The
 * limit of 300 characters for a string keeps the search fast if quotes are not closed.
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
/** Only this many characters are coloured, because an answer may have a million. */
const MOST = 30_000;

/** Splits code into pieces. Coloured pieces have a kind. Joined, the pieces equal the original code. */
export function piecesOf(code: string): readonly (readonly [piece: string, kind?: string | undefined])[] {
  const end = code.length <= MOST ? code.length : code.lastIndexOf("\n", MOST) + 1;
  // After each plain piece, `split` returns four pieces, one for each kind; at most one of the four is defined.
  const pieces = code
    .slice(0, end)
    .split(PIECES)
    .map((piece, at) => [piece, KINDS[(at % 5) - 1]] as const);
  return [...pieces, [code.slice(end)] as const].filter(([piece]) => piece);
}
