import type { Verification } from "../store/engine.ts";
import { StoreError } from "../store/store_error.ts";
import type { Connection, Query } from "./connection.ts";
import { demandSchema } from "./migrations/migrate.ts";
import type { Schema } from "./schema.ts";
import { bucketOf } from "./write_statements.ts";

/** A check of what no constraint of a table can say, as SQL. */
interface Check {
  readonly part: string;
  /** Gives the number of `rows` that are checked. */
  readonly rows: string;
  /** Gives a `fault` in words for each row that is wrong. */
  readonly faults: string;
}

interface Finding {
  readonly part: string;
  readonly rows: number;
  readonly faults: readonly string[];
  /** All faults, also those that are not listed. */
  readonly count: number;
}

/** How many faults of one check are listed. */
const LISTED = 20;

const VERDICTS = {
  0: "All is well.",
  2: "What is kept beside the records, or refers to others, is wrong; the rest is served. Restore a backup made with pg_dump, or copy the data into a new database with copy, which makes everything anew.",
  3: "The data cannot be read.",
} as const;

/**
 * Checks in one state of the database, and changes nothing: whether records refer to assets and imports that are there, and
 * whether everything that is derived from the records equals what is derived anew. What one row may hold, and which account
 * or plan it refers to, the constraints of the tables check with each change.
 */
export async function verifyPostgres({ snapshot }: Pick<Connection, "snapshot">, schema: Schema): Promise<Verification> {
  const { query, end } = await snapshot();
  const findings: Finding[] = [];
  try {
    await demandSchema(query, schema);
    for (const check of checksOf(schema.sql)) findings.push(await carryOut(query, check));
  } catch (error) {
    await end(error);
    if (!(error instanceof StoreError)) throw error;
    return { state: 3, report: { state: 3, unreadable: error.message, parts: [] }, heading: ["part", "rows", "found"], rows: [], places: [error.message], verdict: VERDICTS[3] };
  }
  await end();
  return verificationOf(findings);
}

async function carryOut(query: Query, { part, rows, faults }: Check): Promise<Finding> {
  const [total] = await query<{ rows: number }>(rows, []);
  const found = await query<{ fault: string; total: number }>(`SELECT fault, (count(*) OVER ())::float8 AS total FROM (${faults}) AS found ORDER BY fault LIMIT ${LISTED}`, []);
  return { part, rows: total!.rows, faults: found.map(({ fault }) => fault), count: found[0]?.total ?? 0 };
}

function verificationOf(findings: readonly Finding[]): Verification {
  const state = findings.some(({ count }) => count > 0) ? 2 : 0;
  return {
    state,
    report: { state, parts: findings.map(({ part, rows, faults, count }) => ({ part, rows, faults: count, listed: faults })) },
    heading: ["part", "rows", "found"],
    rows: findings.map(({ part, rows, count }) => [part, rows, count === 0 ? "good" : `${count.toLocaleString("en-US")} bad`]),
    places: findings.flatMap(({ part, faults, count }) => [
      ...faults.map((fault) => `${part}: ${fault}`),
      ...(count > faults.length ? [`${part}: and ${(count - faults.length).toLocaleString("en-US")} more`] : []),
    ]),
    verdict: VERDICTS[state],
  };
}

/** @param schema As SQL writes it. */
function checksOf(schema: string): readonly Check[] {
  const code = (asset: string): string => `coalesce((SELECT code FROM ${schema}.assets WHERE id = ${asset}), 'asset ' || ${asset})`;
  const at = (time: string): string => `to_char(timestamp 'epoch' + ${time} * interval '1 millisecond', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const rowsOf = (table: string): string => `SELECT count(*)::float8 AS rows FROM ${schema}.${table}`;
  return [
    {
      part: "observations",
      rows: rowsOf("observations"),
      faults: `SELECT 'there are records of asset ' || asset || ', which is missing' AS fault
FROM (SELECT DISTINCT asset FROM ${schema}.observations) AS used WHERE asset NOT IN (SELECT id FROM ${schema}.assets)
UNION ALL SELECT code || ' has records, and its version is ' || version FROM ${schema}.assets
WHERE version < 1 AND EXISTS (SELECT FROM ${schema}.observations WHERE asset = assets.id)
UNION ALL SELECT 'import ' || import || ' has records with another insert time than its own' FROM (
  SELECT DISTINCT import FROM ${schema}.observations JOIN ${schema}.imports ON imports.id = import WHERE insert_time <> imports.time
) AS wrong
UNION ALL SELECT 'there are records of import ' || import || ', which has never been' FROM (
  SELECT DISTINCT import FROM ${schema}.observations WHERE import > coalesce((SELECT max(id) FROM ${schema}.imports), 0)
) AS unknown`,
    },
    {
      part: "rollup",
      rows: rowsOf("rollup"),
      faults: `SELECT ${code("asset")} || ': the roll-up of ' || ${at("start")} || ' is not that of its records' AS fault FROM (
  SELECT asset, ${bucketOf("business_time")} AS start, count(*) AS count, min(business_time) AS first_time, max(business_time) AS last_time, max(value) AS high, min(value) AS low,
    (array_agg(value ORDER BY business_time))[1] AS open, (array_agg(value ORDER BY business_time DESC))[1] AS close
  FROM ${schema}.observations WHERE quality = 0 GROUP BY 1, 2
) AS fresh FULL JOIN ${schema}.rollup AS kept USING (asset, start)
WHERE (fresh.count, fresh.first_time, fresh.last_time, fresh.open, fresh.high, fresh.low, fresh.close)
  IS DISTINCT FROM (kept.count::bigint, kept.first_time, kept.last_time, kept.open, kept.high, kept.low, kept.close)`,
    },
    {
      part: "providers",
      rows: rowsOf("providers"),
      faults: `SELECT ${code("asset")} || ': the provider "' || provider || '" has ' || coalesce(fresh.count, 0) || ' records, not ' || coalesce(kept.count, 0) AS fault FROM (
  SELECT asset, provider, count(*) AS count FROM ${schema}.observations WHERE quality = 0 AND provider IS NOT NULL GROUP BY 1, 2
) AS fresh FULL JOIN ${schema}.providers AS kept USING (asset, provider) WHERE fresh.count IS DISTINCT FROM nullif(kept.count, 0)`,
    },
    {
      part: "imports",
      rows: rowsOf("imports"),
      faults: `SELECT 'import ' || id || ' has replaced ' || noted || ' records, and remembers ' || coalesce(found, 0) || ' of them: it cannot be undone as a whole' AS fault
FROM ${schema}.imports LEFT JOIN (SELECT by_import AS id, count(*) AS found FROM ${schema}.undo_records GROUP BY 1) AS remembered USING (id)
WHERE noted <> coalesce(found, 0)`,
    },
  ];
}
