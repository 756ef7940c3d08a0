/**
 * Schema 4: `quota_receipts`, what the last statement of each sender of takes was granted, for when its answer is lost; and
 * `changes`, the last changes that commands have made, for the logs of servers.
 */
export function receiptsAndChanges(schema: string): string {
  return `
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
`;
}
