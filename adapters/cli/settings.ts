import type { CorsRule } from "../../core/mod.ts";
import { parseBase } from "../client/client_options.ts";
import { attempt } from "./command_failure.ts";
import {
  oneOf,
  rate,
  readCodes,
  readCors,
  readLink,
  readProxies,
  type Setting,
  text,
  toggle,
  whole,
  wholeOrNone,
  zone,
} from "./setting_kinds.ts";
import { flawOf, POSTGRES, REDIS, readQuota, readStore, type ServerAddress } from "./store_setting.ts";

/** All settings of `serve`. Other commands use some of these settings, mostly for the store. */
export const SETTINGS = {
  data: {
    placeholder: "DIR",
    fallback: "data",
    expected: "a directory",
    summary: "Directory that the data is kept in",
    read: (value) => (value.trim() === "" || /^\w+:\/\//.test(value) ? undefined : value),
    received: (value) => (value.includes("://") ? "a URL, which belongs in --store or MAZANEH_STORE" : undefined),
  } as Setting<string>,
  store: {
    placeholder: "URL",
    fallback: "files",
    expected: "files, or a URL such as postgres://user@host:5432/database",
    summary: "Data in files, or in PostgreSQL: postgres://…",
    read: readStore,
    received: (value) => flawOf(value, POSTGRES),
  } as Setting<"files" | ServerAddress>,
  quota: {
    placeholder: "URL",
    fallback: "store",
    expected: "store, or a URL such as redis://host:6379/0 or rediss://host:6379/0",
    summary: "Units in the store, or in Redis: redis://…",
    read: readQuota,
    received: (value) => flawOf(value, REDIS),
  } as Setting<"store" | ServerAddress>,
  host: {
    ...text("ADDRESS", { fallback: "127.0.0.1", expected: "an address" }, "Address to listen on; 0.0.0.0 for all"),
    // In a URL, an IPv6 address has brackets. `listen` expects an address without brackets.
    read: (value: string) => value.trim().replace(/^\[(.*)\]$/, "$1") || undefined,
  },
  port: whole("PORT", { from: 0, to: 65_535, fallback: 8080 }, "Port to listen on; 0 for any free one"),
  adminPort: wholeOrNone(
    "PORT",
    { from: 0, to: 65_535 },
    "Port on 127.0.0.1 for the admin page, /readyz, /livez and /metrics; 0 for any free port, none for no port",
  ),
  behindProxy: {
    placeholder: "ADDRESSES",
    fallback: false,
    expected: "false, true, or addresses and networks such as 127.0.0.1 and 10.0.0.0/8 with commas between them",
    summary:
      "Addresses and networks of the proxies whose X-Forwarded fields are trusted, with commas between them; or true if all connections come from proxies, but no X-Forwarded field is to be trusted",
    read: readProxies,
  } as Setting<boolean | readonly string[]>,
  keyRate: rate("Rate limit for each key: 10/s, or 10/s:50 to let 50 requests through at once; none for no limit"),
  addressRate: rate("Rate limit for each client address, in the same form"),
  marketTimeZone: zone("Asia/Tehran", "Time zone of the dates in requests"),
  quotaTimeZone: zone("UTC", "Time zone in which quota days begin at midnight"),
  staleThresholdMinutes: whole(
    "MINUTES",
    { from: 1, to: 100_000_000, fallback: 60 },
    "Age above which a latest value counts as stale",
  ),
  feedMaxAgeMinutes: wholeOrNone(
    "MINUTES",
    { from: 1, to: 100_000_000 },
    "Age of the newest record above which the server is not ready, or none",
  ),
  mirror: {
    placeholder: "URL",
    fallback: "none",
    expected: "none, or an http or https URL without a user, a query or a fragment",
    summary:
      "Fill the store from this server of the same API, with the key in MAZANEH_UPSTREAM_KEY or in --mirror-key-file",
    read: (value) => (value === "none" ? value : attempt(() => parseBase(value))),
  } as Setting<string>,
  mirrorKeyFile: text("FILE", { fallback: "none", expected: "a file" }, "File with the key for the upstream, or none"),
  mirrorCodes: {
    placeholder: "CODES",
    fallback: "all",
    expected: "all, none, or codes such as USD_RLS with commas between them",
    summary:
      "Assets whose history is requested from the upstream, the most important first: codes with commas between them, or all (the ten most popular first), or none",
    read: (value) => (value === "none" ? value : readCodes(value)),
  } as Setting<"all" | "none" | readonly string[]>,
  mirrorUnits: whole(
    "UNITS",
    { from: 1, to: 10_000_000, fallback: 50 },
    "Maximum number of requests to the upstream that cost a unit, in any 24 hours",
  ),
  ingest: toggle("Accept prices at POST /ingest from keys that may write"),
  publicMarket: toggle("Show the prices and charts of the page to everybody, without a key; always on with --sample"),
  accessLog: toggle("Write a line about each request to standard output"),
  logFormat: oneOf(
    "FORMAT",
    ["auto", "json", "text"],
    "Format of the log lines: json, text, or auto, which means text on a terminal and json elsewhere",
  ),
  maxCandles: whole("COUNT", { from: 1, to: 10_000_000, fallback: 10_000 }, "Maximum number of candles in one answer"),
  chargeFailures: oneOf(
    "WHEN",
    ["contract", "always"],
    "Whether failed requests cost a unit: contract (they do not on most routes) or always (they do on every route)",
  ),
  cors: {
    placeholder: "ORIGINS",
    fallback: "*",
    expected: "*, none, or origins such as https://example.org with commas between them",
    summary: "Web pages that may read answers: *, none, or origins with commas between them",
    read: readCors,
  } as Setting<CorsRule>,
  application: text("NAME", { fallback: "mazaneh", expected: "a name" }, "Name in the status answer"),
  documentationUrl: {
    placeholder: "URL",
    fallback: "/docs",
    expected: "an http or https URL, or a path that begins with /",
    summary:
      "Documentation link in the status answer, and on the page for visitors without a key: a URL, or a path of this server",
    read: readLink,
  } as Setting<string>,
};

/** Name of a setting. */
export type SettingName = keyof typeof SETTINGS;

/** A value for each setting. */
export type SettingValues = { readonly [Name in SettingName]: (typeof SETTINGS)[Name]["fallback"] };

/** The names of all settings, in the order of the table. */
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

/** The name of a setting as a flag, such as `stale-threshold-minutes`. */
export function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The environment variable of a setting, such as `MAZANEH_STALE_THRESHOLD_MINUTES`, or of the config file. */
export function variableOf(name: SettingName | "config"): string {
  return `MAZANEH_${dashed(name).replaceAll("-", "_").toUpperCase()}`;
}
