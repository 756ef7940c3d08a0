// JSON as the server sent it, in tokens for the syntax colours. Numbers and strings keep their digits and escapes.

/** What a token is; `plain` is text that is no JSON. */
export type TokenKind = "key" | "string" | "number" | "literal" | "punctuation" | "plain";

/** A piece of text in one colour. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

/** A line: its depth of indentation, and its tokens. */
export interface Line {
  readonly depth: number;
  readonly tokens: readonly Token[];
}

const TOKEN = /[\s]*(?:("(?:[^"\\\u0000-\u001f]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null)|([{}[\],:]))[\s]*/y;

/** The tokens of a JSON text without the white space between them; `undefined` if it is no JSON. */
export function tokensOf(json: string): readonly Token[] | undefined {
  if (!isJson(json)) return undefined;
  const tokens: Token[] = [];
  for (let at = 0; at < json.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const [, string, number, literal, punctuation] = TOKEN.exec(json) ?? [];
    const text = string ?? number ?? literal ?? punctuation;
    if (text === undefined) return undefined;
    tokens.push({ kind: string ? "string" : number ? "number" : literal ? "literal" : "punctuation", text });
  }
  // A string is a key exactly where a colon follows.
  return tokens.map((token, at) => (token.kind === "string" && tokens[at + 1]?.text === ":" ? { ...token, kind: "key" } : token));
}

/** A text in lines: JSON laid out with a field a line, anything else as it is. */
export function linesOf(text: string): readonly Line[] {
  const tokens = tokensOf(text);
  if (!tokens) return text.split(/\r\n?|\n/).map((line) => ({ depth: 0, tokens: [{ kind: "plain", text: line }] }));
  const lines: { depth: number; tokens: Token[] }[] = [];
  let depth = 0;
  let line: Token[] = [];
  const end = (next: number): void => {
    lines.push({ depth, tokens: line });
    line = [];
    depth = next;
  };
  tokens.forEach((token, at) => {
    const { text: sign } = token;
    const isEmpty = CLOSING[sign] !== undefined && tokens[at + 1]?.text === CLOSING[sign];
    const closesEmpty = CLOSING[tokens[at - 1]?.text ?? ""] === sign;
    const isSign = token.kind === "punctuation";
    if (isSign && (sign === "}" || sign === "]") && !closesEmpty) end(depth - 1);
    line.push(isSign && sign === ":" ? { ...token, text: ": " } : token);
    if (isSign && CLOSING[sign] !== undefined && !isEmpty) end(depth + 1);
    if (isSign && sign === ",") end(depth);
  });
  end(0);
  return lines;
}

const CLOSING: Readonly<Record<string, string | undefined>> = { "{": "}", "[": "]" };

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
