/**
 * Schema 6: of a counter, `plan`, that of the account when a unit was last asked for, beside its limit in `cap`; and `withheld`, the
 * part of `used` that was not served, but is counted as used since a restore or a repair. `quota` is kept for 400 days.
 */
export function usageOfDays(schema: string): string {
  return `
ALTER TABLE ${schema}.quota ADD plan text COLLATE "C", ADD withheld bigint NOT NULL DEFAULT 0 CHECK (withheld >= 0);
`;
}
