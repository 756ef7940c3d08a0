import { Unavailable } from "../../../core/mod.ts";

/** A schema of a database, with the tables of one installation. */
export interface Schema {
  /** The unquoted name, such as `mazaneh`. */
  readonly name: string;
  /** The quoted name. Every statement names the schema, so `search_path` does not matter. */
  readonly sql: string;
  /** The name of the advisory locks of this installation. */
  readonly lock: string;
}

/** The default schema. */
export const DEFAULT_SCHEMA = "mazaneh";

/** The longest name that PostgreSQL does not truncate. */
const MAX_NAME_BYTES = 63;

/** Throws `RangeError` for a name that PostgreSQL would change or refuse. */
export function schemaOf(name: string): Schema {
  const bytes = new TextEncoder().encode(name).length;
  if (name === "" || name.includes("\0") || bytes > MAX_NAME_BYTES) {
    throw new RangeError(
      `Cannot use a schema because its name must have 1 to ${MAX_NAME_BYTES} bytes and no NUL: received ${JSON.stringify(name)}`,
    );
  }
  return { name, sql: quoteName(name), lock: `mazaneh_${name}` };
}

/** The oid of a table, as an SQL expression. */
export function tableOid({ sql }: Schema, table: string): string {
  return `'${`${sql}.${table}`.replaceAll("'", "''")}'::regclass`;
}

/** The row of a table that always has one. Throws `Unavailable` if it is missing, as while a backup is being restored. */
export function firstOf<Row>([row]: readonly Row[], table: string): Row {
  if (row === undefined)
    throw new Unavailable(`The table ${table} is empty: this happens while a backup is being restored`);
  return row;
}

/** Quotes a name for SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
