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

/** Observations of one asset and one quality status, as columns in order of business time. */
export interface Series {
  readonly qualityStatus: QualityStatus;
  readonly length: number;
  /** The observation at a row; row 0 is the earliest. */
  at(row: number): Observation;
  /** The first row whose business time is not before `time`; `length` if there is none. */
  rowAt(time: UtcMillis): number;
  /** Business times of the rows `from` to `to` (excluded): a view, valid until the next change. */
  times(from: number, to: number): Float64Array;
  /** Values of the same rows: a view, valid until the next change. */
  values(from: number, to: number): Float64Array;
  /** The candles of a window, as `foldCandles` makes them of its rows. */
  candles(window: TimeWindow, widthMs: number): Candle[];
  /** The same candles as columns. */
  candleColumns(window: TimeWindow, widthMs: number): CandleColumns;
  /** Stores an observation. True if it replaced the one with the same business time. */
  put(observation: Observation): boolean;
  /** Removes the observation with this business time. False if there is none. */
  remove(time: UtcMillis): boolean;
  /** Providers of the observations, sorted by name. */
  providers(): readonly string[];
  /** All that the series holds. The arrays are views, valid until the next change. */
  pack(): PackedSeries;
  /**
   * Fills an empty series with what another one packed. The arrays are not copied.
   *
   * @throws RangeError if there are not as many values as times.
   */
  unpack(packed: PackedSeries): void;
}

/** What a series holds, to be stored elsewhere. */
export interface PackedSeries {
  /** Business times, strictly ascending. */
  readonly times: Float64Array;
  /** As many values. */
  readonly values: Float64Array;
  readonly insertTimes: PackedColumn;
  /** NaN for none. */
  readonly sourceTimes: PackedColumn;
  /** 0 for none, otherwise the position in `providerNames`, counted from 1. */
  readonly providers: PackedColumn;
  readonly providerNames: readonly NameCount[];
  /** The quality messages that are not empty, by business time. */
  readonly qualityMessages: readonly (readonly [businessTime: number, message: string])[];
}

/** Widths of the roll-ups: the first one of which the candles asked for are made up is used. */
const ROLLUP_WIDTHS = [DAY_MS, 15 * MINUTE_MS];
/** Up to so many rows, candles are made of the rows themselves. */
const FEW_ROWS = 4_096;

/**
 * Makes an empty series. An observation takes 16 bytes for its time and value. Insert time, source time and provider
 * take none while they are all the same, or at the same distance from the business time, and otherwise up to 4, 4
 * and 1 in a feed. Roll-ups add 1.3 bytes if there is a row every minute.
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
  // By business time and not as a column, as they are rare.
  #qualityMessages: Map<number, string> | undefined;
  /** Made when candles are first asked for. */
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
      qualityMessage: this.#qualityMessages?.get(businessTime) ?? "",
    };
  }

  rowAt(time: UtcMillis): number {
    const times = this.#times;
    const last = times.length - 1;
    // Nearly every observation is stored when it is the latest one.
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
      // The times first, as the encoded columns read them.
      this.#times.insert(row, businessTime);
      this.#values.insert(row, value);
      this.#sourceTimes.insert(row, sourceTime);
      this.#insertTimes.insert(row, insertTime);
      this.#providers.insert(row, provider);
    }
    this.#names.count(provider, 1);
    if (qualityMessage !== "") (this.#qualityMessages ??= new Map()).set(businessTime, qualityMessage);
    else this.#qualityMessages?.delete(businessTime);
    return found;
  }

  remove(time: UtcMillis): boolean {
    const row = this.rowAt(time);
    if (row >= this.#times.length || this.#times.get(row) !== time) return false;
    this.#changed(row);
    this.#names.count(this.#providers.get(row), -1);
    for (const column of [this.#times, this.#values, this.#sourceTimes, this.#insertTimes, this.#providers]) column.remove(row);
    this.#qualityMessages?.delete(time);
    return true;
  }

  providers(): readonly string[] {
    return this.#names.present();
  }

  pack(): PackedSeries {
    return {
      times: this.times(0, this.length),
      values: this.values(0, this.length),
      insertTimes: this.#insertTimes.pack(),
      sourceTimes: this.#sourceTimes.pack(),
      providers: this.#providers.pack(),
      providerNames: this.#names.pack(),
      qualityMessages: [...(this.#qualityMessages ?? [])],
    };
  }

  unpack(packed: PackedSeries): void {
    const { length } = packed.times;
    if (packed.values.length !== length) throw new RangeError(`Cannot unpack a series as ${length} values are wanted: received "${packed.values.length}"`);
    this.#times.unpack(packed.times);
    this.#values.unpack(packed.values);
    this.#sourceTimes.unpack(packed.sourceTimes, length);
    this.#insertTimes.unpack(packed.insertTimes, length);
    this.#providers.unpack(packed.providers, length);
    this.#names.unpack(packed.providerNames);
    if (packed.qualityMessages.length > 0) this.#qualityMessages = new Map(packed.qualityMessages);
  }

  #fromRows(window: TimeWindow, widthMs: number): Candle[] {
    const [from, to] = [this.rowAt(window.from), this.rowAt(window.to)];
    return foldCandles(this.times(from, to), this.values(from, to), widthMs);
  }

  /** `undefined` if the rows are few, or too sparse for a roll-up, or if the candles are not made up of whole buckets. */
  #fromRollup(window: TimeWindow, widthMs: number): CandleColumns | undefined {
    if (this.rowAt(window.to) - this.rowAt(window.from) <= FEW_ROWS) return undefined;
    this.#rollups ??= ROLLUP_WIDTHS.map(createRollup);
    return this.#rollups.find((rollup) => isWhole(window, widthMs, rollup.widthMs) && rollup.covers(this))?.fold(this, window, widthMs);
  }

  #changed(row: number): void {
    for (const rollup of this.#rollups ?? []) rollup.changed(row);
  }
}

/** Whether the candles of a window are made up of whole buckets of another width. */
function isWhole(window: TimeWindow, widthMs: number, bucketMs: number): boolean {
  return widthMs % bucketMs === 0 && window.from % bucketMs === 0 && window.to % bucketMs === 0;
}
