import type { UtcMillis } from "../branded_types.ts";
import type { Clock, UtcClock } from "../ports.ts";
import { isPrintable } from "./timestamps.ts";

/** Returns a time without the fraction of a millisecond. Throws `TypeError` where it is none of the years 0 to 9999. */
export function checkedTime(time: number): UtcMillis {
  const whole = Math.floor(time);
  if (Number.isSafeInteger(whole) && isPrintable(whole)) return whole as UtcMillis;
  throw new TypeError(`Cannot use a time as it must be milliseconds of the years 0 to 9999: received "${time}"`);
}

/** A clock from outside whose times are checked: it throws `TypeError` as `checkedTime` does. */
export function checkedClock(clock: Clock): UtcClock {
  return () => checkedTime(clock());
}
