/** The key of each word in lists with blanks between the words: `{ rial: "irr rls" }` has `irr` and `rls` for `rial`. */
export function keysByWord<Key extends string>(lists: Readonly<Record<Key, string>>): ReadonlyMap<string, Key> {
  const entries = Object.entries<string>(lists) as [Key, string][];
  return new Map(entries.flatMap(([key, words]) => words.split(" ").map((word) => [word, key] as const)));
}
