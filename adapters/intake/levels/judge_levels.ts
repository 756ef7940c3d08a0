import { DAY_MS } from "../../../core/internal.ts";
import { DOLLAR, excessOf, kindOf, knownLevel, LEVELS, type PriceModel, spikeFactorOf } from "./expected_prices.ts";
import {
  type Chain,
  expectedAt,
  FAR_MS,
  medianOf,
  type SuspiciousLevel,
  sampleOf,
  suspicionOf,
} from "./price_chain.ts";
import { WIDTHS } from "./price_levels_by_year.ts";

/** The move between two rows. `isFar`: the rows are too far apart to be judged without the market model. */
type Move = Readonly<{ ratio: number; isFar: boolean; isJump: boolean }>;

/** Successive rows without a jump. `known`: the power of ten by which they are off the market model, or NaN. */
interface Segment extends Readonly<Record<"from" | "to" | "stored" | "known", number>> {
  readonly move: Move;
  /** Whether the rows do not fit the market model. */
  readonly isOff: boolean;
  /** The logarithm of the factor between this level and the level of the base segment. */
  power: number;
}

/** How far a spike's neighbours may differ in value and time: in March 2020, a true fall of the ounce took ten days. */
const [SPIKE_AGREES, SPIKE_MS] = [1.1, 8 * DAY_MS];
/** A smaller move is never a jump. */
const CALM = 1.6;
/** Logarithms of moves: ignored up to `STILL`, true up to `BELIEVED` if they last, powers of ten above `ODD`. */
const [STILL, BELIEVED, ODD] = [0.3, 0.48, 0.65];

/** Finds values of an asset whose level does not fit their neighbours or their year. */
export function judgeLevels(chain: Chain, market: PriceModel): SuspiciousLevel[] {
  const { code, times, values, isNew } = chain;
  const { widths, overDollar } = kindOf(code);
  const [hasStored, isCoin] = [isNew.includes(0), widths === WIDTHS.coin];
  // Several levels of a coin may fit the range of one year, but usually only one level fits the ranges of all years.
  const likely = LEVELS.find((level) =>
    sampleOf(0, times.length).every((row) => !(excessOf(values[row]! / 10 ** level, market(code, times[row]!)) > 1)),
  );

  function known(from: number, to = from + 1, of: typeof knownLevel = knownLevel): number {
    return medianOf(from, to, (row) => of(values[row]!, market(code, times[row]!), likely));
  }

  /** Returns the move from an earlier row. The move is a jump if no true value ever moved so far. */
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
  // A row that fits the market model is not a spike, but has wrong neighbours.
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
  // The base is the segment with the most stored rows or, without any, the longest one that fits the market model.
  const sizeOf = ({ from, to, stored, known, isOff }: Segment): number =>
    hasStored ? stored : (to - from) * (known === 0 && !isOff ? times.length : 1);
  const base = segments.reduce((best, one) => (sizeOf(one) > sizeOf(best) ? one : best));
  for (const direction of [1, -1]) {
    for (let i = segments.indexOf(base) + direction, power = 0; segments[i]; i += direction) {
      const { ratio, isFar } = segments[direction > 0 ? i : i + 1]!.move;
      const difference = segments[i]!.known - base.known;
      power = isFar && !Number.isNaN(difference) ? difference : power + direction * Math.log10(ratio);
      segments[i]!.power = power;
      // A small difference is a true move of the market.
      if (Math.abs(power) <= STILL) power = 0;
    }
  }

  for (const { from, to, stored, known, isOff, power } of segments) {
    // The range of a coin's year is so wide that a level of 0 is not certain.
    const isSure = !hasStored && (isCoin ? Math.abs(known) > 0 : !Number.isNaN(known));
    const level = isSure ? known : levelOf(power);
    // A lasting jump to plausible values is believed, but not a jump by a power of ten, e.g. to toman.
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
    const expected = market(code, times[row]!).middle;
    suspicious.push({ ...suspicionOf(chain, [row], { why: "stored", level: base.known, expected }), times: [] });
  }
  return suspicious;
}

/** Returns the rows of spikes, each with the power of ten by which it is off, or 0. A spike's neighbours agree. */
function spikesOf({ code, times, values }: Chain): Map<number, number> {
  const [spikes, least] = [new Map<number, number>(), spikeFactorOf(code)];
  const isOff = (row: number, from: number): boolean => factorOf(values[row]! / values[from]!) > least;
  // A spike begins and ends with a large step, so each row is checked at most twice.
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

/** Whether a row is far off both neighbours, which agree: a jump that is reversed at once is not true. */
function isLone({ times, values }: Chain, row: number): boolean {
  const [before, value, after] = [values[row - 1]!, values[row]!, values[row + 1]!];
  return (
    Math.min(factorOf(value / before), factorOf(value / after)) >= 5 &&
    factorOf(before / after) <= 2.5 &&
    times[row + 1]! - times[row - 1]! <= 200 * DAY_MS
  );
}

/** Rounds a logarithm to a power of ten; 0 if it is too small. */
const levelOf = (power: number): number => (Math.abs(power) > ODD ? Math.round(power) : 0);

const factorOf = (ratio: number): number => Math.max(ratio, 1 / ratio);
