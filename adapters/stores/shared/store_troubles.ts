/** Reasons for which a server is not ready. */
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

/** Something that is wrong at the moment. */
export interface Trouble {
  readonly code: ReasonCode;
  /** A sentence without a full stop. */
  readonly message: string;
}

/** Watches something that can go wrong. */
export interface Watcher {
  /** The known troubles. Must be quick, and not throw. */
  troubles(): readonly Trouble[];
  /** Checks what takes time, such as a folder. Called every two seconds. */
  sweep?(): Promise<void>;
}
