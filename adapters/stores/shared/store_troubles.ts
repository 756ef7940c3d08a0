/** What keeps a server from being ready. */
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

/** Something that is wrong just now. */
export interface Trouble {
  readonly code: ReasonCode;
  /** A sentence without a full stop. */
  readonly message: string;
}

/** Looks after one thing that can go wrong. */
export interface Watcher {
  /** What is wrong just now, as far as is known. Must be quick, and not throw. */
  troubles(): readonly Trouble[];
  /** Finds out anew what cannot be known at once, such as the state of a folder. Called every two seconds. */
  sweep?(): Promise<void>;
}
