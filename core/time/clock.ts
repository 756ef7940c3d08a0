import type { UtcMillis } from "../branded_types.ts";
import type { Clock, UtcClock } from "../ports.ts";
import { isTime } from "./timestamps.ts";

/** A time without its fraction of a millisecond. Throws `TypeError` outside the years 0 to 9999. */
export function checkedTime(time: number): UtcMillis {
  const whole = Math.floor(time);
  if (isTime(whole)) return whole;
  throw new TypeError(`Cannot use a time because it must be milliseconds of the years 0 to 9999: received "${time}"`);
}

/** Makes a clock that passes each time through `checkedTime`. */
export function checkedClock(clock: Clock): UtcClock {
  return () => checkedTime(clock());
}
