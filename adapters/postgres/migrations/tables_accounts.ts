import { FREE_STARTER } from "../../../core/mod.ts";

/**
 * The tables of accounts and of counted units.
 *
 * - `book`: one row, locked while plans, accounts or keys change; `version` counts these changes.
 * - `plans`, `accounts`, `keys`: `place` is their order in the book. Times are milliseconds since 1970 in UTC; `units`
 *   is NULL for a plan without a limit. Texts are escaped as in the tables of observations.
 * - `quota`: `used` units of an account on a quota day. `granted` and `cap` are what the last statement has granted, and
 *   the limit that it knew: PostgreSQL tells a statement the new values of a row only.
 * - `quota_keys`: with which keys an account has asked for units on a day.
 */
export function accountTables(schema: string): string {
  const { name, dailyUnits, attributionRequired } = FREE_STARTER;
  return `
CREATE TABLE ${schema}.book (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  version bigint NOT NULL
);
INSERT INTO ${schema}.book (version) VALUES (0);
CREATE TABLE ${schema}.plans (
  name text COLLATE "C" PRIMARY KEY,
  place integer NOT NULL,
  units bigint,
  attribution boolean NOT NULL
);
INSERT INTO ${schema}.plans (name, place, units, attribution) VALUES ('${name}', 0, ${dailyUnits}, ${attributionRequired});
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
CREATE TABLE ${schema}.quota_keys (
  day text COLLATE "C" NOT NULL,
  account text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  PRIMARY KEY (day, account, key)
);
`;
}
