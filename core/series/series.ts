import type { AssetCode, UtcMillis } from "../brand.ts";
import type { Observation, QualityStatus } from "../market/observation.ts";
import { createColumn, lowerBound } from "./column.ts";
import { createEncodedColumn } from "./encoded_column.ts";
import { createProviderNames } from "./provider_names.ts";
import { createSeriesCandles } from "./series_candles.ts";
import type { SeriesCandles } from "./series_candles.ts";

/** Observations of one asset and one quality status, as columns in order of business time. */
export interface Series extends Pick<SeriesCandles, "candles"> {
  readonly length: number;
  /** The observation at a row; row 0 is the earliest. */
  at(row: number): Observation;
  /** The observation with this business time; `undefined` if there is none. */
  find(time: UtcMillis): Observation | undefined;
  /** The first row whose business time is not before `time`; `length` if there is none. */
  rowAt(time: UtcMillis): number;
  /** The row behind the one with this business time, which was at `row` before rows may have been inserted or removed. */
  rowAfter(row: number, time: UtcMillis): number;
  /** Business times of the rows `from` to `to` (excluded): a view, valid until the next change. */
  times(from: number, to: number): Float64Array;
  /** Values of the same rows: a view, valid until the next change. */
  values(from: number, to: number): Float64Array;
  /** Adds an observation that is later than all others. */
  append(observation: Observation): void;
  /**
   * Stores observations; returns how many replaced the one with the same business time.
   *
   * @param observations At least one; ascending by business time, without repetitions.
   */
  putAll(observations: readonly Observation[]): number;
  /** Removes the observations with these business times, ascending; returns how many there were. */
  removeAll(times: readonly UtcMillis[]): number;
  /** Providers of the observations, sorted by name. */
  providers(): readonly string[];
}

/**
 * Makes an empty series. An observation takes 16 bytes for its time and value. Insert time, source time and provider
 * take none while they are all the same, or at the same distance from the business time, and otherwise up to 4, 4
 * and 1 in a feed. Roll-ups add 1.3 bytes if there is a row every minute.
 */
export function createSeries(code: AssetCode, qualityStatus: QualityStatus): Series {
  return new ColumnSeries(code, qualityStatus);
}

class ColumnSeries implements Series {
  readonly #code: AssetCode;
  readonly #qualityStatus: QualityStatus;
  readonly #times = createColumn<Float64Array>(new Float64Array(0));
  readonly #values = createColumn<Float64Array>(new Float64Array(0));
  readonly #sourceTimes = createEncodedColumn(this.#times);
  readonly #insertTimes = createEncodedColumn(this.#times);
  readonly #providers = createEncodedColumn();
  readonly #names = createProviderNames();
  // By business time and not as a column, as they are rare.
  readonly #qualityMessages = new Map<number, string>();
  readonly #candles = createSeriesCandles(this);
  readonly candles = this.#candles.candles;

  constructor(code: AssetCode, qualityStatus: QualityStatus) {
    this.#code = code;
    this.#qualityStatus = qualityStatus;
  }

  get length(): number {
    return this.#times.length;
  }

  at(row: number): Observation {
    const businessTime = this.#times.get(row) as UtcMillis;
    const sourceTime = this.#sourceTimes.get(row);
    return {
      code: this.#code,
      value: this.#values.get(row),
      businessTime,
      sourceTime: Number.isNaN(sourceTime) ? null : (sourceTime as UtcMillis),
      insertTime: this.#insertTimes.get(row) as UtcMillis,
      provider: this.#names.nameOf(this.#providers.get(row)),
      qualityStatus: this.#qualityStatus,
      qualityMessage: this.#qualityMessages.get(businessTime) ?? "",
    };
  }

  find(time: UtcMillis): Observation | undefined {
    const row = this.rowAt(time);
    return this.#isAt(row, time) ? this.at(row) : undefined;
  }

  rowAt(time: UtcMillis): number {
    const times = this.#times;
    const last = times.length - 1;
    // Queries and corrections are mostly about the latest rows.
    return last < 0 || times.get(last) < time ? last + 1 : lowerBound(times, time);
  }

  rowAfter(row: number, time: UtcMillis): number {
    return this.#isAt(row, time) ? row + 1 : this.rowAt((time + 1) as UtcMillis);
  }

  times(from: number, to: number): Float64Array {
    return this.#times.view(from, to);
  }

  values(from: number, to: number): Float64Array {
    return this.#values.view(from, to);
  }

  append(observation: Observation): void {
    // The times first, as the encoded columns read them.
    this.#times.append(observation.businessTime);
    this.#values.append(observation.value);
    this.#sourceTimes.append(observation.sourceTime ?? NaN);
    this.#insertTimes.append(observation.insertTime);
    this.#providers.append(this.#counted(observation.provider));
    this.#setMessage(observation);
  }

  putAll(observations: readonly Observation[]): number {
    this.#candles.changed(this.rowAt(observations[0]!.businessTime));
    const rows: number[] = [];
    const added: Observation[] = [];
    for (const observation of observations) {
      const row = this.rowAt(observation.businessTime);
      if (this.#isAt(row, observation.businessTime)) this.#replace(row, observation);
      else {
        rows.push(row);
        added.push(observation);
      }
      this.#setMessage(observation);
    }
    this.#times.insertAll(rows, added.map(({ businessTime }) => businessTime));
    this.#values.insertAll(rows, added.map(({ value }) => value));
    this.#sourceTimes.insertAll(rows, added.map(({ sourceTime }) => sourceTime ?? NaN));
    this.#insertTimes.insertAll(rows, added.map(({ insertTime }) => insertTime));
    this.#providers.insertAll(rows, added.map(({ provider }) => this.#counted(provider)));
    return observations.length - added.length;
  }

  removeAll(times: readonly UtcMillis[]): number {
    const found = times.filter((time) => this.#isAt(this.rowAt(time), time));
    if (found.length === 0) return 0;
    const rows = found.map((time) => this.rowAt(time));
    this.#candles.changed(rows[0]!);
    for (const row of rows) this.#names.count(this.#providers.get(row), -1);
    for (const column of [this.#times, this.#values, this.#sourceTimes, this.#insertTimes, this.#providers]) column.removeAll(rows);
    for (const time of found) this.#qualityMessages.delete(time);
    return found.length;
  }

  providers(): readonly string[] {
    return this.#names.present();
  }

  #isAt(row: number, time: UtcMillis): boolean {
    return row < this.length && this.#times.get(row) === time;
  }

  #replace(row: number, { value, sourceTime, insertTime, provider }: Observation): void {
    this.#names.count(this.#providers.get(row), -1);
    this.#values.set(row, value);
    this.#sourceTimes.set(row, sourceTime ?? NaN);
    this.#insertTimes.set(row, insertTime);
    this.#providers.set(row, this.#counted(provider));
  }

  /** The number of a provider, of which there is one observation more. */
  #counted(provider: string | null): number {
    const number = this.#names.numberOf(provider);
    this.#names.count(number, 1);
    return number;
  }

  #setMessage({ businessTime, qualityMessage }: Observation): void {
    if (qualityMessage !== "") this.#qualityMessages.set(businessTime, qualityMessage);
    else if (this.#qualityMessages.size > 0) this.#qualityMessages.delete(businessTime);
  }
}
