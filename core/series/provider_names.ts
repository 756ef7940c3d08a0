/** The names of a series' providers, each with a number and with the count of its observations. */
export interface ProviderNames {
  /** The number of a name, from 1; a name that is new gets the next one. 0 for `null`. */
  numberOf(name: string | null): number;
  /** The name with a number; `null` for 0. */
  nameOf(number: number): string | null;
  /** Counts an observation that was added (1) or removed (-1). */
  count(number: number, step: 1 | -1): void;
  /** The names that have an observation, sorted. */
  present(): readonly string[];
}

/** Makes an empty list of names. */
export function createProviderNames(): ProviderNames {
  const names: string[] = [];
  const counts: number[] = [];

  return {
    numberOf(name) {
      if (name === null) return 0;
      const known = names.indexOf(name);
      if (known !== -1) return known + 1;
      counts.push(0);
      return names.push(name);
    },
    nameOf: (number) => names[number - 1] ?? null,
    count(number, step) {
      if (number > 0) counts[number - 1]! += step;
    },
    present: () => names.filter((_, index) => counts[index]! > 0).sort(),
  };
}
