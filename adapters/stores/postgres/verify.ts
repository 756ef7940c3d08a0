import type { Verification } from "../shared/engine.ts";
import { WIDE_ROLLUP } from "./candle_rollup_sql.ts";
import type { Connection, Query } from "./connection.ts";
import { PROVIDERS, ROLLUP } from "./write_statements.ts";

/** The most faults that are listed for a part. */
const LISTED = 20;
const WELL = "All is well.";
const DAMAGED =
  "Derived data, or references to other rows, are wrong; the rest is served. Restore a backup made with pg_dump, or copy the data into a new database with the copy command, which computes derived data anew.";

/**
 * Checks one state of the database, without changing anything: whether records refer to existing assets, derived data
 * equals a new computation, and undo records are complete. Constraints already check single rows, and references to
 * accounts and plans.
 */
export async function verifyPostgres({ reading }: Pick<Connection, "reading">): Promise<Verification> {
  const parts = await reading((query) => findFaults(query));
  const state = parts.some(({ faults }) => faults > 0) ? 2 : 0;
  return {
    state,
    report: { state, parts },
    heading: ["part", "rows", "found"],
    rows: parts.map(({ part, rows, faults }) => [
      part,
      rows,
      faults === 0 ? "good" : `${faults.toLocaleString("en-US")} bad`,
    ]),
    places: parts.flatMap(({ part, faults, listed }) => [
      ...listed.map((fault) => `${part}: ${fault}`),
      ...(faults > listed.length ? [`${part}: and ${(faults - listed.length).toLocaleString("en-US")} more`] : []),
    ]),
    verdict: state === 0 ? WELL : DAMAGED,
  };
}

async function findFaults(query: Query) {
  const parts = [];
  for (const [part, text] of Object.entries(FAULTS)) {
    const [total] = await query<{ rows: number }>(`SELECT count(*) AS rows FROM mazaneh.${part}`, []);
    const found = await query<{ fault: string; total: number }>(
      `SELECT fault, count(*) OVER () AS total FROM (${text}) AS found ORDER BY fault LIMIT ${LISTED}`,
      [],
    );
    parts.push({ part, rows: total!.rows, faults: found[0]?.total ?? 0, listed: found.map(({ fault }) => fault) });
  }
  return parts;
}

const code = "coalesce((SELECT code FROM mazaneh.assets WHERE id = asset), 'asset ' || asset)";
const start = `to_char(timestamp 'epoch' + start * interval '1 millisecond', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const orphans = (table: string): string =>
  `SELECT 'there are records of asset ' || asset || ', which is missing' AS fault
FROM (SELECT DISTINCT asset FROM mazaneh.${table}) AS used WHERE asset NOT IN (SELECT id FROM mazaneh.assets)`;

/** For each table, a query for wrong rows that no constraint can find. The column `fault` describes each row. */
const FAULTS: Readonly<Record<string, string>> = {
  observations: orphans("observations"),
  pending: orphans("pending"),
  rollup: `SELECT ${code} || ': the roll-up of ' || ${start} || ' is not that of its records' AS fault
FROM (${ROLLUP}) AS fresh FULL JOIN mazaneh.rollup AS kept USING (asset, start)
WHERE (fresh.count, fresh.first_time, fresh.last_time, fresh.open, fresh.high, fresh.low, fresh.close)
  IS DISTINCT FROM (kept.count, kept.first_time, kept.last_time, kept.open, kept.high, kept.low, kept.close)`,
  wide_rollup: `SELECT ${code} || ': the roll-up of ' || width / 3600000 || ' hours from ' || ${start} || ' is not that of its records' AS fault
FROM (${WIDE_ROLLUP}) AS fresh FULL JOIN mazaneh.wide_rollup AS kept USING (asset, width, start)
WHERE (fresh.count, fresh.open, fresh.high, fresh.low, fresh.close) IS DISTINCT FROM (kept.count, kept.open, kept.high, kept.low, kept.close)`,
  providers: `SELECT ${code} || ': the provider "' || provider || '" has ' || coalesce(fresh.count, 0) || ' records, not ' || coalesce(kept.count, 0) AS fault
FROM (${PROVIDERS}) AS fresh FULL JOIN mazaneh.providers AS kept USING (asset, provider) WHERE fresh.count IS DISTINCT FROM nullif(kept.count, 0)`,
  imports: `SELECT 'import ' || id || ' has replaced ' || noted || ' records, and remembers ' || coalesce(found, 0) || ' of them: it cannot be undone as a whole' AS fault
FROM mazaneh.imports LEFT JOIN (SELECT by_import AS id, count(*) AS found FROM mazaneh.undo_records GROUP BY 1) AS remembered USING (id)
WHERE noted <> coalesce(found, 0)`,
};
