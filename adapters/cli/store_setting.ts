import { attempt } from "./command_failure.ts";

/**
 * The URL of a database server. If it is converted to text or JSON, only `name` appears, so that no report, log or
 * message can show the password.
 */
export interface ServerAddress {
  /** The URL without secrets: scheme, user, host, port and database. */
  readonly name: string;
  readonly hasPassword: boolean;
  /** The URL with its password, for the client library only. */
  url(): string;
  toString(): string;
  toJSON(): string;
}

export const POSTGRES = /^postgres(?:ql)?:$/;
export const REDIS = /^rediss?:$/;

/** The allowed parameters of a database URL. `pg` ignores all others, so a misspelt `sslmode` would disable TLS. */
const PARAMETERS = [
  ...["host", "port", "user", "password"],
  ...["sslmode", "sslrootcert", "sslcert", "sslkey", "sslnegotiation", "channel_binding"],
  ...["connect_timeout", "application_name", "options"],
  ...["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "target_session_attrs", "pgbouncer"],
];

/** Reads `files` or the URL of a PostgreSQL database; `undefined` for any other value. */
export function readStore(text: string): "files" | ServerAddress | undefined {
  return text === "files" ? text : readAddress(text, POSTGRES);
}

/** Reads `store` or the URL of a Redis server; `undefined` for any other value. */
export function readQuota(text: string): "store" | ServerAddress | undefined {
  return text === "store" ? text : readAddress(text, REDIS);
}

/** Whether the value of a setting is the URL of a server. */
export function isAddress(value: unknown): value is ServerAddress {
  return typeof value === "object" && value !== null && "hasPassword" in value;
}

function readAddress(text: string, schemes: RegExp): ServerAddress | undefined {
  if (flawOf(text, schemes) !== undefined) return undefined;
  const { protocol, username, password, host, pathname, searchParams } = new URL(text);
  const socket = searchParams.get("host");
  // If there is a user but no password, the user may really be the password.
  const user = username === "" ? "" : `${password === "" ? "…" : username}@`;
  // Shows only the parameter `host`, the directory of a socket. A password may be in any other parameter.
  const name = `${protocol}//${user}${host}${pathname}${socket === null ? "" : `?host=${socket}`}`;
  const hasPassword = password !== "" || searchParams.has("password");
  return { name, hasPassword, url: () => text, toString: () => name, toJSON: () => name };
}

/**
 * The fault in the URL of a server, for a message; `undefined` if the URL is right. The text repeats no part of
 * the URL, because any part of a mistyped URL may be the password.
 */
export function flawOf(text: string, schemes: RegExp): string | undefined {
  const [, scheme = ""] = /^([a-z][a-z0-9+.-]{0,15}):\/\//i.exec(text) ?? [];
  if (scheme === "") return "something else";
  if (!schemes.test(`${scheme}:`)) return `a URL that begins with ${scheme}://`;
  const url = URL.canParse(text) && !/\s/.test(text) ? new URL(text) : undefined;
  const { host = "", pathname = "", search = "", searchParams, hash = "#", username = "", password = "" } = url ?? {};
  // If a password has one of these characters, a part of the password would be read as the host, and shown in messages.
  if (
    !searchParams ||
    hash !== "" ||
    `${pathname}${search}`.includes("@") ||
    pathname.lastIndexOf("/") > 0 ||
    (host === "" && !searchParams.has("host")) ||
    attempt(() => decodeURIComponent(text)) === undefined
  ) {
    return `a URL that begins with ${scheme}://; name one host, and in a user or a password write @ as %40, / as %2F, # as %23, ? as %3F, % as %25`;
  }
  if (schemes === REDIS && username !== "" && password === "")
    return "a URL with a user and no password; without a user it is redis://:PASSWORD@host";
  if (schemes === REDIS) {
    if (/^\/?\d{0,4}$/.test(pathname) && search === "") return undefined;
    return "a URL whose path is not just the number of a database, as in redis://host:6379/0";
  }
  if (pathname.length < 2) return "a URL that does not name a database";
  if ([...searchParams].every(([name, value]) => PARAMETERS.includes(name) && value !== "")) return undefined;
  return `a URL with an unknown or an empty parameter: known are ${PARAMETERS.join(", ")}; remove all others`;
}
