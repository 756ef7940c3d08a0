/** Reasons why a server is not ready. */
export const REASON_CODES = [
  "draining",
  "store-failed",
  "store-read-only",
  "store-unreachable",
  "quota-unreachable",
  "writes-failing",
  "disk-full",
  "data-folder",
  "clock-behind",
  "clock-differs",
  "stale-feed",
  "overloaded",
  "mirror-failing",
] as const;

/** The machine code of a reason. */
export type ReasonCode = (typeof REASON_CODES)[number];

/** A current problem. */
export interface Trouble {
  readonly code: ReasonCode;
  /** A sentence without a full stop. */
  readonly message: string;
}

/** Watches for problems. */
export interface Watcher {
  /** The known troubles. Must be fast, and must not throw. */
  troubles(): readonly Trouble[];
  /** Makes the slow checks, e.g. of a folder. Called every two seconds. */
  sweep?(): Promise<void>;
}
