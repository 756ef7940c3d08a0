/** How a URL says that PostgreSQL is reached, by the names of `pg`. What it leaves out, `pg` finds in PGUSER, PGPASSWORD and such. */
export interface PostgresTarget {
  /** A name, an address, or the directory of a socket. */
  readonly host: string;
  readonly port?: number;
  readonly user?: string;
  readonly password?: string;
  readonly database: string;
  readonly application_name: string;
  /** The parameter `options` of a session. */
  readonly options?: string;
  /** `undefined` where the URL says nothing of TLS. */
  readonly tls: PostgresTls | "disable" | undefined;
  /** Time after which a connection that is not there has failed; `undefined` for the usual one. */
  readonly connectMs: number | undefined;
  /** Time limits that the server keeps, in milliseconds, by their name there. */
  readonly limits: Readonly<Record<string, number>>;
  /** Whether connections lead to a pooler that hands them on between transactions: it takes no time limits and, before PgBouncer 1.21, no prepared statements. */
  readonly isPooled: boolean;
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
  /** Whether the password is bound to this connection. */
  readonly isBound: boolean;
}

/**
 * The parameters that a URL may have, and their values. `pg` ignores all that it does not know: a misspelt `sslmode` would
 * leave a connection without TLS. `prefer` and `allow` would do without TLS where somebody in between says that there is none.
 */
const PARAMETERS = {
  ...{ host: /./, user: /./, password: /./, application_name: /./, options: /./, sslrootcert: /./, sslcert: /./, sslkey: /./ },
  ...{ port: /^\d{1,5}$/, connect_timeout: /^[1-9]\d{0,2}$/, statement_timeout: /^\d{1,9}$/, lock_timeout: /^\d{1,9}$/, idle_in_transaction_session_timeout: /^\d{1,9}$/ },
  sslmode: /^(?:disable|require|verify-ca|verify-full|no-verify)$/,
  sslnegotiation: /^(?:postgres|direct)$/,
  channel_binding: /^(?:disable|prefer|require)$/,
  client_encoding: /^utf-?8$/i,
  // Others are for reading alone.
  target_session_attrs: /^(?:any|read-write|primary)$/,
  pgbouncer: /^(?:true|false)$/,
} as const satisfies Readonly<Record<string, RegExp>>;

const LIMITS = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"] as const;

/** What is wrong with the URL of a database, as a part of a message; `undefined` for nothing. It shows no value. */
export function flawOfPostgres({ pathname, searchParams }: URL): string | undefined {
  if (pathname.length < 2) return "a URL that names no database";
  for (const [name, value] of searchParams) {
    // A text without "=" may be anything.
    const shown = value !== "" && /^\w{1,40}$/.test(name) ? ` "${name}"` : "";
    if (!isKnown(name)) return `a URL with an unknown parameter${shown}: known are ${Object.keys(PARAMETERS).join(", ")}; leave others out`;
    if (searchParams.getAll(name).length > 1) return `a URL that has the parameter "${name}" twice`;
    if (!PARAMETERS[name].test(value)) return `a URL whose parameter "${name}" has a value that it cannot have`;
  }
  const mode = searchParams.get("sslmode");
  if ((searchParams.get("sslcert") === null) !== (searchParams.get("sslkey") === null)) return 'a URL with only one of "sslcert" and "sslkey"';
  // Of the authorities that all trust, each signs for everybody.
  const hasRoot = fileOf(searchParams.get("sslrootcert")) !== undefined;
  if (mode === "verify-ca" && !hasRoot) return 'a URL with sslmode=verify-ca and no file in "sslrootcert": add it, or write sslmode=verify-full';
  if (mode === "disable" && ["sslrootcert", "sslcert", "channel_binding"].some((name) => searchParams.has(name))) return "a URL that says how TLS is used, and that it is not";
  return undefined;
}

/** Reads the URL of a database that has no flaw. */
export function readPostgresUrl(url: URL): PostgresTarget {
  const get = (name: keyof typeof PARAMETERS): string | undefined => url.searchParams.get(name) ?? undefined;
  const port = get("port") ?? url.port;
  const user = get("user") ?? decodeURIComponent(url.username);
  const password = get("password") ?? decodeURIComponent(url.password);
  const options = get("options");
  const seconds = get("connect_timeout");
  return {
    host: get("host") ?? decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, "$1"),
    ...{ ...(port !== "" && { port: Number(port) }), ...(user !== "" && { user }), ...(password !== "" && { password }), ...(options !== undefined && { options }) },
    database: decodeURIComponent(url.pathname.slice(1)),
    application_name: get("application_name") ?? "mazaneh",
    tls: tlsOf(get),
    connectMs: seconds === undefined ? undefined : Number(seconds) * 1_000,
    limits: Object.fromEntries(LIMITS.flatMap((name) => (get(name) === undefined ? [] : [[name, Number(get(name))]]))),
    isPooled: get("pgbouncer") === "true",
  };
}

function tlsOf(get: (name: keyof typeof PARAMETERS) => string | undefined): PostgresTarget["tls"] {
  const mode = get("sslmode");
  if (mode === "disable") return mode;
  const isDirect = get("sslnegotiation") === "direct";
  const isBound = get("channel_binding") === "require";
  if (mode === undefined && !isDirect && !isBound && get("sslrootcert") === undefined && get("sslcert") === undefined) return undefined;
  return {
    check: mode === "no-verify" ? "nothing" : mode === "verify-ca" ? "signer" : "signer and name",
    rootFile: fileOf(get("sslrootcert")),
    certificateFile: get("sslcert"),
    keyFile: get("sslkey"),
    isDirect,
    isBound,
  };
}

/** `system` are the authorities that Node trusts. */
function fileOf(sslrootcert: string | null | undefined): string | undefined {
  return sslrootcert === "system" ? undefined : (sslrootcert ?? undefined);
}

function isKnown(name: string): name is keyof typeof PARAMETERS {
  return Object.hasOwn(PARAMETERS, name);
}
