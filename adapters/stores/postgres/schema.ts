/** The schema of a database that holds the data of one installation. */
export interface Schema {
  /** As an operator writes it, e.g. `mazaneh`. */
  readonly name: string;
  /** As SQL writes it. Every statement names its tables with it, so that no `search_path` matters. */
  readonly sql: string;
  /** The name of its advisory locks. */
  readonly lock: string;
}

/** The schema where none is named. */
export const DEFAULT_SCHEMA = "mazaneh";

/** PostgreSQL cuts longer names off. */
const MAX_NAME_BYTES = 63;

/** @throws RangeError for a name that PostgreSQL would not take as it is. */
export function schemaOf(name: string): Schema {
  const bytes = new TextEncoder().encode(name).length;
  if (name === "" || name.includes("\0") || bytes > MAX_NAME_BYTES) {
    throw new RangeError(
      `Cannot use a schema as its name must have 1 to ${MAX_NAME_BYTES} bytes and no NUL: received ${JSON.stringify(name)}`,
    );
  }
  return { name, sql: quoteName(name), lock: `mazaneh_${name}` };
}

/** The oid of a table, as an expression of SQL. */
export function tableOid({ sql }: Schema, table: string): string {
  return `'${`${sql}.${table}`.replaceAll("'", "''")}'::regclass`;
}

/** A name as SQL writes it, whatever characters it has. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
