import type { AssetCode, UtcMillis } from "../branded_types.ts";
import { type CandleList, foldCandles } from "../market/candles.ts";
import { listedProviders, type Observation, type QualityStatus } from "../market/observation.ts";
import type { TimeWindow } from "../ports.ts";
import { Column, UniformColumn } from "./columns.ts";

/** An observation to store in a series. */
export interface SeriesObservation extends Observation {
  /** The number that the store gives to the origin of the observation. Default: 0. */
  readonly origin?: number;
}

/** How to search for the nearest observation. */
interface Search {
  /** Default: accepts every observation. */
  readonly accepts?: (insertTime: number, origin: number, businessTime: UtcMillis) => boolean;
  /** The business time at which the search ends without a result. Default: never. */
  readonly until?: number;
}

/** Business times and values of observations, by row. */
export type PriceColumns = Readonly<Record<"times" | "values", Float64Array>>;

/**
 * Observations of one asset and one quality status, as columns in order of business time. Time and value of an
 * observation take 16 bytes. Insert time, source time, provider and origin take up to 24 bytes: each of these columns
 * takes no memory for its first rows as long as they have the same value.
 */
export class Series {
  readonly #code: AssetCode;
  readonly #qualityStatus: QualityStatus;
  readonly #times = new Column(new Float64Array(0));
  readonly #values = new Column(new Float64Array(0));
  readonly #sourceTimes = new UniformColumn(Float64Array);
  readonly #insertTimes = new UniformColumn(Float64Array);
  readonly #providers = new UniformColumn(Int32Array);
  readonly #origins = new UniformColumn(Int32Array);
  /** All columns, each with the function that returns the cell for an observation. */
  readonly #columns = [
    [this.#times, ({ businessTime }: SeriesObservation) => businessTime],
    [this.#values, ({ value }: SeriesObservation) => value],
    [this.#sourceTimes, ({ sourceTime }: SeriesObservation) => sourceTime ?? NaN],
    [this.#insertTimes, ({ insertTime }: SeriesObservation) => insertTime],
    [this.#providers, ({ provider }: SeriesObservation) => this.#counted(provider)],
    [this.#origins, ({ origin = 0 }: SeriesObservation) => this.#countedOrigin(origin)],
  ] as const;
  readonly #originCounts: number[];
  /** The number of each provider: its index in `#providerCounts`. */
  readonly #providerNumbers = new Map<string | null, number>();
  readonly #providerCounts: { readonly name: string | null; count: number }[] = [];
  /** `undefined` after a change. */
  #listed: readonly string[] | undefined;
  // Messages by business time. Not a column, because messages are rare.
  readonly #qualityMessages = new Map<number, string>();

  /** @param originCounts The number of observations of each origin. All series of a store share this list. */
  constructor(code: AssetCode, qualityStatus: QualityStatus, originCounts: number[]) {
    this.#code = code;
    this.#qualityStatus = qualityStatus;
    this.#originCounts = originCounts;
  }

  get length(): number {
    return this.#times.length;
  }

  /** The observation at a row; row 0 is the earliest. */
  at(row: number): Observation {
    const businessTime = this.timeAt(row);
    const sourceTime = this.#sourceTimes.get(row);
    return {
      code: this.#code,
      value: this.#values.get(row),
      businessTime,
      sourceTime: Number.isNaN(sourceTime) ? null : (sourceTime as UtcMillis),
      insertTime: this.#insertTimes.get(row) as UtcMillis,
      provider: this.#providerCounts[this.#providers.get(row)]!.name,
      qualityStatus: this.#qualityStatus,
      qualityMessage: this.#qualityMessages.get(businessTime) ?? "",
    };
  }

  /** The observation with the latest business time, or `undefined` if there is none. */
  get latest(): Observation | undefined {
    return this.length > 0 ? this.at(this.length - 1) : undefined;
  }

  /** The origin of a row. */
  originAt(row: number): number {
    return this.#origins.get(row);
  }

  /** The business time of a row. */
  timeAt(row: number): UtcMillis {
    return this.#times.get(row) as UtcMillis;
  }

  /** The observation with this business time, or `undefined` if there is none. */
  find(time: UtcMillis): Observation | undefined {
    const row = this.rowOf(time);
    return row === -1 ? undefined : this.at(row);
  }

  /** The row with this business time; -1 if there is no such row. */
  rowOf(time: UtcMillis): number {
    const row = this.rowAt(time);
    return this.#isAt(row, time) ? row : -1;
  }

  /** The first row whose business time is not before `time`; `length` if there is none. */
  rowAt(time: UtcMillis): number {
    const last = this.length - 1;
    // Most queries and corrections concern the latest rows.
    return last < 0 || this.timeAt(last) < time ? last + 1 : this.#times.rowFrom(time);
  }

  /** The nearest observation that `accepts` accepts: before `time` for step -1, at or after `time` for step 1. */
  nearest(
    time: UtcMillis,
    step: -1 | 1,
    { accepts = () => true, until = step * Infinity }: Search = {},
  ): Observation | undefined {
    const first = step === 1 ? this.rowAt(time) : this.rowAt(time) - 1;
    for (let row = first; row >= 0 && row < this.length; row += step) {
      if ((until - this.timeAt(row)) * step <= 0) return undefined;
      if (accepts(this.#insertTimes.get(row), this.#origins.get(row), this.timeAt(row))) return this.at(row);
    }
    return undefined;
  }

  /** The first row after the business time `time`. `row` had this time, but a change may have moved rows since. */
  rowAfter(row: number, time: UtcMillis): number {
    return this.#isAt(row, time) ? row + 1 : this.rowAt((time + 1) as UtcMillis);
  }

  /** All business times and values. The arrays are valid until the next change. */
  prices(): PriceColumns {
    return { times: this.#times.view(0, this.length), values: this.#values.view(0, this.length) };
  }

  /** The candles in a window. Both ends of the window are multiples of `widthMs`. */
  candles(window: TimeWindow, widthMs: number): CandleList {
    const [from, to] = [this.rowAt(window.from), this.rowAt(window.to)];
    return foldCandles(this.#times.view(from, to), this.#values.view(from, to), widthMs);
  }

  /** Adds an observation that is later than all others. */
  append(observation: Observation, origin: number): void {
    this.#times.append(observation.businessTime);
    this.#values.append(observation.value);
    this.#sourceTimes.append(observation.sourceTime ?? NaN);
    this.#insertTimes.append(observation.insertTime);
    this.#providers.append(this.#counted(observation.provider));
    this.#origins.append(this.#countedOrigin(origin));
    this.#setMessage(observation);
  }

  /** Stores observations at ascending, distinct business times. Returns how many stored observations were replaced. */
  putAll(observations: readonly SeriesObservation[]): number {
    const rows: number[] = [];
    const added: SeriesObservation[] = [];
    for (const observation of observations) {
      const row = this.rowAt(observation.businessTime);
      if (this.#isAt(row, observation.businessTime)) {
        this.#discount(row);
        for (const [column, cellOf] of this.#columns) column.set(row, cellOf(observation));
      } else {
        rows.push(row);
        added.push(observation);
      }
      this.#setMessage(observation);
    }
    for (const [column, cellOf] of this.#columns) column.insertAll(rows, added.map(cellOf));
    return observations.length - added.length;
  }

  /** Removes the observations at these ascending business times. Returns the number of removed observations. */
  removeAll(times: readonly UtcMillis[]): number {
    const rows = times.map((time) => this.rowOf(time)).filter((row) => row !== -1);
    for (const row of rows) {
      this.#discount(row);
      this.#qualityMessages.delete(this.timeAt(row));
    }
    for (const [column] of this.#columns) column.removeAll(rows);
    return rows.length;
  }

  /** The providers of the observations, as in `Coverage`. */
  providers(): readonly string[] {
    return (this.#listed ??= listedProviders(
      this.#providerCounts.flatMap(({ name, count }) => (count > 0 && name !== null ? [name] : [])),
    ));
  }

  #isAt(row: number, time: UtcMillis): boolean {
    return row < this.length && this.timeAt(row) === time;
  }

  /** Counts an observation of a provider. Returns the provider's number. */
  #counted(provider: string | null): number {
    const number = this.#providerNumbers.get(provider) ?? this.#providerCounts.push({ name: provider, count: 0 }) - 1;
    const counted = this.#providerCounts[number]!;
    if (counted.count++ === 0) {
      this.#providerNumbers.set(provider, number);
      this.#listed = undefined;
    }
    return number;
  }

  /** Counts an observation of an origin, and returns the origin. */
  #countedOrigin(origin: number): number {
    // A list with holes would be slower.
    while (this.#originCounts.length <= origin) this.#originCounts.push(0);
    this.#originCounts[origin]!++;
    return origin;
  }

  #discount(row: number): void {
    this.#originCounts[this.#origins.get(row)]!--;
    if (--this.#providerCounts[this.#providers.get(row)]!.count === 0) this.#listed = undefined;
  }

  #setMessage({ businessTime, qualityMessage }: Observation): void {
    if (qualityMessage !== "") this.#qualityMessages.set(businessTime, qualityMessage);
    else if (this.#qualityMessages.size > 0) this.#qualityMessages.delete(businessTime);
  }
}
