// Splits a range of any length into pieces, each short enough for one request.
import { PriceError, REQUEST_DAYS } from "../../core/client_entry.ts";

/** The progress of reading a range. */
export interface Progress {
  /** The fraction of the range read so far, above 0 and at most 1. */
  readonly fraction: number;
  /** The number of records or candles read so far. */
  readonly count: number;
}

/** A range as given in the query, and the function that requests part of it. */
export interface RangeQuery<Item> {
  readonly from: string;
  readonly to: string;
  read(from: string, to: string): Promise<readonly Item[]>;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** A range of candles. */
export interface CandleRangeQuery<Item> extends RangeQuery<Item> {
  readonly interval: string;
  /** The maximum number of candles in a request. */
  readonly maxCandles: number;
  /** By interval: how many candles the server accepts. Shared by all ranges of a client, and updated here. */
  readonly accepted: Map<string, number>;
}

/** A range in steps: days of a history, or intervals of candles. `first` is included, `end` excluded. */
interface Steps<Item> extends Pick<RangeQuery<Item>, "onProgress"> {
  readonly first: number;
  readonly end: number;
  /** The maximum number of steps in a piece. */
  size(): number;
  /** The items of a piece, or `undefined` if the server refused it as too long; the next pieces are then shorter. */
  read(at: number, next: number): Promise<readonly Item[] | undefined>;
  timeOf(item: Item): string;
}

type Pieces<Item> = AsyncGenerator<readonly Item[], void>;

const DAY_MS = 86_400_000;
const MINUTES: Readonly<Record<string, number>> = { "15m": 15, "1h": 60, "4h": 240, "1d": 1_440 };
// `Date` checks neither that a date has the right length, nor that a time is in UTC.
const DATE = /^.{10}$/;
const TIME = /(Z|\+00:00)$/;

/** Reads a history of any length. */
export function historyPieces<Item extends { readonly businessTime: string }>(asked: RangeQuery<Item>): Pieces<Item> {
  const { from, to, read, onProgress } = asked;
  const [first, end] = steps(parse(DATE, from) / DAY_MS, parse(DATE, to) / DAY_MS + 1);
  const dayOf = (step: number): string => new Date(step * DAY_MS).toISOString().slice(0, 10);
  return inPieces<Item>({
    first,
    end,
    size: () => REQUEST_DAYS,
    read: (at, next) => read(at === first ? from : dayOf(at), next === end ? to : dayOf(next - 1)),
    timeOf: ({ businessTime }) => businessTime,
    onProgress,
  });
}

/**
 * Reads candles of any range. If the server refuses a piece as too long, retries with the number of candles that its
 * message states, or else with half as many. If the server answers 404, the piece is empty. If all answers are 404,
 * throws the last failure.
 */
export async function* candlePieces<Item extends { readonly start: string }>(
  asked: CandleRangeQuery<Item>,
): Pieces<Item> {
  const { interval, from, to, maxCandles, accepted, read, onProgress } = asked;
  const width = MINUTES[interval]! * 60_000; // NaN for another interval
  const [first, end] = steps(Math.ceil(parse(TIME, from) / width), Math.ceil(parse(TIME, to) / width));
  const textOf = (step: number): string => new Date(step * width).toISOString();
  let most = accepted.get(interval) ?? maxCandles;
  let found = false;
  let absence: unknown;
  yield* inPieces<Item>({
    first,
    end,
    size: () => most,
    async read(at, next) {
      try {
        const items = await read(at === first ? from : textOf(at), next === end ? to : textOf(next));
        found = true;
        accepted.set(interval, most); // only after a success: a refusal may have other reasons than the length
        return items;
      } catch (error) {
        if (!(error instanceof PriceError) || error.code === "UNEXPECTED_ANSWER") throw error;
        const count = next - at;
        if (error.status === 400 && count > 1) {
          most = acceptedOf(error, count);
          return undefined;
        }
        // ASSET_NOT_FOUND means that the piece is empty, but only if the asset is known to exist.
        if (error.status !== 404 || (!found && /^(ASSET|ROUTE)_NOT/.test(error.code))) throw error;
        absence = error;
        return [];
      }
    },
    timeOf: ({ start }) => start,
    onProgress,
  });
  if (!found) throw absence;
}

async function* inPieces<Item>({ first, end, size, read, timeOf, onProgress }: Steps<Item>): Pieces<Item> {
  let newest = -Infinity;
  let count = 0;
  for (let at = first; at < end; ) {
    const next = Math.min(at + size(), end);
    const items = await read(at, next);
    if (!items) continue;
    at = next;
    // The contract does not promise an order, and a server may return the item at a boundary in both pieces.
    const piece: Item[] = [];
    const byTime = items.map((item) => [Date.parse(timeOf(item)), item] as const).sort(([a], [b]) => a - b);
    for (const [time, item] of byTime) {
      if (time <= newest) continue;
      newest = time;
      piece.push(item);
    }
    count += piece.length;
    onProgress?.({ fraction: (at - first) / (end - first), count });
    yield piece;
  }
}

/** A range from `first` to `end`. An invalid range is sent unchanged, as one piece, so that the server refuses it. */
function steps(first: number, end: number): readonly [first: number, end: number] {
  return first < end ? [first, end] : [0, 1];
}

/** Parses a time to milliseconds; `NaN` for any other text, and for a nonexistent day such as 30 February. */
function parse(pattern: RegExp, text: string): number {
  const date = new Date(pattern.test(text) ? text : NaN);
  return date.toJSON()?.startsWith(text.slice(0, 16)) ? Number(date) : NaN;
}

/** The number of candles to request next, after the server has refused a larger number. */
function acceptedOf({ message }: PriceError, refused: number): number {
  const stated = Number(/at most (\d+) candles/.exec(message)?.[1]);
  return stated > 0 && stated < refused ? stated : Math.ceil(refused / 2);
}
