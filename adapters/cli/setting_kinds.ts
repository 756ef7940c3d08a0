import { createZone } from "../../core/internal.ts";
import { type CorsRule, createRequestRate } from "../../core/mod.ts";
import { createTrustedProxies } from "../http/node/forwarded_headers.ts";

/** A setting. Its flag and its variable follow from its name in the table. */
export interface Setting<Value> {
  /** One sentence for help and README, without a full stop. */
  readonly summary: string;
  /** Name of the value in the help; absent for a switch. */
  readonly placeholder?: string;
  readonly fallback: Value;
  /** What a value must be, for the message about a wrong one. */
  readonly expected: string;
  /** Parses the text of a flag or a variable; `undefined` for a value that cannot be used. */
  read(text: string): Value | undefined;
  /** A wrong value for the message about it. Default, as where it returns `undefined`: the value, without the user of a URL. */
  received?(text: string): string | undefined;
}

/** A setting that is any text but blanks. */
export function text(
  row: Pick<Setting<string>, "summary" | "fallback" | "expected"> & { placeholder: string },
): Setting<string> {
  return { ...row, read: (value) => (value.trim() === "" ? undefined : value) };
}

/** A setting that is a whole number within bounds. */
export function whole(row: {
  summary: string;
  placeholder: string;
  fallback: number;
  from: number;
  to: number;
}): Setting<number> {
  const { from, to, ...rest } = row;
  const read = (value: string): number | undefined =>
    /^\d{1,9}$/.test(value) && Number(value) >= from && Number(value) <= to ? Number(value) : undefined;
  return { ...rest, expected: `a whole number from ${from} to ${to}`, read };
}

/** The same, or `none`, which it is where it is not given. */
export function wholeOrNone(row: {
  summary: string;
  placeholder: string;
  from: number;
  to: number;
}): Setting<number | "none"> {
  const { expected: wanted, read } = whole({ ...row, fallback: row.from });
  return {
    ...row,
    fallback: "none",
    expected: `${wanted}, or none`,
    read: (value) => (value === "none" ? value : read(value)),
  };
}

/** A switch, which is off unless it is given. */
export function toggle({ summary }: { summary: string }): Setting<boolean> {
  const values: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false };
  return { summary, fallback: false, expected: "true or false", read: (value) => values[value] };
}

/** A setting that is one of a few words, the first of them where it is not given. */
export function oneOf<Word extends string>(
  words: readonly [Word, ...Word[]],
  row: { summary: string; placeholder: string },
): Setting<Word> {
  return {
    ...row,
    fallback: words[0],
    expected: words.join(" or "),
    read: (value) => words.find((word) => word === value),
  };
}

/** A setting that is a time zone. */
export function zone(row: { summary: string; fallback: string }): Setting<string> {
  return {
    ...row,
    placeholder: "ZONE",
    expected: "a time zone such as Asia/Tehran or UTC",
    read: (name) => (isTaken(() => createZone(name)) ? createZone(name).name : undefined),
  };
}

/** A setting that is a rate of requests, or `none`. */
export function rate(row: { summary: string }): Setting<string> {
  const read = (value: string): string | undefined =>
    value === "none" || isTaken(() => createRequestRate(value)) ? value : undefined;
  return {
    ...row,
    placeholder: "RATE",
    fallback: "none",
    expected: "none, or a rate such as 10/s, 600/m or 10/s:50",
    read,
  };
}

/** Reads which proxies are in front. */
export function readProxies(value: string): boolean | readonly string[] | undefined {
  if (value === "true" || value === "1") return true;
  if (value === "false" || value === "0" || value === "none") return false;
  return isTaken(() => createTrustedProxies(listOf(value))) ? listOf(value) : undefined;
}

/** Reads codes of assets, or `all`. */
export function readCodes(value: string): "all" | readonly string[] | undefined {
  if (value === "all") return value;
  return listOf(value).includes("") ? undefined : [...new Set(listOf(value))];
}

/** Reads which web pages may read answers. */
export function readCors(value: string): CorsRule | undefined {
  if (value === "*" || value === "none") return value;
  return listOf(value).every((origin) => URL.canParse(origin) && new URL(origin).origin === origin)
    ? listOf(value)
    : undefined;
}

/** Reads a URL, or a path of this server. Everybody can see it, so it may have no password. */
export function readLink(value: string): string | undefined {
  // Of a second slash, browsers make the name of another server.
  if (value.startsWith("/")) return /^\/[/\\]/.test(value) ? undefined : value;
  return /^https?:\/\/[^/@]*(?:$|\/)/.test(value) && URL.canParse(value) ? value : undefined;
}

/** Whether what is made of a value throws nothing. */
export function isTaken(make: () => unknown): boolean {
  try {
    make();
    return true;
  } catch {
    return false;
  }
}

function listOf(value: string): readonly string[] {
  return value.split(",").map((item) => item.trim());
}
