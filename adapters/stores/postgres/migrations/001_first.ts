/** Schema 1: all tables. What they are now, 002 and the README say. */
export function first(schema: string): string {
  return `
CREATE TABLE ${schema}.assets (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, code text COLLATE "C" NOT NULL UNIQUE, version bigint NOT NULL DEFAULT 0);
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
CREATE INDEX observations_insert_time ON ${schema}.observations USING brin (insert_time) WITH (autosummarize = on);
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
CREATE TABLE ${schema}.providers (asset integer NOT NULL, count bigint NOT NULL, provider text COLLATE "C" NOT NULL, PRIMARY KEY (asset, provider));
CREATE TABLE ${schema}.book (one boolean PRIMARY KEY DEFAULT true CHECK (one), version bigint NOT NULL);
INSERT INTO ${schema}.book (version) VALUES (0);
CREATE TABLE ${schema}.plans (name text COLLATE "C" PRIMARY KEY, place integer NOT NULL, units bigint, attribution boolean NOT NULL);
INSERT INTO ${schema}.plans (name, place, units, attribution) VALUES ('FREE_STARTER', 0, 50, true);
CREATE TABLE ${schema}.accounts (
  id text COLLATE "C" PRIMARY KEY,
  place integer NOT NULL,
  plan text COLLATE "C" NOT NULL REFERENCES ${schema}.plans,
  status text NOT NULL CHECK (status IN ('ACTIVE', 'RESTRICTED', 'DISABLED'))
);
CREATE TABLE ${schema}.keys (
  id text COLLATE "C" PRIMARY KEY,
  place integer NOT NULL,
  account text COLLATE "C" NOT NULL REFERENCES ${schema}.accounts,
  digest text NOT NULL,
  created bigint NOT NULL,
  expires bigint,
  revoked bigint,
  note text NOT NULL
);
CREATE TABLE ${schema}.quota (
  day text COLLATE "C" NOT NULL,
  account text COLLATE "C" NOT NULL,
  used bigint NOT NULL,
  granted bigint NOT NULL,
  cap bigint NOT NULL,
  PRIMARY KEY (day, account)
) WITH (fillfactor = 50);
CREATE TABLE ${schema}.quota_keys (day text COLLATE "C" NOT NULL, account text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL, PRIMARY KEY (day, account, key));
CREATE TABLE ${schema}.acts (
  id integer PRIMARY KEY,
  type text NOT NULL CHECK (type IN ('import', 'withdrawal')),
  time bigint NOT NULL UNIQUE,
  subjects text NOT NULL,
  pid integer NOT NULL,
  host text NOT NULL,
  summary text,
  noted integer NOT NULL DEFAULT 0,
  undoing boolean NOT NULL DEFAULT false,
  undone bigint,
  restored integer NOT NULL DEFAULT 0,
  removed integer NOT NULL DEFAULT 0
);
CREATE TABLE ${schema}.act_before (by_act integer NOT NULL, LIKE ${schema}.observations, PRIMARY KEY (by_act, asset, business_time));
`;
}
