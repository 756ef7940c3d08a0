/** Bytes of a log that cannot be served. */
export interface Damage {
  readonly offset: number;
  /** 0 for what is missing. */
  readonly length: number;
  readonly reason: string;
}

/** Damage with the name of its file. */
export interface FileDamage extends Damage {
  readonly file: string;
}

/** The reason given for a group that was not written completely. */
export const TORN = "torn write";

/** The reason given for a file that is missing. */
export const MISSING = "is missing";

/** So many lines are missing at this place. */
export function missingLines(offset: number, count: number, before: number): Damage {
  return { offset, length: 0, reason: `${count} line${count === 1 ? "" : "s"} missing before ${before}` };
}
