/** Schema 4: `quota_receipts`, what the last statement of each sender of takes was granted, for when its answer is lost. */
export function receipts(schema: string): string {
  return `
CREATE TABLE ${schema}.quota_receipts (sender text COLLATE "C" PRIMARY KEY, day text COLLATE "C" NOT NULL, number bigint NOT NULL, granted int[] NOT NULL) WITH (fillfactor = 50);
`;
}
