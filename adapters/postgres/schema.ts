/** The schema of a database that holds the data of one house. */
export interface Schema {
  /** As an operator writes it, e.g. `mazaneh`. */
  readonly name: string;
  /** As SQL writes it. Every statement names its tables with it, so that no `search_path` matters. */
  readonly sql: string;
  /** Where changes are notified. */
  readonly channel: string;
}

/** The schema where none is named. */
export const DEFAULT_SCHEMA = "mazaneh";

const CHANNEL_PREFIX = "mazaneh_";
/** PostgreSQL cuts longer names off. */
const MAX_NAME_BYTES = 63;

/** @throws RangeError for a name that PostgreSQL would not take as it is, together with the prefix of the channel. */
export function schemaOf(name: string): Schema {
  const bytes = new TextEncoder().encode(CHANNEL_PREFIX + name).length;
  if (name === "" || name.includes("\0") || bytes > MAX_NAME_BYTES) {
    const longest = MAX_NAME_BYTES - CHANNEL_PREFIX.length;
    throw new RangeError(`Cannot use a schema as its name must have 1 to ${longest} bytes and no NUL: received ${JSON.stringify(name)}`);
  }
  return { name, sql: quoteName(name), channel: CHANNEL_PREFIX + name };
}

/** A name as SQL writes it, whatever characters it has. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
