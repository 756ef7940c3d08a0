/** Writes a finite number with the fewest digits that parse to the same double, and never with an exponent. */
export function formatDecimal(value: number): string {
  const text = String(value);
  const exponentAt = text.indexOf("e");
  if (exponentAt === -1) return text;
  const sign = value < 0 ? "-" : "";
  const [whole = "", fraction = ""] = text.slice(sign.length, exponentAt).split(".");
  const exponent = Number(text.slice(exponentAt + 1));
  const digits = whole + fraction;
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  return sign + digits.padEnd(exponent + 1, "0");
}

/** The characters that JSON may have to escape. */
const ESCAPED = /["\\\x00-\x1f\ud800-\udfff]/;

/** A text as JSON, like `JSON.stringify`, but three times as fast if nothing needs escaping. */
export function quoteJson(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** Parses JSON that must be an object; returns `undefined` for anything else. */
export function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether an untrusted JSON text has at most `parts` lists and objects, nested at most `depth` deep, with at most
 * `commas` between their members. Called before parsing, because millions of objects would block a server.
 */
export function isModestJson(
  text: string,
  { parts, depth, commas = Infinity }: Readonly<{ parts: number; depth: number; commas?: number }>,
): boolean {
  let [deep, count, commaCount, isInText] = [0, 0, 0, false];
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '"') isInText = !isInText;
    else if (isInText) i += character === "\\" ? 1 : 0;
    else if (character === "[" || character === "{") {
      if (++deep > depth || ++count > parts) return false;
    } else if (character === "]" || character === "}") deep--;
    else if (character === "," && ++commaCount > commas) return false;
  }
  return true;
}
