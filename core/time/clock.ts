import type { UtcMillis } from "../branded_types.ts";
import type { Clock, UtcClock } from "../ports.ts";
import { isPrintable } from "./timestamps.ts";

/** Returns a time. Throws `TypeError` where it is no whole millisecond of the years 0 to 9999. */
export function checkedTime(time: number): UtcMillis {
  if (Number.isSafeInteger(time) && isPrintable(time)) return time as UtcMillis;
  throw new TypeError(`Cannot use a time as it must be whole milliseconds of the years 0 to 9999: received "${time}"`);
}

/** A clock from outside whose times are checked: it throws `TypeError` as `checkedTime` does. */
export function checkedClock(clock: Clock): UtcClock {
  return () => checkedTime(clock());
}
