import type { Verification } from "../store/engine.ts";
import { StoreError } from "../store/store_error.ts";
import type { Connection, Query } from "./connection.ts";
import { demandSchema } from "./migrations/migrate.ts";
import type { Schema } from "./schema.ts";
import { verifyChecks } from "./verify_checks.ts";
import type { Check } from "./verify_checks.ts";

/** What a check has found. */
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
 * Checks all data in one state of the database, and changes nothing: whether each row is what a store may hold and refers
 * to what is there, and whether everything that is derived from the records equals what is derived anew.
 */
export async function verifyPostgres({ snapshot }: Pick<Connection, "snapshot">, schema: Schema): Promise<Verification> {
  try {
    const findings = await snapshot(async (query) => {
      await demandSchema(query, schema);
      const found: Finding[] = [];
      for (const check of verifyChecks(schema.sql)) found.push(await carryOut(query, check));
      return found;
    });
    return verificationOf(findings);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { state: 3, report: { state: 3, unreadable: error.message, parts: [] }, heading: ["part", "rows", "found"], rows: [], places: [error.message], verdict: VERDICTS[3] };
  }
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
