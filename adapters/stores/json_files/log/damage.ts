/** Bytes of a log that cannot be served. */
export interface Damage {
  readonly offset: number;
  /** 0 for missing bytes. */
  readonly length: number;
  readonly reason: string;
}

/** Damage with the name of its file. */
export interface FileDamage extends Damage {
  readonly file: string;
}

/** The `reason` of damage if a group was not written completely. */
export const TORN = "torn write";

/** The `reason` of damage if a file is missing. */
export const MISSING = "is missing";

/** The damage at an offset where `count` lines are missing before the line with the number `before`. */
export function missingLines(offset: number, count: number, before: number): Damage {
  return { offset, length: 0, reason: `${count} line${count === 1 ? "" : "s"} missing before line ${before}` };
}
