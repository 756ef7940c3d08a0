import { Unavailable } from "../../../core/mod.ts";
import { NEEDED_RIGHTS } from "../../stores/redis/init_ledger.ts";
import { codeOf, StoreError } from "../../stores/shared/store_error.ts";

const ROOT =
  "add the certificate of its authority to the URL as sslrootcert=FILE, or skip the check with sslmode=no-verify";
const USER = "check user and password of MAZANEH_STORE; if the server requires TLS, add ?sslmode=require to the URL";
const REDIS_USER = "check the user and the password of MAZANEH_QUOTA";

const [FAILED, CONFIG] = [70, 78];

/**
 * Advice and exit code for an error. The key is the SQLSTATE, the error code of Node, or the first word of an error
 * from Redis. Exit code 78, the default, means a wrong setting; 70 means an error that may go away by itself.
 */
const ADVICE: Readonly<Record<string, readonly [advice: string, exitCode?: number]>> = {
  "28P01": [USER],
  28000: [USER],
  "3D000": ["create it, e.g. with createdb"],
  42501: [
    "ask the owner of the database for the right: servers and commands need mazaneh migrate --grant-to ROLE, and migrate itself needs GRANT CREATE ON DATABASE",
  ],
  "08P01": ["a pooler refuses settings from its clients: add pgbouncer=true to the URL"],
  "26000": ["a pooler that switches connections between transactions needs pgbouncer=true in the URL"],
  25006: ["it is a replica, or has default_transaction_read_only: name a server that accepts writes", FAILED],
  "42P01": ["this happens while a backup is being restored: try again after that, or restore the backup again", FAILED],
  "3F000": ["this happens while a backup is being restored: try again after that, or restore the backup again", FAILED],
  53100: ["make room on the disk of the database", FAILED],
  53300: ["stop other programs, or allow more connections there", FAILED],
  57014: [
    "if its user has a time limit, lift the limit for this command: add ?options=-c%20statement_timeout%3D0 to the URL",
    FAILED,
  ],
  "55P03": ["another program holds a lock there (see the view pg_locks): try again when it has ended", FAILED],
  DEPTH_ZERO_SELF_SIGNED_CERT: [ROOT],
  SELF_SIGNED_CERT_IN_CHAIN: [ROOT],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [ROOT],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: [ROOT],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    "use the host name of its certificate, or check only the authority of the certificate: sslmode=verify-ca with sslrootcert=FILE",
  ],
  WRONGPASS: [REDIS_USER],
  NOAUTH: [REDIS_USER],
  DENIED: ["set a password in Redis, and give it in MAZANEH_QUOTA"],
  NOPERM: [`its user needs ${NEEDED_RIGHTS}`],
  ERR: [`check the user, the password and the database number at the end of the URL; the user needs ${NEEDED_RIGHTS}`],
};

/** Advice on an error of a database server, and the exit code; `undefined` for an unknown error. */
export function adviceOnDatabase(error: unknown): { readonly advice: string; readonly exitCode: number } | undefined {
  const cause = error instanceof Unavailable || error instanceof StoreError ? error.cause : undefined;
  if (!(cause instanceof Error)) return undefined;
  const [advice, exitCode = CONFIG] = ADVICE[codeOf(cause)] ?? ADVICE[cause.message.split(" ", 1)[0]!] ?? [];
  return advice === undefined ? undefined : { advice, exitCode };
}
