import { MissingStore, StoreError } from "../../shared/store_error.ts";
import { connectionOf, type PgPool, type Query } from "../connection.ts";
import { openingError } from "../errors.ts";
import { firstOf, quoteName } from "../schema.ts";
import { FIRST } from "./001_first.ts";

/** Each step makes the next version of the tables, beginning with the first one. */
const STEPS = [FIRST];
/** The version of the tables that this program uses. */
export const SCHEMA_VERSION = STEPS.length;
const OLDEST_SERVER = 140_000;
/** All tables. */
const TABLES = ["meta", ...Array.from(STEPS.join().matchAll(/^CREATE TABLE mazaneh\.(\w+)/gm), ([, name]) => name)];
/** The rights that the server's role needs on each table. */
const RIGHTS = "SELECT, INSERT, UPDATE, DELETE";

/** Which tables to migrate, and which role gets rights to them. */
export interface MigrateOptions {
  readonly schema?: string;
  /** The server's role. It gets the rights to read and write the data, but not to change the tables. */
  readonly grantTo?: string;
}

/** The versions of the tables before and after; 0 if there are no tables. */
export interface Migrated {
  readonly from: number;
  readonly to: number;
}

/**
 * Makes the tables, or updates them to the version of this program, in one transaction. Concurrent calls wait for each
 * other. The later calls find nothing to do. Needs the right to create the schema, or tables in an existing schema.
 * Throws `StoreError` for tables of a later version, an unsuitable database, or a missing database, role or right;
 * `Unavailable` if the database cannot be reached; `TypeError` for anything but a pool.
 */
export async function migrate(pool: PgPool, { grantTo, ...options }: MigrateOptions = {}): Promise<Migrated> {
  const { schema, transaction } = connectionOf(pool, { ...options, prepare: false });
  const migrating = transaction(async (query) => {
    await query("SELECT pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext('mazaneh.'))", []);
    await demandDatabase(query);
    const from = await versionOf(query, schema);
    demandKnown(from, schema);
    if (from === 0) await makeSchema(query, schema);
    for (const step of STEPS.slice(from)) await query(step);
    if (from < SCHEMA_VERSION) await query("UPDATE mazaneh.meta SET version = $1", [SCHEMA_VERSION]);
    if (grantTo !== undefined) {
      const [tables, role] = [quoteName(schema), quoteName(grantTo)];
      await query(
        `GRANT USAGE ON SCHEMA ${tables} TO ${role}; GRANT ${RIGHTS} ON ALL TABLES IN SCHEMA ${tables} TO ${role}`,
      );
    }
    return { from, to: SCHEMA_VERSION };
  });
  return migrating.catch((error: unknown) => {
    throw openingError(error);
  });
}

/** Throws a `StoreError` with advice if the tables do not have this program's version, or a table or right is missing. */
export async function demandSchema(query: Query, schema: string): Promise<void> {
  await demandDatabase(query);
  const version = await versionOf(query, schema);
  demandKnown(version, schema);
  if (version === SCHEMA_VERSION) return demandRights(query);
  const found =
    version === 0
      ? `has no tables in the schema "${schema}"`
      : `has tables of version ${version}, but this program needs ${SCHEMA_VERSION}`;
  const message = `Cannot open the database because it ${found}: run "mazaneh migrate" first`;
  throw version === 0 ? new MissingStore(message, 78) : new StoreError(message, 78);
}

async function demandRights(query: Query): Promise<void> {
  const [missing] = await query<{ table: string; right: string | null }>(
    `SELECT name AS "table", CASE WHEN oid IS NOT NULL THEN needed END AS "right"
FROM unnest(string_to_array($1::text, ',')) AS name CROSS JOIN unnest(string_to_array($2::text, ', ')) AS needed
CROSS JOIN LATERAL (SELECT to_regclass('mazaneh.' || name) AS oid) AS found WHERE has_table_privilege(oid, needed) IS NOT TRUE LIMIT 1`,
    [TABLES.join(), RIGHTS],
  );
  if (!missing) return;
  const { table, right } = missing;
  const fault =
    right === null
      ? `the table "${table}" is missing: restore a backup`
      : `its role has no right to ${right} in the table "${table}": as the owner, run "mazaneh migrate --grant-to ROLE"`;
  throw new StoreError(`Cannot use the database because ${fault}`, 78);
}

function demandKnown(version: number, schema: string): void {
  if (version <= SCHEMA_VERSION) return;
  throw new StoreError(
    `Cannot use the tables in the schema "${schema}" because they have version ${version}, but this program only knows versions up to ${SCHEMA_VERSION}. Nothing was changed. Use a program that knows version ${version}`,
    78,
  );
}

/** Throws unless the database can store any text, keeps all digits of a price and allows concurrent statements. */
async function demandDatabase(query: Query): Promise<void> {
  const [found] = await query<Readonly<Record<"encoding" | "digits" | "isolation" | "server", string>>>(
    `SELECT current_setting('server_encoding') AS encoding, current_setting('extra_float_digits') AS digits,
  current_setting('default_transaction_isolation') AS isolation, current_setting('server_version_num') AS server`,
  );
  const { encoding, digits, isolation, server } = found!;
  const [fault] = [
    Number(server) < OLDEST_SERVER &&
      `this server because it must be PostgreSQL 14 or later: received version ${Math.floor(Number(server) / 10_000)}`,
    encoding !== "UTF8" &&
      `this database because its encoding must be UTF8: received "${encoding}". Create one with: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0`,
    Number(digits) < 1 &&
      `this database because its setting extra_float_digits must be 1 or more, or prices would be rounded: received "${digits}"`,
    isolation !== "read committed" &&
      `this database because its setting default_transaction_isolation must be "read committed", or requests would fail: received "${isolation}". Set it for the role`,
  ].filter((one) => one !== false);
  if (fault !== undefined) throw new StoreError(`Cannot use ${fault}`, 78);
}

/** The version of the tables; 0 if there are none. */
async function versionOf(query: Query, schema: string): Promise<number> {
  // `to_regclass` could answer from a cache that was filled before the lock was taken, when the table did not exist.
  const [meta] = await query(
    "SELECT FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace n ON n.oid = relnamespace WHERE n.nspname = $1::text AND relname = 'meta'",
    [schema],
  );
  if (!meta) return 0;
  return firstOf(await query<{ version: number }>("SELECT version FROM mazaneh.meta", []), "meta").version;
}

async function makeSchema(query: Query, schema: string): Promise<void> {
  // `IF NOT EXISTS` would need the right to create a schema even if the schema exists.
  const [there] = await query("SELECT FROM pg_catalog.pg_namespace WHERE nspname = $1::text", [schema]);
  if (!there) await query(`CREATE SCHEMA ${quoteName(schema)}`);
  await query(
    "CREATE TABLE mazaneh.meta (one boolean PRIMARY KEY DEFAULT true CHECK (one), version integer NOT NULL, ledger text); INSERT INTO mazaneh.meta (version) VALUES (0)",
  );
}
