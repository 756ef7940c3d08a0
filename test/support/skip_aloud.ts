import { test } from "node:test";

/**
 * Declares a skipped test in place of tests that cannot run here. The summary of `npm test` lists it and the reason.
 *
 * @param what The subject that is not tested, e.g. `observations on PostgreSQL`.
 * @param reasons The reasons, such as `postgresMissing` and `redisMissing`. Each `undefined` is ignored.
 */
export function skipAloud(what: string, ...reasons: readonly (string | undefined)[]): void {
  test(`NOT TESTED: ${what}`, { skip: reasons.filter((reason) => reason !== undefined).join("; ") });
}
