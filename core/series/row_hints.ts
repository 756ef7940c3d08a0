import { lowerBound } from "./column.ts";
import type { DenseColumn } from "./column.ts";
import { DAY_MS } from "../time/durations.ts";

/** Below this a search is as quick as a look into a table. */
const FEW_ROWS = 256;
/** Eleven years of days. */
const MOST_HINTS = 4_096;

const NO_HINTS = new Uint32Array(0);

/**
 * `lowerBound` for moments that are asked again and again, as the edges of days are: it remembers one row
 * for each UTC day. A row remembered is only a hint, which two looks into the times prove or refute, so
 * nothing has to be told of changes.
 */
export class RowHints {
  readonly #times: DenseColumn;
  #hints: Uint32Array = NO_HINTS;

  /** For times that are strictly ascending. */
  constructor(times: DenseColumn) {
    this.#times = times;
  }

  /** The first row whose time is not below `time`; the number of rows when all are. */
  rowAt(time: number): number {
    const times = this.#times;
    const { length } = times;
    if (length < FEW_ROWS) return lowerBound(times, time);
    if (this.#hints.length < MOST_HINTS) this.#fit((times.get(length - 1) - times.get(0)) / DAY_MS + 1);
    const hints = this.#hints;
    const place = Math.floor(time / DAY_MS) & (hints.length - 1);
    const hint = hints[place]!;
    const right = hint <= length && (hint === 0 || times.get(hint - 1) < time) && (hint === length || times.get(hint) >= time);
    return right ? hint : (hints[place] = lowerBound(times, time));
  }

  #fit(days: number): void {
    if (days <= this.#hints.length) return;
    let size = 16;
    while (size < days && size < MOST_HINTS) size *= 2;
    this.#hints = new Uint32Array(size);
  }
}
