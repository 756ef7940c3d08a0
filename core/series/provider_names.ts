/** The names of providers, each with the number of its observations. */
export interface ProviderNames {
  /** The number of a name, given to it when it is first asked; 0 for none. */
  numberOf(name: string | null): number;
  /** The name with a number; `null` for 0. */
  nameOf(number: number): string | null;
  /** Tells of an observation that came or went. */
  count(number: number, step: 1 | -1): void;
  /** Those with an observation, sorted. */
  present(): readonly string[];
  /** All names with their counts, in the order of their numbers. */
  pack(): readonly NameCount[];
  /** Takes what `pack` gave in place of its own. */
  unpack(packed: readonly NameCount[]): void;
}

/** A name and how many observations have it. */
export type NameCount = readonly [name: string, count: number];

/** Makes an empty list of names. */
export function createProviderNames(): ProviderNames {
  let names: string[] = [];
  let counts: number[] = [];

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
    pack: () => names.map((name, index) => [name, counts[index]!]),
    unpack(packed) {
      names = packed.map(([name]) => name);
      counts = packed.map(([, count]) => count);
    },
  };
}
