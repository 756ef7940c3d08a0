/** How a URL says that PostgreSQL is reached. What it leaves out, the client library finds in PGUSER, PGPASSWORD and such. */
export interface PostgresTarget {
  /** A name, an address, or the directory of a socket. */
  readonly host: string;
  readonly port: number | undefined;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: string;
  /** `undefined` where the URL says nothing of TLS. */
  readonly tls: PostgresTls | "disable" | undefined;
  /** Time after which a connection that is not there has failed; `undefined` for the usual one. */
  readonly connectMs: number | undefined;
  readonly applicationName: string | undefined;
  /** The parameter `options` of a session. */
  readonly options: string | undefined;
  /** Time limits that the server keeps, in milliseconds, by their name there. */
  readonly limits: Readonly<Record<string, number>>;
}

/** How TLS is used. */
export interface PostgresTls {
  /** What of the server's certificate is checked: who has signed it, and of whom it is. */
  readonly check: "signer and name" | "signer" | "nothing";
  /** Files with the certificate of the signer, and with that of this client and its key. */
  readonly rootFile: string | undefined;
  readonly certificateFile: string | undefined;
  readonly keyFile: string | undefined;
  /** Whether TLS begins without a question to the server. */
  readonly isDirect: boolean;
  /** Whether the password is bound to this connection. Only `pg` can do it; the check of the certificate protects it, too. */
  readonly isBound: boolean;
}

/** A wanted value, for messages, and whether a text is one. */
interface Parameter {
  readonly wanted: string;
  isValue(text: string): boolean;
}

const ANY: Parameter = { wanted: "a text", isValue: (text) => text !== "" };
const MILLISECONDS: Parameter = { wanted: "a whole number of milliseconds", isValue: (text) => /^\d{1,9}$/.test(text) };
const LIMITS = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"] as const;

/**
 * The parameters that a URL may have. The client libraries ignore all they do not know, or send it to the server, each in
 * its own way: a misspelt `sslmode` would leave a connection without TLS.
 */
const PARAMETERS = {
  host: ANY,
  port: { wanted: "a port", isValue: (text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535 },
  user: ANY,
  password: ANY,
  ssl: oneOf("true", "1", "false", "0"),
  // `prefer` and `allow` would do without TLS where somebody in between says that there is none.
  sslmode: oneOf("disable", "require", "verify-ca", "verify-full", "no-verify"),
  sslrootcert: ANY,
  sslcert: ANY,
  sslkey: ANY,
  sslnegotiation: oneOf("postgres", "direct"),
  channel_binding: oneOf("disable", "prefer", "require"),
  application_name: ANY,
  client_encoding: oneOf("UTF8", "utf8", "utf-8"),
  connect_timeout: { wanted: "a number of seconds from 1 to 600", isValue: (text) => /^[1-9]\d{0,2}$/.test(text) && Number(text) <= 600 },
  options: ANY,
  // Others are for reading alone.
  target_session_attrs: oneOf("any", "read-write", "primary"),
  statement_timeout: MILLISECONDS,
  lock_timeout: MILLISECONDS,
  idle_in_transaction_session_timeout: MILLISECONDS,
} as const satisfies Readonly<Record<string, Parameter>>;

type ParameterName = keyof typeof PARAMETERS;

/** What to do about parameters that hosts of databases and other programs write into URLs. */
const INSTEAD: Readonly<Record<string, string>> = {
  pgbouncer: "name the database itself, or its pooler in session mode: one that hands connections on between transactions loses the notices of changes",
  uselibpqcompat: "leave it out; what it makes of sslmode=require is sslmode=no-verify",
  schema: 'leave it out: the tables are in the schema "mazaneh"',
};

/** What is wrong with the URL of a database, as a part of a message; `undefined` for nothing. It shows no value. */
export function flawOfPostgres(url: URL): string | undefined {
  if (url.pathname.length < 2) return "a URL that names no database";
  const seen = new Set<string>();
  for (const [name, value] of url.searchParams) {
    // A text without "=" may be anything.
    const shown = value !== "" && /^\w{1,40}$/.test(name) ? ` "${name}"` : "";
    if (!isKnown(name)) {
      return Object.hasOwn(INSTEAD, name) ? `a URL with the parameter${shown}: ${INSTEAD[name]}` : `a URL with an unknown parameter${shown}: known are ${Object.keys(PARAMETERS).join(", ")}; leave others out`;
    }
    if (value === "") return `a URL whose parameter "${name}" has no value`;
    if (seen.has(name)) return `a URL that has the parameter "${name}" twice`;
    seen.add(name);
    if (!PARAMETERS[name].isValue(value)) return `a URL whose parameter "${name}" is not ${PARAMETERS[name].wanted}`;
  }
  return flawOfTls(readerOf(url));
}

/** Reads the URL of a database that has no flaw. */
export function readPostgresUrl(url: URL): PostgresTarget {
  const get = readerOf(url);
  const port = get("port") ?? url.port;
  const limits = LIMITS.flatMap((name) => (get(name) === undefined ? [] : [[name, Number(get(name))] as const]));
  const seconds = get("connect_timeout");
  return {
    host: get("host") ?? decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, "$1"),
    port: port === "" ? undefined : Number(port),
    user: get("user") ?? (decodeURIComponent(url.username) || undefined),
    password: get("password") ?? (decodeURIComponent(url.password) || undefined),
    database: decodeURIComponent(url.pathname.slice(1)),
    tls: tlsOf(get),
    connectMs: seconds === undefined ? undefined : Number(seconds) * 1_000,
    applicationName: get("application_name"),
    options: get("options"),
    limits: Object.fromEntries(limits),
  };
}

type Reader = (name: ParameterName) => string | undefined;

function readerOf({ searchParams }: URL): Reader {
  return (name) => searchParams.get(name) ?? undefined;
}

function flawOfTls(get: Reader): string | undefined {
  const tls = tlsOf(get);
  const isUnused = tls === "disable" && (["sslrootcert", "sslcert", "sslkey"] as const).some((name) => get(name) !== undefined);
  if (isUnused || (tls === "disable" && get("sslnegotiation") === "direct")) return "a URL that says how TLS is used, and that it is not";
  if (get("ssl") !== undefined && get("sslmode") !== undefined) return 'a URL with "ssl" and "sslmode": leave ssl out';
  if ((get("sslcert") === undefined) !== (get("sslkey") === undefined)) return 'a URL with only one of "sslcert" and "sslkey"';
  // Of the authorities that all trust, each signs for everybody.
  if (get("sslmode") === "verify-ca" && fileOf(get("sslrootcert")) === undefined) return 'a URL with sslmode=verify-ca and no file in "sslrootcert": add it, or write sslmode=verify-full';
  if (get("channel_binding") === "require" && (tls === undefined || tls === "disable" || tls.check !== "signer and name")) {
    return "a URL with channel_binding=require and without TLS whose certificate is checked: add sslmode=require";
  }
  return undefined;
}

function tlsOf(get: Reader): PostgresTarget["tls"] {
  const mode = get("sslmode") ?? (get("ssl") === undefined ? undefined : ["true", "1"].includes(get("ssl")!) ? "require" : "disable");
  if (mode === "disable") return mode;
  const isDirect = get("sslnegotiation") === "direct";
  if (mode === undefined && !isDirect && get("sslrootcert") === undefined && get("sslcert") === undefined) return undefined;
  return {
    check: mode === "no-verify" ? "nothing" : mode === "verify-ca" ? "signer" : "signer and name",
    rootFile: fileOf(get("sslrootcert")),
    certificateFile: get("sslcert"),
    keyFile: get("sslkey"),
    isDirect,
    isBound: get("channel_binding") === "require",
  };
}

/** `system` are the authorities that Node trusts. */
function fileOf(sslrootcert: string | undefined): string | undefined {
  return sslrootcert === "system" ? undefined : sslrootcert;
}

function isKnown(name: string): name is ParameterName {
  return Object.hasOwn(PARAMETERS, name);
}

function oneOf(...values: readonly string[]): Parameter {
  return { wanted: `one of ${values.join(", ")}`, isValue: (text) => values.includes(text) };
}
