import { foldedSql, WIDE_COLUMNS, WIDTHS, wideBucketOf } from "../candle_rollup_sql.ts";

/** Milliseconds of the years 0 to 9999. */
const TIMES = "-62167219200000 AND 253402300799999";

/** The columns of a record, and what every one must be. */
const RECORD = `
  business_time bigint NOT NULL,
  insert_time bigint NOT NULL,
  source_time bigint,
  value double precision NOT NULL,
  asset integer NOT NULL,
  import integer,
  quality smallint NOT NULL,
  provider text COLLATE "C",
  message text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL`;
const SOUND = `value > 0 AND value < 'infinity' AND length(provider) <= 6 * 64
  AND business_time BETWEEN ${TIMES} AND insert_time BETWEEN ${TIMES} AND source_time BETWEEN ${TIMES}`;

/**
 * Schema 1: all tables, as the README describes them. Constraints say what a store may hold.
 *
 * - `assets`: the row of an asset is locked while its observations change; `version` counts changes of decided ones.
 * - `observations`: `quality` is the place of the status in ACCEPTED, PENDING, REJECTED. Texts have a backslash, a NUL and half
 *   a surrogate pair escaped: `escape_text.ts`. `import` decides what an undo may touch, as the clocks of several processes
 *   cannot. No foreign keys, as their check of each row costs a third of an import. The index of insert times finds the records
 *   of an import without reading all.
 * - `book`: one row, locked while plans, accounts or keys change.
 * - `plans`, `accounts`, `keys`: `place` is their order in the book; `units` is NULL for a plan without a limit. `may` and
 *   `codes` are NULL for a key that reads, and for one that may write all assets.
 * - `quota`: `granted` and `cap` are what the last statement has granted, and the limit that it knew: PostgreSQL tells a
 *   statement the new values of a row only.
 * - `undo_records`: `import` is the one that had stored what `by_import` replaced; `lane` is the source of a pending record.
 */
export function first(schema: string): string {
  const widen = (event: string, rows: "NEW" | "OLD"): string =>
    `CREATE TRIGGER widen_${event} AFTER ${event} ON ${schema}.rollup REFERENCING ${rows} TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.widen();`;
  return `
CREATE TABLE ${schema}.assets (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, code text COLLATE "C" NOT NULL UNIQUE, version bigint NOT NULL DEFAULT 0);
CREATE TABLE ${schema}.observations (${RECORD},
  PRIMARY KEY (asset, business_time),
  CONSTRAINT observations_sound CHECK (${SOUND} AND quality IN (0, 2))
);
CREATE INDEX observations_rejected ON ${schema}.observations (asset, business_time) WHERE quality = 2;
CREATE INDEX observations_insert_time ON ${schema}.observations USING brin (insert_time) WITH (autosummarize = on);
CREATE TABLE ${schema}.pending (${RECORD},
  PRIMARY KEY (asset, business_time, source),
  CONSTRAINT pending_sound CHECK (${SOUND} AND quality = 1)
);
CREATE INDEX pending_source ON ${schema}.pending (source);
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
CREATE TABLE ${schema}.wide_rollup (
  asset integer NOT NULL,
  count integer NOT NULL,
  width bigint NOT NULL,
  start bigint NOT NULL,
  open double precision NOT NULL,
  high double precision NOT NULL,
  low double precision NOT NULL,
  close double precision NOT NULL,
  PRIMARY KEY (asset, width, start)
);
CREATE FUNCTION ${schema}.widen() RETURNS trigger LANGUAGE plpgsql AS $widen$
BEGIN
  WITH touched AS (
    SELECT DISTINCT asset, width, ${wideBucketOf("start")} AS start FROM changed, ${WIDTHS}
  ), made AS MATERIALIZED (
    SELECT t.asset, t.width, t.start, b.* FROM touched t CROSS JOIN LATERAL (
      SELECT ${foldedSql} FROM ${schema}.rollup r WHERE r.asset = t.asset AND r.start >= t.start AND r.start < t.start + t.width
    ) AS b
  ), emptied AS (
    DELETE FROM ${schema}.wide_rollup r USING made m WHERE m.count IS NULL AND r.asset = m.asset AND r.width = m.width AND r.start = m.start
  )
  INSERT INTO ${schema}.wide_rollup (${WIDE_COLUMNS}) SELECT ${WIDE_COLUMNS} FROM made WHERE count IS NOT NULL
  ON CONFLICT (asset, width, start) DO UPDATE SET (count, open, high, low, close) = (excluded.count, excluded.open, excluded.high, excluded.low, excluded.close);
  RETURN NULL;
END $widen$;
${widen("INSERT", "NEW")}
${widen("UPDATE", "NEW")}
${widen("DELETE", "OLD")}
CREATE TABLE ${schema}.providers (asset integer NOT NULL, count bigint NOT NULL, provider text COLLATE "C" NOT NULL, PRIMARY KEY (asset, provider));
CREATE TABLE ${schema}.book (one boolean PRIMARY KEY DEFAULT true CHECK (one), version bigint NOT NULL);
INSERT INTO ${schema}.book (version) VALUES (0);
CREATE TABLE ${schema}.plans (
  name text COLLATE "C" PRIMARY KEY,
  place integer NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  units bigint CHECK (units >= 1),
  attribution boolean NOT NULL
);
INSERT INTO ${schema}.plans (name, units, attribution) VALUES ('FREE_STARTER', 50, true);
CREATE TABLE ${schema}.accounts (
  id text COLLATE "C" PRIMARY KEY,
  place integer NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  plan text COLLATE "C" NOT NULL REFERENCES ${schema}.plans,
  status text NOT NULL CHECK (status IN ('ACTIVE', 'RESTRICTED', 'DISABLED'))
);
CREATE TABLE ${schema}.keys (
  id text COLLATE "C" PRIMARY KEY,
  place integer NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  account text COLLATE "C" NOT NULL REFERENCES ${schema}.accounts,
  digest text NOT NULL,
  created bigint NOT NULL,
  expires bigint,
  revoked bigint,
  note text NOT NULL,
  may text CHECK (may IN ('write', 'read,write')),
  codes json
);
CREATE TABLE ${schema}.quota (
  day text COLLATE "C" NOT NULL,
  account text COLLATE "C" NOT NULL,
  used bigint NOT NULL,
  granted bigint NOT NULL,
  cap bigint NOT NULL,
  PRIMARY KEY (day, account),
  plan text COLLATE "C",
  withheld bigint NOT NULL DEFAULT 0 CHECK (withheld >= 0),
  CONSTRAINT quota_sound CHECK (used >= 0 AND (granted = 0 OR used <= cap))
) WITH (fillfactor = 50);
CREATE TABLE ${schema}.quota_keys (day text COLLATE "C" NOT NULL, account text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL, PRIMARY KEY (day, account, key));
CREATE TABLE ${schema}.quota_receipts (sender text COLLATE "C" PRIMARY KEY, day text COLLATE "C" NOT NULL, number bigint NOT NULL, granted int[] NOT NULL) WITH (fillfactor = 50);
CREATE TABLE ${schema}.changes (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  time timestamptz NOT NULL DEFAULT clock_timestamp(),
  username text NOT NULL,
  program text NOT NULL,
  pid integer NOT NULL,
  what text NOT NULL,
  import integer,
  records integer
);
CREATE TABLE ${schema}.imports (
  id integer PRIMARY KEY,
  type text NOT NULL CHECK (type IN ('import', 'withdrawal')),
  time bigint NOT NULL,
  subjects text NOT NULL,
  source text COLLATE "C" NOT NULL,
  pid integer NOT NULL,
  host text NOT NULL,
  summary text,
  noted integer NOT NULL DEFAULT 0,
  undoing boolean NOT NULL DEFAULT false,
  undone bigint,
  restored integer NOT NULL DEFAULT 0,
  removed integer NOT NULL DEFAULT 0
);
CREATE TABLE ${schema}.undo_records (
  by_import integer NOT NULL REFERENCES ${schema}.imports ON DELETE CASCADE,
  taken boolean NOT NULL,${RECORD},
  lane text COLLATE "C" NOT NULL GENERATED ALWAYS AS (CASE quality WHEN 1 THEN source ELSE '' END) STORED,
  PRIMARY KEY (by_import, asset, business_time, lane)
);
CREATE INDEX undo_records_taken ON ${schema}.undo_records (by_import, asset, business_time) WHERE taken;
`;
}
