import { rowFrom } from "../../../core/internal.ts";
import type { AssetCode } from "../../../core/mod.ts";
import {
  createPriceModel,
  DOLLAR,
  type Expected,
  excessOf,
  kindOf,
  NEAR_MS,
  OUNCE,
  type PriceModel,
  rangeOf,
} from "./expected_prices.ts";
import { judgeLevels } from "./judge_levels.ts";
import {
  type Chain,
  chainOf,
  expectedAt,
  medianOf,
  nearestValue,
  type PricesToJudge,
  SAMPLE,
  type SuspiciousLevel,
  sampleOf,
  suspicionOf,
} from "./price_chain.ts";

/**
 * Finds records with implausible values by comparing them with their neighbours, with known prices of the same year,
 * and with the dollar and gold on the same days. In archives of sixteen years, no correct record is reported.
 *
 * @param prices The prices of each asset with new records, and stored dollars and ounces of those days.
 */
export function findSuspiciousLevels(prices: ReadonlyMap<AssetCode, PricesToJudge>): SuspiciousLevel[] {
  // Reference assets are judged first: other assets are compared with them.
  const rankOf = (code: string): number => [DOLLAR, OUNCE].indexOf(code) + 1 || (code.endsWith("_USD") ? 3 : 4);
  const chains = [...prices].map(([code, one]) => chainOf(code, one)).sort((a, b) => rankOf(a.code) - rankOf(b.code));
  const byCode = new Map<string, Chain>(chains.map((chain) => [chain.code, chain]));
  const market = createPriceModel((code, time) => {
    const chain = byCode.get(code);
    const value = chain && nearestValue(chain, time, NEAR_MS, (row) => chain.isSuspicious[row] === 0);
    return value === undefined ? undefined : rangeOf(value, value);
  });
  const levels = chains.flatMap((chain) => judgeLevels(chain, market));
  return [...levels, ...judgeUnknown(chains, market, levels), ...judgeAssets(chains, market)];
}

/** Judges rial assets of unknown level: if all other rial assets are off by the same power of ten, so are these. */
function judgeUnknown(chains: readonly Chain[], market: PriceModel, levels: readonly SuspiciousLevel[]) {
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
  return open.map((chain) => {
    const expected = market(chain.code, chain.times[0]!).middle;
    return suspicionOf(chain, Uint32Array.from(chain.isNew.keys()), { why: "level", level, expected });
  });
}

/** Finds assets that do not fit their year, the dollar or gold. If most assets do not fit, the dollar is wrong. */
function judgeAssets(chains: readonly Chain[], market: PriceModel): SuspiciousLevel[] {
  /** Returns the factor by which rows exceed the expected range; above 1, the rows do not fit. */
  function excess({ code, times, values }: Chain, rows: ArrayLike<number>, of = excessOf): number {
    return medianOf(0, rows.length, (i) => of(values[rows[i]!]!, market(code, times[rows[i]!]!)));
  }

  /** Whether a currency would fit if its values and the dollar's were swapped. */
  function isExchanged(chain: Chain, rows: ArrayLike<number>): boolean {
    const { relation } = kindOf(chain.code);
    return (
      relation?.per.join() === DOLLAR &&
      excess(chain, rows, (value, { middle }) => excessOf(middle / relation.middle / value, relation)) <= 1
    );
  }

  /** Whether most values equal another asset's at the same times. Up to nine different values may do so by chance. */
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
  // If the accepted values of an asset do not fit either, an operator has already checked them.
  const out = found.filter((one) => one.excess > 1 && !(excess(one.chain, calmRows(one.chain, 0)) > 1));
  const dollar = found.filter(({ chain, rows }) => chain.code === DOLLAR && rows.length > 0);
  const isDollar =
    dollar.length > 0 && out.length >= 2 && out.length > found.filter(({ excess }) => excess > 0).length / 2;
  const exchanged = out.some(({ chain, rows }) => isExchanged(chain, rows)) ? dollar : [];
  const copies = found.filter(({ chain, rows }) => chains.some((other) => isCopy(chain, rows, other)));
  return [...new Set([...(isDollar ? dollar : out), ...exchanged, ...copies])].map(({ chain, rows }) => {
    const isAccepted = (row: number): boolean => chain.isNew[row] === 0 && chain.isSuspicious[row] === 0;
    const expected = expectedAt(chain, rows[0]!, market, isAccepted);
    return suspicionOf(chain, rows, { why: "asset", level: 0, expected });
  });
}

/** Returns the rows that are not suspicious: the new rows if `isNew` is 1, and the stored rows if it is 0. */
function calmRows(chain: Chain, isNew: 0 | 1): Uint32Array {
  const rows = new Uint32Array(chain.isNew.length);
  let count = 0;
  for (let row = 0; row < rows.length; row++)
    if (chain.isNew[row] === isNew && chain.isSuspicious[row] === 0) rows[count++] = row;
  return rows.subarray(0, count);
}
