/**
 * Names in JSON and of header fields; strings and addresses; numbers; comments. The rest is plain. A string has at most
 * 300 characters, so that searching from every quote for a missing end stays fast.
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
/** Code after this many characters stays plain, because an answer may have a million. */
const MOST = 30_000;

/** Splits code into pieces; the coloured ones have a kind. Joined, they are the unchanged code. */
export function piecesOf(code: string): readonly (readonly [piece: string, kind?: string | undefined])[] {
  const end = code.length <= MOST ? code.length : code.lastIndexOf("\n", MOST) + 1;
  // `split` returns a plain piece, then one piece for each of the four kinds, of which at most one is defined.
  const pieces = code
    .slice(0, end)
    .split(PIECES)
    .map((piece, at) => [piece, KINDS[(at % 5) - 1]] as const);
  return [...pieces, [code.slice(end)] as const].filter(([piece]) => piece);
}
