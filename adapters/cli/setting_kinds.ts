import { createZone } from "../../core/internal.ts";
import { type CorsRule, createRequestRate } from "../../core/mod.ts";
import { createTrustedProxies } from "../http/node/forwarded_headers.ts";
import { attempt } from "./command_failure.ts";

/** A setting. `dashed` and `variableOf` make the flag and the variable from the name of a setting. */
export interface Setting<Value> {
  /** One sentence for the help and the README, without a full stop. */
  readonly summary: string;
  /** The name of the value for the help; absent for a switch. */
  readonly placeholder?: string;
  readonly fallback: Value;
  /** The accepted values, for the message about a wrong value. */
  readonly expected: string;
  /** Parses the text of a flag or a variable. Returns `undefined` for a wrong value. */
  read(text: string): Value | undefined;
  /** How the error message shows a wrong value. Default: in quotes, and without the user name that a URL may have. */
  received?(text: string): string | undefined;
}

interface Bounds {
  readonly from: number;
  readonly to: number;
}

/** A setting that is any text except a blank one. */
export function text(
  placeholder: string,
  values: Pick<Setting<string>, "fallback" | "expected">,
  summary: string,
): Setting<string> {
  return { placeholder, ...values, summary, read: (value) => (value.trim() === "" ? undefined : value) };
}

/** A setting that is a whole number within bounds. */
export function whole(
  placeholder: string,
  { from, to, fallback }: Bounds & { readonly fallback: number },
  summary: string,
): Setting<number> {
  const read = (value: string): number | undefined =>
    /^\d{1,9}$/.test(value) && Number(value) >= from && Number(value) <= to ? Number(value) : undefined;
  return { placeholder, fallback, expected: `a whole number from ${from} to ${to}`, summary, read };
}

/** A setting that is a whole number or, by default, `none`. */
export function wholeOrNone(placeholder: string, bounds: Bounds, summary: string): Setting<number | "none"> {
  const number = whole(placeholder, { ...bounds, fallback: bounds.from }, summary);
  return {
    ...number,
    fallback: "none",
    expected: `${number.expected}, or none`,
    read: (value) => (value === "none" ? value : number.read(value)),
  };
}

/** A switch that is off by default. */
export function toggle(summary: string): Setting<boolean> {
  const values: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false };
  return { summary, fallback: false, expected: "true or false", read: (value) => values[value] };
}

/** A setting that is one of a few words, by default the first. */
export function oneOf<Word extends string>(
  placeholder: string,
  words: readonly [Word, ...Word[]],
  summary: string,
): Setting<Word> {
  const read = (value: string): Word | undefined => words.find((word) => word === value);
  return { placeholder, summary, fallback: words[0], expected: words.join(" or "), read };
}

/** A setting that is a time zone. */
export function zone(fallback: string, summary: string): Setting<string> {
  const read = (name: string): string | undefined => attempt(() => createZone(name).name);
  return { placeholder: "ZONE", fallback, expected: "a time zone such as Asia/Tehran or UTC", summary, read };
}

/** A setting that is a rate of requests or, by default, `none`. */
export function rate(summary: string): Setting<string> {
  return {
    placeholder: "RATE",
    fallback: "none",
    expected: "none, or a rate such as 10/s, 600/m or 10/s:50",
    summary,
    read: (value) => (value === "none" ? value : attempt(() => createRequestRate(value) && value)),
  };
}

/** Reads `--behind-proxy`: the proxies in front of the server, or `true` or `false`. */
export function readProxies(value: string): boolean | readonly string[] | undefined {
  if (value === "true" || value === "1") return true;
  if (value === "false" || value === "0" || value === "none") return false;
  return attempt(() => createTrustedProxies(listOf(value)) && listOf(value));
}

/** Reads codes of assets, or `all`. */
export function readCodes(value: string): "all" | readonly string[] | undefined {
  if (value === "all") return value;
  return listOf(value).includes("") ? undefined : [...new Set(listOf(value))];
}

/** Reads the rule that says which web pages may read answers. */
export function readCors(value: string): CorsRule | undefined {
  if (value === "*" || value === "none") return value;
  // An origin with "*" is a valid URL, but no browser sends it.
  const isOrigin = (text: string): boolean =>
    URL.canParse(text) && new URL(text).origin === text && !text.includes("*");
  return listOf(value).every(isOrigin) ? listOf(value) : undefined;
}

/** Reads a public link: a URL without a password, or a path on this server. */
export function readLink(value: string): string | undefined {
  // After two slashes, browsers expect the name of another server.
  if (value.startsWith("/")) return /^\/[/\\]/.test(value) ? undefined : value;
  return /^https?:\/\/[^/@]*(?:$|\/)/.test(value) && URL.canParse(value) ? value : undefined;
}

function listOf(value: string): readonly string[] {
  return value.split(",").map((item) => item.trim());
}
