import type { AssetCode, UtcMillis } from "../brand.ts";
import { toCandles, toColumns } from "./candle_columns.ts";
import type { CandleColumns } from "./candle_columns.ts";
import { foldCandles } from "../market/candles.ts";
import type { Candle } from "../market/candles.ts";
import { createDenseColumn, lowerBound } from "./column.ts";
import type { Observation, QualityStatus } from "../market/observation.ts";
import type { TimeWindow } from "../ports.ts";
import { createProviderNames } from "./provider_names.ts";
import type { NameCount } from "./provider_names.ts";
import { createRollup } from "./rollup.ts";
import type { Rollup } from "./rollup.ts";
import { createEncodedColumn } from "./encoded_column.ts";
import type { PackedColumn } from "./encoded_column.ts";
import { DAY_MS, MINUTE_MS } from "../time/durations.ts";

/** Observations of one asset and one quality status, kept as columns sorted by business time. */
export interface Series {
  readonly qualityStatus: QualityStatus;
  readonly length: number;
  /** The observation at a row, 0 being the earliest. */
  at(row: number): Observation;
  /** The first row whose business time is not before `time`. */
  rowAt(time: UtcMillis): number;
  /** Business times of rows `from` to `to` (excluded): a view, good until the next change. */
  times(from: number, to: number): Float64Array;
  /** Values of the same rows: a view, good until the next change. */
  values(from: number, to: number): Float64Array;
  /** The candles of a window, as `foldCandles` makes them of its rows. */
  candles(window: TimeWindow, widthMs: number): Candle[];
  /** The same as columns. */
  candleColumns(window: TimeWindow, widthMs: number): CandleColumns;
  /** Puts an observation in its place; tells whether one with its business time was there and is gone. */
  put(observation: Observation): boolean;
  /** Takes the observation with this business time out; tells whether there was one. */
  remove(time: UtcMillis): boolean;
  /** Providers of the observations, sorted by name. */
  providers(): readonly string[];
  /** All that it holds. The arrays are views, good until the next change. */
  columns(): SeriesColumns;
  /**
   * Takes what the columns of a series hold in place of its own; arrays are kept, not copied.
   *
   * @throws RangeError when times and values differ in number.
   */
  fill(columns: SeriesColumns): void;
}

/** What a series holds, to be kept elsewhere. */
export interface SeriesColumns {
  /** Business times, strictly ascending. */
  readonly times: Float64Array;
  /** As many values. */
  readonly values: Float64Array;
  readonly insertTimes: PackedColumn;
  /** NaN for none. */
  readonly sourceTimes: PackedColumn;
  /** 0 for none, or else the place in `providerNames`, counted from 1. */
  readonly providers: PackedColumn;
  readonly providerNames: readonly NameCount[];
  /** Remarks that are not empty, with their business times. */
  readonly remarks: readonly (readonly [businessTime: number, remark: string])[];
}

/** Widths of the roll-ups, the one to try first before: a day, and 15 minutes. */
const BUCKETS = [DAY_MS, 15 * MINUTE_MS];
/** Candles of so few rows are folded from the rows themselves. */
const FEW_ROWS = 4_096;

/**
 * Makes an empty series. An observation takes 16 bytes; its insert time, source time and provider take next
 * to nothing while they follow a rule, and else 4, 4 and 1. Candles add 1.3 bytes where rows come by the minute.
 */
export function createSeries(code: AssetCode, qualityStatus: QualityStatus): Series {
  return new ColumnSeries(code, qualityStatus);
}

class ColumnSeries implements Series {
  readonly qualityStatus: QualityStatus;
  readonly #code: AssetCode;
  readonly #times = createDenseColumn();
  readonly #values = createDenseColumn();
  readonly #sourceTimes = createEncodedColumn(this.#times);
  readonly #insertTimes = createEncodedColumn(this.#times);
  readonly #providers = createEncodedColumn();
  readonly #names = createProviderNames();
  // Remarks are rare, so they are kept by business time and not by row.
  #remarks: Map<number, string> | undefined;
  /** By day and by quarter of an hour; made when they are first of use. */
  #rollups: readonly Rollup[] | undefined;

  constructor(code: AssetCode, qualityStatus: QualityStatus) {
    this.#code = code;
    this.qualityStatus = qualityStatus;
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
      qualityStatus: this.qualityStatus,
      qualityMessage: this.#remarks?.get(businessTime) ?? "",
    };
  }

  rowAt(time: UtcMillis): number {
    const times = this.#times;
    const last = times.length - 1;
    // Nearly every new observation is the latest one.
    return last < 0 || times.get(last) < time ? last + 1 : lowerBound(times, time);
  }

  times(from: number, to: number): Float64Array {
    return this.#times.view(from, to);
  }

  values(from: number, to: number): Float64Array {
    return this.#values.view(from, to);
  }

  candles(window: TimeWindow, widthMs: number): Candle[] {
    const rolled = this.#fromRollup(window, widthMs);
    return rolled ? toCandles(rolled) : this.#fromRows(window, widthMs);
  }

  candleColumns(window: TimeWindow, widthMs: number): CandleColumns {
    return this.#fromRollup(window, widthMs) ?? toColumns(this.#fromRows(window, widthMs), widthMs);
  }

  put(observation: Observation): boolean {
    const { businessTime, value, insertTime, qualityMessage } = observation;
    const sourceTime = observation.sourceTime ?? NaN;
    const row = this.rowAt(businessTime);
    const found = row < this.#times.length && this.#times.get(row) === businessTime;
    const provider = this.#names.numberOf(observation.provider);
    if (this.#rollups) this.#changed(row);
    if (found) {
      this.#names.count(this.#providers.get(row), -1);
      this.#values.set(row, value);
      this.#sourceTimes.set(row, sourceTime);
      this.#insertTimes.set(row, insertTime);
      this.#providers.set(row, provider);
    } else {
      // The times first: the columns beside them look at those.
      this.#times.insert(row, businessTime);
      this.#values.insert(row, value);
      this.#sourceTimes.insert(row, sourceTime);
      this.#insertTimes.insert(row, insertTime);
      this.#providers.insert(row, provider);
    }
    this.#names.count(provider, 1);
    if (qualityMessage !== "") (this.#remarks ??= new Map()).set(businessTime, qualityMessage);
    else this.#remarks?.delete(businessTime);
    return found;
  }

  remove(time: UtcMillis): boolean {
    const row = this.rowAt(time);
    if (row >= this.#times.length || this.#times.get(row) !== time) return false;
    this.#changed(row);
    this.#names.count(this.#providers.get(row), -1);
    for (const column of [this.#times, this.#values, this.#sourceTimes, this.#insertTimes, this.#providers]) column.remove(row);
    this.#remarks?.delete(time);
    return true;
  }

  providers(): readonly string[] {
    return this.#names.present();
  }

  columns(): SeriesColumns {
    return {
      times: this.times(0, this.length),
      values: this.values(0, this.length),
      insertTimes: this.#insertTimes.pack(),
      sourceTimes: this.#sourceTimes.pack(),
      providers: this.#providers.pack(),
      providerNames: this.#names.pack(),
      remarks: [...(this.#remarks ?? [])],
    };
  }

  fill(columns: SeriesColumns): void {
    const { length } = columns.times;
    if (columns.values.length !== length) throw new RangeError(`Cannot fill a series as ${length} values are wanted: received "${columns.values.length}"`);
    this.#rollups = undefined;
    this.#times.fill(columns.times);
    this.#values.fill(columns.values);
    this.#sourceTimes.unpack(columns.sourceTimes, length);
    this.#insertTimes.unpack(columns.insertTimes, length);
    this.#providers.unpack(columns.providers, length);
    this.#names.unpack(columns.providerNames);
    this.#remarks = columns.remarks.length > 0 ? new Map(columns.remarks) : undefined;
  }

  #fromRows(window: TimeWindow, widthMs: number): Candle[] {
    const [from, to] = [this.rowAt(window.from), this.rowAt(window.to)];
    return foldCandles(this.times(from, to), this.values(from, to), widthMs);
  }

  /** `undefined` where the rows are few, or too sparse for a roll-up, or the window has no whole buckets. */
  #fromRollup(window: TimeWindow, widthMs: number): CandleColumns | undefined {
    if (this.rowAt(window.to) - this.rowAt(window.from) <= FEW_ROWS) return undefined;
    this.#rollups ??= BUCKETS.map(createRollup);
    return this.#rollups.find((one) => isWhole(window, widthMs, one.widthMs) && one.covers(this))?.fold(this, window, widthMs);
  }

  #changed(row: number): void {
    for (const rollup of this.#rollups ?? []) rollup.changed(row);
  }
}

/** Whether candles of a width in a window are made of whole buckets of another width. */
function isWhole(window: TimeWindow, widthMs: number, bucketMs: number): boolean {
  return widthMs % bucketMs === 0 && window.from % bucketMs === 0 && window.to % bucketMs === 0;
}
