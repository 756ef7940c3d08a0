/** Milliseconds of a minute. */
export const MINUTE_MS = 60_000;

/** Milliseconds of an hour. */
export const HOUR_MS = 3_600_000;

/** Milliseconds of a day of 24 hours, as every UTC day is. */
export const DAY_MS = 86_400_000;
