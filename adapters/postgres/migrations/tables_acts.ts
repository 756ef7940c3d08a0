/**
 * The tables of acts, behind those of observations. There the column `act` decides what an undo may touch, as the clocks
 * of several processes cannot. The index of insert times finds the records of an act without reading all; it costs an
 * append next to nothing.
 */
export function importTables(schema: string): string {
  return `
CREATE INDEX observations_insert_time ON ${schema}.observations USING brin (insert_time) WITH (autosummarize = on);

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

-- What an act has replaced, as it was before; "act" is the one that had stored that.
CREATE TABLE ${schema}.act_before (
  by_act integer NOT NULL,
  LIKE ${schema}.observations,
  PRIMARY KEY (by_act, asset, business_time)
);
`;
}
