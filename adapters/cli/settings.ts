import { createZone } from "../../core/internal.ts";
import { createRequestRate } from "../../core/mod.ts";
import type { CorsRule } from "../../core/mod.ts";
import { baseUrlOf } from "../mirror/options.ts";
import { createTrustedProxies } from "../node/forwarded.ts";

/** A setting. Its flag, its variable and its name in the config file follow from its name in the table. */
export interface Setting<Value> {
  /** One sentence for help and README, without a full stop. */
  readonly summary: string;
  /** Name of the value in the help; absent for a switch. */
  readonly placeholder?: string;
  readonly fallback: Value;
  /** The JSON types that a config file may give. */
  readonly json: readonly ("string" | "number" | "boolean" | "list")[];
  /** What a value must be, for the message about a wrong one. */
  readonly wanted: string;
  /** Parses the text of a flag or a variable; `undefined` for a value that cannot be used. */
  read(text: string): Value | undefined;
}

/** All settings of `serve`. Other commands use some of them, most of them only `data`. */
export const SETTINGS = {
  data: text({ placeholder: "DIR", fallback: "data", wanted: "a directory", summary: "Directory that the data is kept in" }),
  host: text({ placeholder: "ADDRESS", fallback: "127.0.0.1", wanted: "an address", summary: "Address to listen on; 0.0.0.0 for all" }),
  port: whole({ placeholder: "PORT", fallback: 8080, from: 0, to: 65_535, summary: "Port to listen on; 0 for any free one" }),
  adminPort: {
    placeholder: "PORT",
    fallback: "none",
    json: ["number", "string"],
    wanted: "a port from 0 to 65535, or none",
    summary: "Port on 127.0.0.1 for /readyz, /livez and /metrics; 0 for any free one, or none",
    read: (value) => readWholeOrNone(value, 0, 65_535),
  } as Setting<number | "none">,
  behindProxy: {
    placeholder: "ADDRESSES",
    fallback: false,
    json: ["boolean", "string", "list"],
    wanted: "false, true, or addresses and networks such as 127.0.0.1 and 10.0.0.0/8 with commas between them",
    summary: "Proxies in front, which are believed about their clients: addresses and networks with commas between them; or true: all connections come from proxies, none of them is believed",
    read: readProxies,
  } as Setting<boolean | readonly string[]>,
  keyRate: rate({ summary: "Requests of each key in a short time: 10/s, or 10/s:50 to let 50 through at once; none for no limit" }),
  addressRate: rate({ summary: "The same for the requests of each address" }),
  fastStart: toggle({ summary: "Leave a checkpoint of all prices at a clean stop, which makes the next start several times as fast" }),
  marketTimeZone: zone({ fallback: "Asia/Tehran", summary: "Time zone whose calendar days the dates of requests are" }),
  quotaTimeZone: zone({ fallback: "UTC", summary: "Time zone at whose midnights a quota day begins" }),
  staleThresholdMinutes: whole({
    placeholder: "MINUTES", fallback: 60, from: 1, to: 100_000_000, summary: "Age above which a latest value counts as stale",
  }),
  feedMaxAgeMinutes: {
    placeholder: "MINUTES",
    fallback: "none",
    json: ["number", "string"],
    wanted: "a whole number from 1 to 100000000, or none",
    summary: "Age of the newest record above which the server is not ready, or none",
    read: (value) => readWholeOrNone(value, 1, 100_000_000),
  } as Setting<number | "none">,
  mirror: {
    placeholder: "URL",
    fallback: "none",
    json: ["string"],
    wanted: "none, or an http or https URL without a user, a query or a fragment",
    summary: "Fill the store from this server of the same API, with the key in MAZANEH_UPSTREAM_KEY or in --mirror-key-file",
    read: (value) => (value === "none" || isTaken(() => baseUrlOf(value)) ? value : undefined),
  } as Setting<string>,
  mirrorKeyFile: text({ placeholder: "FILE", fallback: "none", wanted: "a file", summary: "File with the key for that server, or none" }),
  mirrorCodes: {
    placeholder: "CODES",
    fallback: "all",
    json: ["string", "list"],
    wanted: "all, or codes such as USD_RLS with commas between them",
    summary: "Assets whose history is wanted from it, the most important first: codes with commas between them, or all",
    read: readCodes,
  } as Setting<"all" | readonly string[]>,
  mirrorUnits: whole({ placeholder: "UNITS", fallback: 50, from: 1, to: 10_000_000, summary: "The most requests to it that cost a unit, for each of its days" }),
  mirrorProvider: text({ placeholder: "NAME", fallback: "none", wanted: "a name", summary: "Provider of the records from it; none for its host name" }),
  accessLog: toggle({ summary: "Write a line about each request to standard output" }),
  logFormat: {
    placeholder: "FORMAT",
    fallback: "auto",
    json: ["string"],
    wanted: "auto, json or text",
    summary: "Lines of the logs: json, text, or auto, which is text on a terminal and else json",
    read: (value) => (value === "auto" || value === "json" || value === "text" ? value : undefined),
  } as Setting<"auto" | "json" | "text">,
  maxCandles: whole({ placeholder: "COUNT", fallback: 10_000, from: 1, to: 10_000_000, summary: "Most candles in one answer" }),
  chargeFailures: {
    placeholder: "WHEN",
    fallback: "contract",
    json: ["string"],
    wanted: "contract or always",
    summary: "What a failing request costs: contract, on most routes nothing, or always, its unit on every route",
    read: (value) => (value === "contract" || value === "always" ? value : undefined),
  } as Setting<"contract" | "always">,
  cors: {
    placeholder: "ORIGINS",
    fallback: "*",
    json: ["string", "list"],
    wanted: "*, none, or origins such as https://example.org with commas between them",
    summary: "Web pages that may read answers: *, none, or their origins with commas between them",
    read: readCors,
  } as Setting<CorsRule>,
  application: text({ placeholder: "NAME", fallback: "mazaneh", wanted: "a name", summary: "Name in the status answer" }),
  documentationUrl: {
    placeholder: "URL",
    fallback: "/docs",
    json: ["string"],
    wanted: "an http or https URL, or a path that begins with /",
    summary: "Documentation link in the status answer: a URL, or a path of this server",
    read: readLink,
  } as Setting<string>,
};

/** Name of a setting, as a config file has it. */
export type SettingName = keyof typeof SETTINGS;

/** A value for each setting. */
export type SettingValues = { readonly [Name in SettingName]: (typeof SETTINGS)[Name]["fallback"] };

/** The names of all settings, in the order of the table. */
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

/** A name in the form of a flag, in lower case with dashes. */
export type Dashed<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Dashed<Rest>}`
  : Name;

/** A setting's option without its leading dashes: `stale-threshold-minutes`. */
export function flagOf<Name extends SettingName>(name: Name): Dashed<Name> {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) as Dashed<Name>;
}

/** A setting's environment variable: `MAZANEH_STALE_THRESHOLD_MINUTES`. */
export function variableOf(name: SettingName): string {
  return `MAZANEH_${flagOf(name).replaceAll("-", "_").toUpperCase()}`;
}

function text(row: Pick<Setting<string>, "summary" | "fallback" | "wanted"> & { placeholder: string }): Setting<string> {
  return { ...row, json: ["string"], read: (value) => (value.trim() === "" ? undefined : value) };
}

function whole(row: { summary: string; placeholder: string; fallback: number; from: number; to: number }): Setting<number> {
  const { from, to, ...rest } = row;
  return {
    ...rest,
    json: ["number"],
    wanted: `a whole number from ${from} to ${to}`,
    read: (value) => readWhole(value, from, to),
  };
}

function readWhole(value: string, from: number, to: number): number | undefined {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : NaN;
  return number >= from && number <= to ? number : undefined;
}

function readWholeOrNone(value: string, from: number, to: number): number | "none" | undefined {
  return value === "none" ? value : readWhole(value, from, to);
}

function toggle({ summary }: { summary: string }): Setting<boolean> {
  return {
    summary,
    fallback: false,
    json: ["boolean"],
    wanted: "true or false",
    read: (value) => (value === "true" || value === "1" ? true : value === "false" || value === "0" ? false : undefined),
  };
}

function zone(row: { summary: string; fallback: string }): Setting<string> {
  return { ...row, placeholder: "ZONE", json: ["string"], wanted: "a time zone such as Asia/Tehran or UTC", read: readZone };
}

function rate(row: { summary: string }): Setting<string> {
  return { ...row, placeholder: "RATE", fallback: "none", json: ["string"], wanted: "none, or a rate such as 10/s, 600/m or 10/s:50", read: readRate };
}

function readRate(text: string): string | undefined {
  return text === "none" || isTaken(() => createRequestRate(text)) ? text : undefined;
}

function readProxies(value: string): boolean | readonly string[] | undefined {
  if (value === "true" || value === "1") return true;
  if (value === "false" || value === "0" || value === "none") return false;
  const networks = value.split(",").map((network) => network.trim());
  return isTaken(() => createTrustedProxies(networks)) ? networks : undefined;
}

function readCodes(value: string): "all" | readonly string[] | undefined {
  if (value === "all") return value;
  const codes = [...new Set(value.split(",").map((code) => code.trim()))];
  return codes.every((code) => code !== "") ? codes : undefined;
}

/** Whether what is made of a value throws nothing. */
function isTaken(make: () => unknown): boolean {
  try {
    make();
    return true;
  } catch {
    return false;
  }
}

function readZone(name: string): string | undefined {
  try {
    return createZone(name).name;
  } catch {
    return undefined;
  }
}

function readCors(value: string): CorsRule | undefined {
  if (value === "*" || value === "none") return value;
  const origins = value.split(",").map((origin) => origin.trim());
  return origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin) ? origins : undefined;
}

function readLink(value: string): string | undefined {
  if (value.startsWith("/")) return value;
  return /^https?:\/\//.test(value) && URL.canParse(value) ? value : undefined;
}
