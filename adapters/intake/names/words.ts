/** The key for each word in lists separated by blanks: `{ rial: "irr rls" }` maps `irr` and `rls` to `rial`. */
export function keysByWord<Key extends string>(lists: Readonly<Record<Key, string>>): ReadonlyMap<string, Key> {
  const entries = Object.entries<string>(lists) as [Key, string][];
  return new Map(entries.flatMap(([key, words]) => words.split(" ").map((word) => [word, key] as const)));
}
