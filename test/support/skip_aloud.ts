import { test } from "node:test";

/**
 * Says in place of tests that they cannot run here, and why: a skipped test, which the summary of `npm test` names.
 *
 * @param what What is not tested, e.g. `observations on PostgreSQL`.
 * @param reasons Why; those that are `undefined` are left out, e.g. `postgresMissing` where only Redis is missing.
 */
export function skipAloud(what: string, ...reasons: readonly (string | undefined)[]): void {
  test(`NOT TESTED: ${what}`, { skip: reasons.filter((reason) => reason !== undefined).join("; ") });
}
