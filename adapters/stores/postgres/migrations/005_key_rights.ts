/** Schema 5: `may` and `codes` of a key, by which some keys write: NULL for a key that reads, and for one that may write all assets. */
export function keyRights(schema: string): string {
  return `
ALTER TABLE ${schema}.keys ADD may text CHECK (may IN ('write', 'read,write')), ADD codes json;
`;
}
