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

/**
 * The parameters that a URL of PostgreSQL may have: those that `pg` reads, or that harm nothing where a client does not.
 * The clients ignore others, so that a misspelt `sslmode` would leave a connection without TLS.
 */
const POSTGRES_PARAMETERS: readonly string[] = [
  ...["host", "port", "user", "password", "ssl", "sslmode", "sslrootcert", "sslcert", "sslkey", "sslnegotiation", "uselibpqcompat"],
  ...["application_name", "client_encoding", "connect_timeout", "options", "target_session_attrs"],
  ...["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"],
];
/** None: node-redis ignores all of them, and ioredis takes any of its options. */
const REDIS_PARAMETERS: readonly string[] = [];

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
  const url = parseAddress(text, /^(?:postgres(?:ql)?|rediss?):$/);
  const flaw = url && flawOf(url);
  if (flaw !== undefined) return flaw;
  const [, scheme] = /^([a-z][a-z0-9+.-]{0,15}):\/\//i.exec(text) ?? [];
  if (scheme === undefined) return "something else";
  const advice = /^(?:postgres|redis)/i.test(scheme) ? "; in a user or a password, write @ as %40, / as %2F, # as %23, ? as %3F" : "";
  return `a URL that begins with ${scheme}://${advice}`;
}

/** Whether the value of a setting is the URL of a server. */
export function isAddress(value: unknown): value is ServerAddress {
  return typeof value === "object" && value !== null && "hasPassword" in value;
}

function readAddress(text: string, schemes: RegExp): ServerAddress | undefined {
  const url = parseAddress(text, schemes);
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
function flawOf({ protocol, pathname, searchParams }: URL): string | undefined {
  const isPostgres = protocol.startsWith("postgres");
  if (isPostgres && pathname.length < 2) return "a URL that names no database";
  const known = isPostgres ? POSTGRES_PARAMETERS : REDIS_PARAMETERS;
  for (const [name, value] of searchParams) {
    // A text without "=" may be anything.
    const shown = value !== "" && /^\w{1,40}$/.test(name) ? ` "${name}"` : "";
    if (!known.includes(name)) return `a URL with an unknown parameter${shown}: ${known.length > 0 ? `known are ${known.join(", ")}` : "it may have none"}`;
    if (value === "") return `a URL whose parameter "${name}" has no value`;
  }
  return undefined;
}
