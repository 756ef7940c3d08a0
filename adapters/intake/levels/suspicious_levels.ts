import { DAY_MS, rowFrom } from "../../../core/internal.ts";
import type { AssetCode, UtcMillis } from "../../../core/mod.ts";
import {
  createPriceModel,
  DOLLAR,
  type Expected,
  excessOf,
  kindOf,
  OUNCE,
  type PriceModel,
  rangeOf,
  spikeFactorOf,
} from "./expected_prices.ts";
import { WIDTHS } from "./price_levels_by_year.ts";

/** Prices of one asset, ascending by business time. */
export type PriceSeries = Readonly<Record<"times" | "values", ArrayLike<number>>>;

/** What comes in of an asset, and what is stored around it, which was accepted before. Of one time, another value takes the place of what is stored. */
export type PricesToJudge = Readonly<Record<"batch" | "stored", PriceSeries>>;

/** Records that somebody should look at. */
export interface SuspiciousLevel {
  readonly code: AssetCode;
  /**
   * - `level`: they lie powers of ten from where they should.
   * - `jump`: they jump by another factor, and are too few to be believed, or come back.
   * - `asset`: they do not fit the dollar or the gold of their days, or are those of another asset: is it this one?
   * - `stored`: they fit what is stored, but that looks powers of ten away from where it should be.
   */
  readonly why: "level" | "jump" | "asset" | "stored";
  /** The power of ten of `level` and `stored`, else 0: -1 is toman for rial, -3 are points between thousands read as decimal marks. */
  readonly level: number;
  /** Their business times, ascending; none for `stored`. */
  readonly times: readonly UtcMillis[];
  /** How many records of the asset come in. */
  readonly of: number;
  /** The first of their values, and what is near or would be expected there; NaN where nothing is. */
  readonly value: number;
  readonly expected: number;
}

/** All records of an asset, in rows. Of these, `of` come in, which have a 1 in `isNew`; those in doubt have a 1 in `isSuspicious`. */
type Chain = PriceSeries & Readonly<{ code: AssetCode; of: number } & Record<"isNew" | "isSuspicious", Uint8Array>>;

/** The move of a value to a row from one before it: `isFar` where they are too far apart to be judged without what is known of the market. */
type Move = Readonly<{ ratio: number; isFar: boolean; isJump: boolean }>;

/** Rows without a jump between neighbours. `known` is the power of ten by which they differ from what is known of the market; NaN where nothing is. */
interface Segment extends Readonly<Record<"from" | "to" | "stored" | "known", number>> {
  readonly move: Move;
  /** Whether they do not fit what is known. */
  readonly isOff: boolean;
  /** The logarithm of the factor between this level and that of the base. */
  power: number;
}

/** Further apart, the jump between neighbours says little, so what is known of the market counts; and what a value is compared with is at most so much older or newer. */
const [FAR_MS, NEAR_MS] = [31 * DAY_MS, 3 * DAY_MS];
/** The neighbours of a spike agree within this factor, and are at most so far apart: within ten days, the ounce of March 2020 truly fell and came back. */
const [SPIKE_AGREES, SPIKE_MS] = [1.1, 8 * DAY_MS];
/** A move that is less than any width. */
const CALM = 1.6;
/** As logarithms: how near a value is to where it should be, or to powers of ten off that; up to where a move is none; time confirms one; from where it is a power of ten. */
const [CLOSE, CLOSER, STILL, BELIEVED, ODD] = [0.43, 0.35, 0.3, 0.48, 0.65];
/** Powers of ten, the likeliest first; and of how many rows a median is taken. */
const [LEVELS, SAMPLE] = [[0, -1, -3, 1, 3, -2, 2], 200];
/**
 * Finds records whose values cannot be what was meant, by their neighbours, by what is known of the market, and by the dollar
 * and the gold of their days. Records in archives of sixteen years pass it, except wrong ones.
 *
 * @param prices Of each asset of which records come in. Stored dollars and ounces of those days help to judge the others.
 */
export function findSuspiciousLevels(prices: ReadonlyMap<AssetCode, PricesToJudge>): SuspiciousLevel[] {
  // What others are compared with is judged before them.
  const rankOf = (code: string): number => [DOLLAR, OUNCE].indexOf(code) + 1 || (code.endsWith("_USD") ? 3 : 4);
  const chains = [...prices].map(([code, one]) => chainOf(code, one)).sort((a, b) => rankOf(a.code) - rankOf(b.code));
  const market = createPriceModel(createNear(chains));
  const levels = chains.flatMap((chain) => judgeLevels(chain, market));
  return [...levels, ...judgeUnknown(chains, market, levels), ...judgeAssets(chains, market)];
}

function chainOf(code: AssetCode, { batch, stored }: PricesToJudge): Chain {
  const of = batch.times.length;
  const most = of + stored.times.length;
  const [isNew, isSuspicious] = [new Uint8Array(most), new Uint8Array(most)];
  if (of === most) return { code, of, ...batch, isNew: isNew.fill(1), isSuspicious };
  const [times, values] = [new Float64Array(most), new Float64Array(most)];
  let rows = 0;
  for (let row = 0, next = 0; row < of || next < stored.times.length; rows++) {
    const [time, storedTime] = [batch.times[row] ?? Infinity, stored.times[next] ?? Infinity];
    times[rows] = Math.min(time, storedTime);
    values[rows] = time <= storedTime ? batch.values[row]! : stored.values[next]!;
    isNew[rows] = time > storedTime || (time === storedTime && values[rows] === stored.values[next]) ? 0 : 1;
    if (storedTime <= time) next++;
    if (time <= storedTime) row++;
  }
  return {
    code,
    of,
    times: times.subarray(0, rows),
    values: values.subarray(0, rows),
    isNew: isNew.subarray(0, rows),
    isSuspicious,
  };
}

/** Finds the nearest value of an asset that is not in doubt. */
function createNear(chains: readonly Chain[]): (code: string, time: number) => Expected | undefined {
  const byCode = new Map<string, Chain>(chains.map((chain) => [chain.code, chain]));

  return (code, time) => {
    const chain = byCode.get(code);
    const value = chain && nearestValue(chain, time, NEAR_MS, (row) => chain.isSuspicious[row] === 0);
    return value === undefined ? undefined : rangeOf(value, value);
  };
}

/** The value nearest to a time, and at most so far from it, of those rows that count. */
function nearestValue(
  { times, values }: Chain,
  time: number,
  most: number,
  counts: (row: number) => boolean,
): number | undefined {
  const distance = (row: number): number => (row >= 0 && row < times.length ? Math.abs(times[row]! - time) : Infinity);
  for (let after = rowFrom(times, time), before = after - 1; ; ) {
    const row = distance(after) < distance(before) ? after++ : before--;
    if (distance(row) === Infinity || distance(row) > most) return undefined;
    if (counts(row)) return values[row];
  }
}

/** What is expected at a row: the nearest value of those that count; where none is near, what the market says. */
function expectedAt(chain: Chain, row: number, market: PriceModel, counts: (row: number) => boolean): number {
  const time = chain.times[row]!;
  const { middle } = market(chain.code, time);
  return nearestValue(chain, time, Number.isNaN(middle) ? Infinity : FAR_MS, counts) ?? middle;
}

/** The power of ten by which a value differs from what is known of the market; NaN where nothing is, or it is between two. */
export function knownLevel(value: number, expected: Expected, likely = 0): number {
  if (expected.isWide) return [likely, ...LEVELS].find((level) => excessOf(value / 10 ** level, expected) <= 1) ?? NaN;
  const power = Math.log10(value / expected.middle);
  return Math.abs(power - Math.round(power)) <= (Math.round(power) === 0 ? CLOSE : CLOSER) ? Math.round(power) : NaN;
}

/** What its neighbours and its year say of an asset. */
function judgeLevels(chain: Chain, market: PriceModel): SuspiciousLevel[] {
  const { code, times, values, isNew } = chain;
  const { widths, overDollar } = kindOf(code);
  const [hasStored, isCoin] = [isNew.includes(0), widths === WIDTHS.coin];
  // Of a coin, the range of one year may leave open what that of another does not.
  const likely = LEVELS.find((level) =>
    sampleOf(0, times.length).every((row) => !(excessOf(values[row]! / 10 ** level, market(code, times[row]!)) > 1)),
  );

  function known(from: number, to = from + 1, of: typeof knownLevel = knownLevel): number {
    return medianOf(from, to, (row) => of(values[row]!, market(code, times[row]!), likely));
  }

  /** The move to a row from another before it, and whether no true value ever moved so. */
  function moveTo(row: number, before: number): Move {
    const gap = times[row]! - times[before]!;
    const dollar =
      gap > FAR_MS && overDollar ? market(DOLLAR, times[row]!).middle / market(DOLLAR, times[before]!).middle : NaN;
    const ratio = values[row]! / values[before]! / (dollar || 1);
    const width = (dollar ? overDollar! : widths).find(([days]) => Math.round(gap / DAY_MS) <= days);
    return {
      ratio,
      isFar: gap > FAR_MS || !width,
      isJump: width !== undefined && (ratio > width[1] || 1 / ratio > width[2]),
    };
  }

  const byLevel = new Map<number, number[]>();
  const hold = (row: number, level: number): void => {
    chain.isSuspicious[row] = 1;
    if (isNew[row] === 1) (byLevel.get(level) ?? byLevel.set(level, []).get(level)!).push(row);
  };
  // A row that is where it should be is no spike of powers of ten: its neighbours are off.
  const spikes = spikesOf(chain);
  for (const [row, level] of spikes) if (level !== 0 && !isCoin && known(row) === 0) spikes.delete(row);
  const starts: Pick<Segment, "from" | "move">[] = [{ from: 0, move: { ratio: 1, isFar: false, isJump: false } }];
  for (let row = 1, before = 0; row < times.length; row++) {
    if (spikes.has(row)) continue;
    if (times[row]! - times[before]! > DAY_MS || factorOf(values[row]! / values[before]!) >= CALM) {
      if (isLone(chain, row) && (known(row) !== 0 || (isCoin && known(before) === 0))) {
        hold(row, Math.round(Math.log10(values[row]! / values[before]!)));
        continue;
      }
      const move = moveTo(row, before);
      if (move.isJump || ((move.isFar || isCoin) && Math.abs(known(row) - known(before)) > 0))
        starts.push({ from: row, move });
    }
    before = row;
  }
  const segments = starts.map(({ from, move }, i): Segment => {
    const to = starts[i + 1]?.from ?? times.length;
    const stored = isNew.subarray(from, to).reduce((sum, one) => sum + 1 - one, 0);
    return { from, to, move, stored, known: known(from, to), isOff: known(from, to, excessOf) > 1, power: 0 };
  });
  // What the others are compared with: where most is stored, else the longest that is where it should be.
  const sizeOf = ({ from, to, stored, known, isOff }: Segment): number =>
    hasStored ? stored : (to - from) * (known === 0 && !isOff ? times.length : 1);
  const base = segments.reduce((best, one) => (sizeOf(one) > sizeOf(best) ? one : best));
  for (const direction of [1, -1]) {
    for (let i = segments.indexOf(base) + direction, power = 0; segments[i]; i += direction) {
      const { ratio, isFar } = segments[direction > 0 ? i : i + 1]!.move;
      const difference = segments[i]!.known - base.known;
      power = isFar && !Number.isNaN(difference) ? difference : power + direction * Math.log10(ratio);
      segments[i]!.power = power;
      // The market has gone there.
      if (Math.abs(power) <= STILL) power = 0;
    }
  }

  for (const { from, to, stored, known, isOff, power } of segments) {
    // That a coin is where it was in that year says nothing of a single power of ten.
    const isSure = !hasStored && (isCoin ? Math.abs(known) > 0 : !Number.isNaN(known));
    const level = isSure ? known : levelOf(power);
    // Time confirms a jump by another factor that stays within what is known, but no other, and no power of ten: a feed in toman repeats itself.
    const isLikely = (isCoin || Math.abs(power) <= BELIEVED) && !isOff;
    const isBelieved =
      Math.abs(power) <= STILL ||
      stored > 0 ||
      (isLikely && to - from >= 3 && times[to - 1]! - times[from]! >= 2 * DAY_MS);
    if (level === 0 && isBelieved) continue;
    for (let row = from; row < to; row++) if (chain.isSuspicious[row] === 0) hold(row, level);
  }
  for (const [row, level] of spikes) if (chain.isSuspicious[row] === 0) hold(row, level);
  const suspicious = [...byLevel].map(([level, unsorted]) => {
    const rows = unsorted.toSorted((a, b) => a - b);
    const isMeant = (row: number): boolean => chain.isSuspicious[row] === 0 && (level === 0 || known(row) !== level);
    const expected = expectedAt(chain, rows[0]!, market, isMeant);
    return suspicionOf(chain, rows, { why: level === 0 ? "jump" : "level", level, expected });
  });
  if (hasStored && Math.abs(base.known) > 0) {
    const row = isNew.indexOf(0, base.from);
    suspicious.push({
      ...suspicionOf(chain, [row], { why: "stored", level: base.known, expected: market(code, times[row]!).middle }),
      times: [],
    });
  }
  return suspicious;
}

/** The rows of spikes, which leave their neighbours and come back to them, each with the power of ten by which it is off, else 0. */
function spikesOf({ code, times, values }: Chain): Map<number, number> {
  const [spikes, least] = [new Map<number, number>(), spikeFactorOf(code)];
  const isOff = (row: number, from: number): boolean => factorOf(values[row]! / values[from]!) > least;
  // A spike lies between one step and the next, so each row is looked at once more at most.
  for (let to = 1, from = 0; to < times.length; to++) {
    if (!isOff(to, to - 1)) continue;
    const before = from - 1;
    const returns =
      from > 0 && times[to]! - times[before]! <= SPIKE_MS && factorOf(values[to]! / values[before]!) <= SPIKE_AGREES;
    const rows = returns ? Array.from({ length: to - from }, (_, i) => from + i) : [];
    const isSpike = returns && rows.every((row) => isOff(row, before) && isOff(row, to));
    for (const row of isSpike ? rows : []) spikes.set(row, levelOf(Math.log10(values[row]! / values[before]!)));
    from = isSpike ? 0 : to;
  }
  return spikes;
}

/** Whether a row is far off both neighbours, which agree: where any jump may be true, one that is taken back is not. */
function isLone({ times, values }: Chain, row: number): boolean {
  const [before, value, after] = [values[row - 1]!, values[row]!, values[row + 1]!];
  return (
    Math.min(factorOf(value / before), factorOf(value / after)) >= 5 &&
    factorOf(before / after) <= 2.5 &&
    times[row + 1]! - times[row - 1]! <= 200 * DAY_MS
  );
}

/** First imports of assets of which nothing is known, or not enough, where all others in rial are off alike: a file has one unit. */
function judgeUnknown(
  chains: readonly Chain[],
  market: PriceModel,
  levels: readonly SuspiciousLevel[],
): SuspiciousLevel[] {
  const rial = chains.filter(({ code, of }) => of > 0 && code.endsWith("_RLS"));
  const levelOf = ({ code, of }: Chain): number | undefined =>
    levels.find((one) => one.code === code && one.why === "level" && one.times.length === of)?.level;
  const open = rial.filter((chain) => levelOf(chain) === undefined);
  const [level = 0, ...others] = new Set(rial.map(levelOf).filter((one) => one !== undefined));
  const mayBe = (value: number, expected: Expected): boolean =>
    Number.isNaN(expected.middle) || (expected.isWide === true && excessOf(value / 10 ** level, expected) <= 1);
  const isOpen = ({ code, of, times, values }: Chain): boolean =>
    of === times.length && sampleOf(0, of).every((row) => mayBe(values[row]!, market(code, times[row]!)));
  if (level === 0 || others.length > 0 || !open.every(isOpen)) return [];
  return open.map((chain) =>
    suspicionOf(chain, Uint32Array.from(chain.isNew.keys()), {
      why: "level",
      level,
      expected: market(chain.code, chain.times[0]!).middle,
    }),
  );
}

/** Assets that do not fit the dollar or the gold of their days, or their year; or the dollar, if most do not. */
function judgeAssets(chains: readonly Chain[], market: PriceModel): SuspiciousLevel[] {
  /** How many times further off the values of rows are than they may be. */
  function excess({ code, times, values }: Chain, rows: ArrayLike<number>, of = excessOf): number {
    return medianOf(0, rows.length, (i) => of(values[rows[i]!]!, market(code, times[rows[i]!]!)));
  }

  /** Whether a currency would fit if the dollar's values were its own, and its own those of the dollar. */
  function isExchanged(chain: Chain, rows: ArrayLike<number>): boolean {
    const { relation } = kindOf(chain.code);
    return (
      relation?.per.join() === DOLLAR &&
      excess(chain, rows, (value, { middle }) => excessOf(middle / relation.middle / value, relation)) <= 1
    );
  }

  /** Whether most values of rows are those of another asset at the same times, and too many to be so by chance. */
  function isCopy({ code, times, values }: Chain, rows: ArrayLike<number>, other: Chain): boolean {
    const first = Array.from({ length: Math.min(SAMPLE, rows.length) }, (_, i) => values[rows[i]!]);
    if (code === other.code || new Set(first).size < 10) return false;
    return (
      medianOf(0, rows.length, (i) =>
        Number(other.values[rowFrom(other.times, times[rows[i]!]!)] === values[rows[i]!]),
      ) === 1
    );
  }

  const found = chains
    .map((chain) => ({ chain, rows: calmRows(chain, 1) }))
    .map((one) => ({ ...one, excess: excess(one.chain, one.rows) }));
  // What was accepted there before has been looked at.
  const out = found.filter((one) => one.excess > 1 && !(excess(one.chain, calmRows(one.chain, 0)) > 1));
  const dollar = found.filter(({ chain, rows }) => chain.code === DOLLAR && rows.length > 0);
  const isDollar =
    dollar.length > 0 && out.length >= 2 && out.length > found.filter(({ excess }) => excess > 0).length / 2;
  const exchanged = out.some(({ chain, rows }) => isExchanged(chain, rows)) ? dollar : [];
  const copies = found.filter(({ chain, rows }) => chains.some((other) => isCopy(chain, rows, other)));
  return [...new Set([...(isDollar ? dollar : out), ...exchanged, ...copies])].map(({ chain, rows }) => {
    const isAccepted = (row: number): boolean => chain.isNew[row] === 0 && chain.isSuspicious[row] === 0;
    return suspicionOf(chain, rows, {
      why: "asset",
      level: 0,
      expected: expectedAt(chain, rows[0]!, market, isAccepted),
    });
  });
}

function suspicionOf(
  { code, of, times, values }: Chain,
  rows: ArrayLike<number>,
  suspicion: Pick<SuspiciousLevel, "why" | "level" | "expected">,
): SuspiciousLevel {
  return {
    ...suspicion,
    code,
    times: Array.from(rows, (row) => times[row] as UtcMillis),
    of,
    value: values[rows[0]!]!,
  };
}

/** Rows that are not in doubt. */
function calmRows(chain: Chain, isNew: 0 | 1): Uint32Array {
  const rows = new Uint32Array(chain.isNew.length);
  let count = 0;
  for (let row = 0; row < rows.length; row++)
    if (chain.isNew[row] === isNew && chain.isSuspicious[row] === 0) rows[count++] = row;
  return rows.subarray(0, count);
}

/** Rows from one to another, evenly chosen. */
function sampleOf(from: number, to: number): number[] {
  const count = Math.min(SAMPLE, to - from);
  return Array.from({ length: count }, (_, i) => from + Math.floor((i * (to - from)) / count));
}

/** The median of what is known of some rows. */
function medianOf(from: number, to: number, numberOf: (row: number) => number): number {
  const known = sampleOf(from, to)
    .map(numberOf)
    .filter((one) => !Number.isNaN(one))
    .sort((a, b) => a - b);
  return known[known.length >> 1] ?? NaN;
}

/** The power of ten that a logarithm stands for; 0 where it is too near to none. */
const levelOf = (power: number): number => (Math.abs(power) > ODD ? Math.round(power) : 0);

const factorOf = (ratio: number): number => Math.max(ratio, 1 / ratio);
