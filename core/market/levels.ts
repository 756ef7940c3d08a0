import { CRYPTO_NAMES } from "./asset_names.ts";
import type { AssetCode, UtcMillis } from "../brand.ts";
import { COINS, CURRENCIES, GOLD, MIDDLES, OVER_DOLLAR, STABLE, WIDTHS } from "./level_tables.ts";
import type { Widths } from "./level_tables.ts";
import { DAY_MS } from "../time/durations.ts";

/** Prices of one asset, ascending by business time. */
export type PriceColumns = Readonly<Record<"times" | "values", ArrayLike<number>>>;

/** What comes in of an asset, and what is stored around it, which was accepted before. Of one time, another value takes the place of what is stored. */
export type PricesToJudge = Readonly<Record<"batch" | "stored", PriceColumns>>;

/** Records that somebody should look at. */
export interface LevelDoubt {
  readonly code: AssetCode;
  /**
   * - `level`: they lie powers of ten from where they should.
   * - `jump`: they jump by another factor, and are too few to be believed.
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

/** All records of an asset, in rows. */
interface Chain extends PriceColumns {
  readonly code: AssetCode;
  /** How many records come in. */
  readonly of: number;
  /** 1 for what comes in, 0 for what is stored. */
  readonly isNew: Uint8Array;
  /** 1 for rows in doubt. */
  readonly isHeld: Uint8Array;
  /** Until an asset was judged, only what is stored of it counts for others. */
  isJudged: boolean;
}

/** The move of a value to a row from one before it: `isFar` where they are too far apart to be judged without what is known of the market. */
type Move = Readonly<{ ratio: number; isFar: boolean; isJump: boolean }>;

/** Rows without a jump between neighbours. */
interface Segment {
  readonly from: number;
  readonly to: number;
  readonly move: Move;
  readonly stored: number;
  /** The power of ten by which they differ from what is known of the market; NaN where nothing is. */
  readonly known: number;
  /** The logarithm of the factor between this level and that of the base. */
  power: number;
}

/** Where a value should be, more or less, and how many times off it may be; NaN where nothing is known. */
type Expected = Readonly<Record<"middle" | "spread", number>>;

/** What the market says of an asset at a time. */
type Market = (code: string, time: number) => Expected;

/** What is known of a kind of assets. */
interface Kind {
  /** How far its value may move, in itself and when the dollar's move is taken out. */
  readonly widths: Widths;
  readonly overDollar?: Widths;
  /** Assets whose values make up its own: it lies between `low` and `high` times their product. */
  readonly relation?: { readonly per: readonly string[]; readonly low: number; readonly high: number };
}

const [DOLLAR, LIRA, OUNCE, OUNCE_GRAMS] = ["USD_RLS", "TRY_USD", "GOLD_OUNCE_USD", 31.1035];
const CRYPTO: ReadonlySet<string> = new Set(CRYPTO_NAMES.map(([base]) => base));
/** Further apart, the jump between neighbours says little, so what is known of the market counts. */
const FAR_MS = 31 * DAY_MS;
/** What a value is compared with is at most so much older or newer. */
const NEAR_MS = 3 * DAY_MS;
/** For so many years after a row of middles, its last one counts: the dollar rose to less than three times in two years. */
const YEARS_AFTER = 2;
/** Less than any width: most neighbours need no closer look. */
const CALM = 1.6;
/** As logarithms: how far from a power of ten a value may be to be taken for it; up to where a move is none; from where it is a power of ten. */
const [CLOSE, STILL, ODD] = [0.43, 0.3, 0.65];
/** Powers of ten, the likeliest first. */
const LEVELS = [0, -1, -3, 1, 3, -2, 2];
/** Rows of which a median is taken. */
const SAMPLE = 200;
/** How many times off the middle of its year a value may be; of the last year in the table, which was not over, and of those after it. */
const [YEAR_SPREAD, LATE_SPREAD] = [2.2, 6.6];
const NOTHING: Expected = { middle: NaN, spread: NaN };

/**
 * Finds records whose values cannot be what was meant, by their neighbours, by what is known of the market, and by the dollar
 * and the gold of their days. Records in archives of sixteen years pass it, except wrong ones.
 *
 * @param prices Of each asset of which records come in. Stored dollars and ounces of those days help to judge the others.
 */
export function findLevelDoubts(prices: ReadonlyMap<AssetCode, PricesToJudge>): LevelDoubt[] {
  // What others are compared with comes first.
  const rankOf = (code: string): number => [DOLLAR, OUNCE].indexOf(code) + 1 || (code.endsWith("_USD") ? 3 : 4);
  const chains = [...prices].map(([code, one]) => chainOf(code, one)).sort((a, b) => rankOf(a.code) - rankOf(b.code));
  const market = createMarket(chains);
  return [...chains.flatMap((chain) => judgeLevels(chain, market)), ...judgeAssets(chains, market)];
}

function chainOf(code: AssetCode, { batch, stored }: PricesToJudge): Chain {
  const of = batch.times.length;
  const most = of + stored.times.length;
  const [isNew, isHeld] = [new Uint8Array(most), new Uint8Array(most)];
  if (of === most) return { code, of, ...batch, isNew: isNew.fill(1), isHeld, isJudged: false };
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
  return { code, of, times: times.subarray(0, rows), values: values.subarray(0, rows), isNew: isNew.subarray(0, rows), isHeld, isJudged: false };
}

function createMarket(chains: readonly Chain[]): Market {
  const byCode = new Map<string, Chain>(chains.map((chain) => [chain.code, chain]));

  /** The nearest value of an asset that is not in doubt. */
  function near(code: string, time: number): number | undefined {
    const chain = byCode.get(code);
    if (!chain) return undefined;
    const { times, values, isNew, isHeld, isJudged } = chain;
    const distance = (row: number): number => (row >= 0 && row < times.length ? Math.abs(times[row]! - time) : Infinity);
    for (let after = rowAt(times, time), before = after - 1; ; ) {
      const row = distance(after) < distance(before) ? after++ : before--;
      if (distance(row) > NEAR_MS) return undefined;
      if (isHeld[row] === 0 && (isJudged || isNew[row] === 0)) return values[row];
    }
  }

  return (code, time) => {
    const { relation } = kindOf(code);
    if (!relation) return ofYear(code, time);
    let [middle, spread] = [Math.sqrt(relation.low * relation.high), Math.sqrt(relation.high / relation.low)];
    for (const one of relation.per) {
      const [value, year] = [near(one, time), COINS.has(one) ? NOTHING : ofYear(one, time)];
      middle *= value ?? year.middle;
      spread *= value === undefined ? year.spread : 1;
    }
    return { middle, spread };
  };
}

/** The assets with which one is compared, so that their stored values are worth looking up. */
export function referencesOf(code: AssetCode): readonly AssetCode[] {
  return (kindOf(code).relation?.per ?? []).filter((one) => one !== LIRA) as AssetCode[];
}

/** What is known of a value from its year alone. */
function ofYear(code: string, time: number): Expected {
  const [first = NaN, ...numbers] = MIDDLES.get(code) ?? COINS.get(code) ?? [];
  const year = new Date(time).getUTCFullYear() - first;
  if (!(year >= 0 && year < numbers.length + YEARS_AFTER)) return NOTHING;
  const [low = NaN, high = NaN] = numbers.slice(2 * year);
  if (COINS.has(code)) return { middle: Math.sqrt(low * high), spread: Math.sqrt(high / low) * 1.5 };
  return { middle: numbers[Math.min(year, numbers.length - 1)] ?? NaN, spread: year < numbers.length - 1 ? YEAR_SPREAD : LATE_SPREAD };
}

function kindOf(code: string): Kind {
  const [base, isInRial] = [code.replace(/_(RLS|USD)$/, ""), code.endsWith("_RLS")];
  const [grams = NaN, least = NaN, most = NaN] = GOLD.get(code) ?? [];
  const gold = { per: isInRial ? [DOLLAR, OUNCE] : [OUNCE], low: (least * grams) / OUNCE_GRAMS, high: (most * grams) / OUNCE_GRAMS };
  if (GOLD.has(code)) return isInRial ? { widths: WIDTHS.rial, overDollar: OVER_DOLLAR.gold, relation: gold } : { widths: WIDTHS.ounce, relation: gold };
  if (code === "TRY_RLS") return { widths: WIDTHS.rial, overDollar: OVER_DOLLAR.lira, relation: { per: [DOLLAR, LIRA], low: 1, high: 1 } };
  const [low = NaN, high = NaN] = CURRENCIES.get(base) ?? [];
  // The margin keeps years within that come after those of the table.
  if (low && isInRial) return { widths: WIDTHS.rial, overDollar: OVER_DOLLAR.currency, relation: { per: [DOLLAR], low: low / 1.5, high: high * 1.5 } };
  if (CRYPTO.has(base) && !isInRial) return STABLE.has(base) ? { widths: WIDTHS.stable, relation: { per: [], low: 0.6, high: 1.6 } } : { widths: WIDTHS.coin };
  if (CRYPTO.has(base)) return { widths: WIDTHS.coin, relation: { per: STABLE.has(base) ? [DOLLAR] : [`${base}_USD`, DOLLAR], low: 0.6, high: 1.7 } };
  // Of what an operator adds nothing is known: it may move as coins do.
  return { widths: !MIDDLES.has(code) ? WIDTHS.coin : isInRial ? WIDTHS.rial : WIDTHS.ounce };
}

/** The power of ten by which a value differs from what is known of the market; NaN where nothing is, or it is between two. */
function knownLevel(code: string, value: number, { middle, spread }: Expected): number {
  const power = Math.log10(value / middle);
  if (COINS.has(code)) return LEVELS.find((level) => Math.abs(power - level) <= Math.log10(spread)) ?? NaN;
  return Math.abs(power - Math.round(power)) <= CLOSE ? Math.round(power) : NaN;
}

/** What its neighbours and its year say of an asset. */
function judgeLevels(chain: Chain, market: Market): LevelDoubt[] {
  chain.isJudged = true;
  const { code, times, values, isNew } = chain;
  const { widths, overDollar } = kindOf(code);
  const hasStored = isNew.includes(0);

  function known(from: number, to = from + 1): number {
    return medianOf(from, to, (row) => knownLevel(code, values[row]!, market(code, times[row]!)));
  }

  /** The move to a row from another before it, and whether no true value ever moved so. */
  function moveTo(row: number, before: number): Move {
    const gap = times[row]! - times[before]!;
    const dollar = gap > FAR_MS && overDollar ? market(DOLLAR, times[row]!).middle / market(DOLLAR, times[before]!).middle : NaN;
    const ratio = values[row]! / values[before]! / (dollar || 1);
    const width = (dollar ? overDollar! : widths).find(([days]) => Math.round(gap / DAY_MS) <= days);
    return { ratio, isFar: gap > FAR_MS || !width, isJump: width !== undefined && (ratio > width[1] || 1 / ratio > width[2]) };
  }

  const byLevel = new Map<number, number[]>();
  const hold = (row: number, level: number): void => {
    chain.isHeld[row] = 1;
    if (isNew[row] === 1) (byLevel.get(level) ?? byLevel.set(level, []).get(level)!).push(row);
  };
  const starts: Pick<Segment, "from" | "move">[] = [{ from: 0, move: { ratio: 1, isFar: false, isJump: false } }];
  for (let row = 1, before = 0; row < times.length; row++) {
    if (times[row]! - times[before]! > DAY_MS || factorOf(values[row]! / values[before]!) >= CALM) {
      if (isLone(chain, row) && (known(row) !== 0 || (COINS.has(code) && known(before) === 0))) {
        hold(row, Math.round(Math.log10(values[row]! / values[before]!)));
        continue;
      }
      const move = moveTo(row, before);
      if (move.isJump || ((move.isFar || COINS.has(code)) && Math.abs(known(row) - known(before)) > 0)) starts.push({ from: row, move });
    }
    before = row;
  }
  const segments = starts.map(({ from, move }, i): Segment => {
    const to = starts[i + 1]?.from ?? times.length;
    return { from, to, move, stored: !hasStored ? 0 : isNew.subarray(from, to).reduce((sum, one) => sum + 1 - one, 0), known: known(from, to), power: 0 };
  });
  // What the others are compared with: where most is stored, else the longest that is where it should be.
  const sizeOf = ({ from, to, stored, known }: Segment): number => (hasStored ? stored : (to - from) * (known === 0 ? times.length : 1));
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

  for (const { from, to, stored, known, power } of segments) {
    // That a coin is where it was in that year says nothing of a single power of ten.
    const isSure = !hasStored && (COINS.has(code) ? Math.abs(known) > 0 : !Number.isNaN(known));
    const level = isSure ? known : Math.abs(power) > ODD ? Math.round(power) : 0;
    // Time confirms a jump by another factor, but never a power of ten: a feed in toman repeats itself.
    const isBelieved = Math.abs(power) <= STILL || stored > 0 || (to - from >= 3 && times[to - 1]! - times[from]! >= 2 * DAY_MS);
    if (level === 0 && isBelieved) continue;
    for (let row = from; row < to; row++) if (chain.isHeld[row] === 0) hold(row, level);
  }
  const doubts = [...byLevel].map(([level, unsorted]) => {
    const rows = unsorted.toSorted((a, b) => a - b);
    const before = rows[0]! - 1;
    const other = market(code, times[rows[0]!]!).middle || (rows.includes(base.from) ? NaN : values[base.from]!);
    const expected = before >= 0 && chain.isHeld[before] === 0 && level !== known(before) ? values[before]! : other;
    return doubtOf(chain, rows, { why: level === 0 ? "jump" : "level", level, expected });
  });
  if (hasStored && Math.abs(base.known) > 0) {
    const row = isNew.indexOf(0, base.from);
    doubts.push({ ...doubtOf(chain, [row], { why: "stored", level: base.known, expected: market(code, times[row]!).middle }), times: [] });
  }
  return doubts;
}

/** Whether a row is far off both neighbours, which agree: where any jump may be true, one that is taken back is not. */
function isLone({ times, values }: Chain, row: number): boolean {
  const [before, value, after] = [values[row - 1]!, values[row]!, values[row + 1]!];
  return Math.min(factorOf(value / before), factorOf(value / after)) >= 5 && factorOf(before / after) <= 2.5 && times[row + 1]! - times[row - 1]! <= 200 * DAY_MS;
}

/** Assets that do not fit the dollar or the gold of their days, or their year; or the dollar, if most do not. */
function judgeAssets(chains: readonly Chain[], market: Market): LevelDoubt[] {
  /** How many times further off the values of rows are than they may be. */
  function excessOf({ code, times, values }: Chain, rows: readonly number[]): number {
    return medianOf(0, rows.length, (i) => {
      const { middle, spread } = market(code, times[rows[i]!]!);
      return factorOf(values[rows[i]!]! / middle) / spread;
    });
  }

  /** Whether most values of rows are those of another asset at the same times, and too many to be so by chance. */
  function isCopy({ code, times, values }: Chain, rows: readonly number[], other: Chain): boolean {
    if (code === other.code || new Set(rows.slice(0, SAMPLE).map((row) => values[row])).size < 10) return false;
    return medianOf(0, rows.length, (i) => Number(other.values[rowAt(other.times, times[rows[i]!]!)] === values[rows[i]!])) === 1;
  }

  const found = chains.map((chain) => ({ chain, rows: calmRows(chain, 1), excess: excessOf(chain, calmRows(chain, 1)) }));
  // What was accepted there before has been looked at.
  const out = found.filter(({ chain, excess }) => excess > 1 && !(excessOf(chain, calmRows(chain, 0)) > 1));
  const dollar = found.find(({ chain, rows }) => chain.code === DOLLAR && rows.length > 0);
  const isDollar = dollar && out.length >= 2 && out.length > found.filter(({ excess }) => excess > 0).length / 2;
  const copies = found.filter(({ chain, rows }) => chains.some((other) => isCopy(chain, rows, other)));
  return [...new Set([...(isDollar ? [dollar] : out), ...copies])].map(({ chain, rows }) => {
    return doubtOf(chain, rows, { why: "asset", level: 0, expected: market(chain.code, chain.times[rows[0]!]!).middle });
  });
}

function doubtOf({ code, of, times, values }: Chain, rows: readonly number[], doubt: Pick<LevelDoubt, "why" | "level" | "expected">): LevelDoubt {
  return { ...doubt, code, times: rows.map((row) => times[row] as UtcMillis), of, value: values[rows[0]!]! };
}

/** Rows that are not in doubt. */
function calmRows(chain: Chain, isNew: 0 | 1): number[] {
  const rows: number[] = [];
  for (let row = 0; row < chain.isNew.length; row++) if (chain.isNew[row] === isNew && chain.isHeld[row] === 0) rows.push(row);
  return rows;
}

/** The first row that is not before a time. */
function rowAt(times: ArrayLike<number>, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The median of what is known of some rows, evenly chosen from one to another. */
function medianOf(from: number, to: number, numberOf: (row: number) => number): number {
  const count = Math.min(SAMPLE, to - from);
  const numbers = Array.from({ length: count }, (_, i) => numberOf(from + Math.floor((i * (to - from)) / count)));
  const known = numbers.filter((one) => !Number.isNaN(one)).sort((a, b) => a - b);
  return known[known.length >> 1] ?? NaN;
}

const factorOf = (ratio: number): number => Math.max(ratio, 1 / ratio);
