import { flawOfPostgres } from "./postgres_url.ts";

/**
 * The URL of a server that keeps data. As text and as JSON it is its name, without a password, so that no report,
 * log or message can show one.
 */
export interface ServerAddress {
  /** The URL for people: scheme, user, host, port and database. */
  readonly name: string;
  readonly hasPassword: boolean;
  /** The URL as it was given, for the client library alone. */
  url(): string;
  toString(): string;
  toJSON(): string;
}

/** What a URL of PostgreSQL must be, for messages. */
export const WANTED_STORE = "files, or a URL such as postgres://user@host:5432/database";

/** What a URL of Redis must be, for messages. */
export const WANTED_QUOTA = "store, or a URL such as redis://host:6379/0 or rediss://host:6379/0";

/** A comma where the host belongs, also where a port behind it makes the URL unreadable. */
const SEVERAL_HOSTS = /^[a-z]+:\/\/(?:[^/?#]*@)?[^/?#@]*,[^@]*$/i;

/** Reads where the data is kept: `files`, or a PostgreSQL database; `undefined` for a value that cannot be used. */
export function readStore(text: string): "files" | ServerAddress | undefined {
  return text === "files" ? text : readAddress(text, /^postgres(?:ql)?:$/);
}

/** Reads where the counters are kept: `store`, or a Redis server; `undefined` for a value that cannot be used. */
export function readQuota(text: string): "store" | ServerAddress | undefined {
  return text === "store" ? text : readAddress(text, /^rediss?:$/);
}

/**
 * A wrong value for a message. Of a URL that cannot be read only the scheme is shown: no rule tells which part of a mistyped
 * one is the password.
 */
export function withoutSecrets(text: string): string {
  if (SEVERAL_HOSTS.test(text)) return "a URL with several hosts: name one that always leads to the server for writing, such as that of a proxy";
  const url = parseAddress(text, /^(?:postgres(?:ql)?|rediss?):$/);
  const flaw = url && flawOf(url);
  if (flaw !== undefined) return flaw;
  const [, scheme] = /^([a-z][a-z0-9+.-]{0,15}):\/\//i.exec(text) ?? [];
  return scheme === undefined ? "something else" : `a URL that begins with ${scheme}://${adviceOn(scheme.toLowerCase())}`;
}

function adviceOn(scheme: string): string {
  if (/unix|socket/.test(scheme)) return ": name the port of Redis, e.g. redis://127.0.0.1:6379";
  return /^(?:postgres|redis)/.test(scheme) ? "; in a user or a password, write @ as %40, / as %2F, # as %23, ? as %3F" : "";
}

/** Whether the value of a setting is the URL of a server. */
export function isAddress(value: unknown): value is ServerAddress {
  return typeof value === "object" && value !== null && "hasPassword" in value;
}

function readAddress(text: string, schemes: RegExp): ServerAddress | undefined {
  const url = SEVERAL_HOSTS.test(text) ? undefined : parseAddress(text, schemes);
  if (!url || flawOf(url) !== undefined) return undefined;
  const { protocol, username, password, host, pathname, searchParams } = url;
  const socket = searchParams.get("host");
  const user = username === "" ? "" : `${username}@`;
  // Of the parameters only the directory of a socket: others may hold a password.
  const name = `${protocol}//${user}${host}${pathname}${socket === null ? "" : `?host=${socket}`}`;
  const hasPassword = password !== "" || searchParams.has("password");
  return { name, hasPassword, url: () => text, toString: () => name, toJSON: () => name };
}

/** Parses a URL whose password is where a password belongs. */
function parseAddress(text: string, schemes: RegExp): URL | undefined {
  if (!URL.canParse(text) || /\s/.test(text)) return undefined;
  const url = new URL(text);
  const { protocol, host, pathname, search, searchParams, hash } = url;
  // A password with one of these characters in it would end up in the host or the database, and so in messages.
  if (!schemes.test(protocol) || hash !== "" || `${pathname}${search}`.includes("@") || pathname.lastIndexOf("/") > 0) return undefined;
  return host === "" && !searchParams.has("host") ? undefined : url;
}

/** What is wrong with a URL that can be read, as a part of a message. */
function flawOf(url: URL): string | undefined {
  if (url.protocol.startsWith("postgres")) return flawOfPostgres(url);
  // The client ignores all parameters.
  const [[name = "", value = ""] = []] = url.searchParams;
  const shown = value !== "" && /^\w{1,40}$/.test(name) ? ` "${name}"` : "";
  const hint = /^db$/i.test(name) ? ", the number of a database is its path: redis://host:6379/1" : "";
  if (url.search !== "") return `a URL with an unknown parameter${shown}: it may have none${hint}`;
  return /^\/?\d{0,4}$/.test(url.pathname) ? undefined : "a URL whose path is not the number of a database, such as redis://host:6379/0";
}
