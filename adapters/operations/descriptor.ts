import { constants, fstatSync, openSync } from "node:fs";
import { isatty } from "node:tty";

/**
 * A descriptor for the same terminal or pipe, of which writes never wait. A write that waits for a stuck terminal would
 * keep its thread, and with it the process, from ending. Where the system makes no such descriptor it is `fd` itself.
 */
export function nonBlocking(fd: number): number {
  try {
    if (!isatty(fd) && !fstatSync(fd).isFIFO()) return fd;
    // Opened anew, as the flag would be set for all other processes that have inherited the descriptor.
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return fd;
  }
}
