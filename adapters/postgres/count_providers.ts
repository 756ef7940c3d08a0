/** Adds to the counts of accepted observations by provider. */
export function countProviders(schema: string, changes: string): string {
  return `INSERT INTO ${schema}.providers (asset, provider, count)
  SELECT asset, provider, sum(n) FROM (${changes}) AS changes WHERE provider IS NOT NULL GROUP BY asset, provider HAVING sum(n) <> 0
  ON CONFLICT (asset, provider) DO UPDATE SET count = providers.count + excluded.count`;
}
