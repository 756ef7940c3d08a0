import { test } from "node:test";

/**
 * Declares a skipped test in place of tests that cannot run here, with the reason; the summary of `npm test` lists it.
 *
 * @param what The subject that is not tested, e.g. `observations on PostgreSQL`.
 * @param reasons The reasons; `undefined` ones are left out, e.g. `postgresMissing` if only Redis is missing.
 */
export function skipAloud(what: string, ...reasons: readonly (string | undefined)[]): void {
  test(`NOT TESTED: ${what}`, { skip: reasons.filter((reason) => reason !== undefined).join("; ") });
}
