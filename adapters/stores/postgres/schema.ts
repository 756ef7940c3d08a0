import { Unavailable } from "../../../core/mod.ts";

/** The longest name that PostgreSQL does not truncate. */
const MAX_NAME_BYTES = 63;

/** The quoted name of a schema. Throws `RangeError` for a name that PostgreSQL would change or refuse. */
export function quotedSchema(name: string): string {
  const bytes = new TextEncoder().encode(name).length;
  if (name === "" || name.includes("\0") || bytes > MAX_NAME_BYTES) {
    throw new RangeError(
      `Cannot use a schema because its name must have 1 to ${MAX_NAME_BYTES} bytes and no NUL: received ${JSON.stringify(name)}`,
    );
  }
  return quoteName(name);
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
