/**
 * The tables of observations and of what is kept beside them.
 *
 * - `assets`: `version` counts the changes to an asset's observations. Its row is locked while they change.
 * - `observations`: times are milliseconds since 1970 in UTC; `quality` is the place of the status in
 *   ACCEPTED, PENDING, REJECTED. Texts have a backslash, a NUL and half a surrogate pair escaped: `text.ts`.
 *   `act` is the import or withdrawal that has stored it, where one has. No foreign key, as its check of each row costs a third of an import.
 * - `rollup`: accepted observations in buckets of 15 minutes, from which wide candles are made.
 * - `providers`: how many accepted observations each provider has, so that coverage need not read them.
 */
export function marketTables(schema: string): string {
  return `
CREATE TABLE ${schema}.assets (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  code text COLLATE "C" NOT NULL UNIQUE,
  version bigint NOT NULL DEFAULT 0
);
CREATE TABLE ${schema}.observations (
  business_time bigint NOT NULL,
  insert_time bigint NOT NULL,
  source_time bigint,
  value double precision NOT NULL,
  asset integer NOT NULL,
  quality smallint NOT NULL,
  provider text COLLATE "C",
  message text COLLATE "C" NOT NULL,
  act integer,
  PRIMARY KEY (asset, business_time)
);
CREATE INDEX observations_not_accepted ON ${schema}.observations (asset, quality, business_time) WHERE quality <> 0;
CREATE TABLE ${schema}.rollup (
  asset integer NOT NULL,
  count integer NOT NULL,
  start bigint NOT NULL,
  first_time bigint NOT NULL,
  last_time bigint NOT NULL,
  open double precision NOT NULL,
  high double precision NOT NULL,
  low double precision NOT NULL,
  close double precision NOT NULL,
  PRIMARY KEY (asset, start)
);
CREATE TABLE ${schema}.providers (
  asset integer NOT NULL,
  count bigint NOT NULL,
  provider text COLLATE "C" NOT NULL,
  PRIMARY KEY (asset, provider)
);
`;
}
