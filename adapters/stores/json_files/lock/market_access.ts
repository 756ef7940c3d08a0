import {
  type AssetCode,
  type CandleRange,
  type Observation,
  type Observations,
  QUALITY_STATUSES,
  type QualityStatus,
  type UtcMillis,
} from "../../../../core/mod.ts";
import { copyOf } from "../../price_state/entries.ts";
import type { PriceState } from "../../price_state/price_state.ts";
import type { AssetOrder, MarketReader } from "../../shared/engine.ts";
import type { FileDamage } from "../log/damage.ts";

// The prices that a command reads through a running server instead of reading the whole log.

/** The prices of an open store, for other processes. Arguments and results are JSON values. */
export interface MarketAccess extends Observations {
  facts(): Promise<MarketFacts>;
  /** The records of one asset and status, starting at a business time. */
  page(code: AssetCode, status: QualityStatus, from: UtcMillis): Promise<RecordPage>;
}

interface MarketFacts {
  readonly storeId: string;
  readonly damages: readonly FileDamage[];
  readonly codes: readonly AssetCode[];
}

interface RecordPage {
  readonly records: readonly Observation[];
  /** The start of the next page, or `null` after the last page. */
  readonly next: UtcMillis | null;
}

const PAGE_RECORDS = 5_000;
/** The number of candles in one call: as many as the server makes in one turn of its event loop. */
const CALL_CANDLES = 10_000;
const FIRST_TIME = Number.MIN_SAFE_INTEGER as UtcMillis;

/** Makes the object through which other processes read the prices of a state. */
export function createMarketAccess(
  observations: Observations,
  { codes, records }: Pick<PriceState, "codes" | "records">,
  facts: Omit<MarketFacts, "codes">,
): MarketAccess {
  return {
    ...observations,
    async candles(...range) {
      const { version, value } = await observations.candles(...range);
      return { version, value: { ...value, candles: [...value.candles] } };
    },
    facts: async () => ({ ...facts, codes: [...codes()] }),
    async page(code, status, from) {
      const found: Observation[] = [];
      let next: UtcMillis | null = null;
      for (const one of records(status, code, { from, to: Infinity as UtcMillis })) {
        // Pending records of several sources may have the same time. Records of the same time are on the same page.
        if (found.length >= PAGE_RECORDS && found.at(-1)!.businessTime !== one.businessTime) {
          next = one.businessTime;
          break;
        }
        found.push(copyOf(one));
      }
      return { records: found, next };
    },
  };
}

/** The observations of a store, read through its owner. */
export function observationsThrough(market: MarketAccess): MarketReader["observations"] {
  return {
    version: market.version,
    lastOfEach: market.lastOfEach,
    latest: async (codes) => withoutNull(await market.latest(codes)),
    coverage: async (codes) => withoutNull(await market.coverage(codes)),
    async candles(code, { from, to }, widthMs) {
      const parts: { readonly version: string; readonly value: CandleRange }[] = [];
      for (let start = from; start < to || parts.length === 0; start = (start + CALL_CANDLES * widthMs) as UtcMillis) {
        const end = Math.min(to, start + CALL_CANDLES * widthMs) as UtcMillis;
        parts.push(await market.candles(code, { from: start, to: end }, widthMs));
      }
      const { version, value } = parts[0]!;
      const candles = parts.flatMap((part) => [...part.value.candles]);
      return { version, value: { candles, availableFrom: value.availableFrom } };
    },
    async *records(order) {
      for (const code of inOrder((await market.facts()).codes, order))
        for (const status of QUALITY_STATUSES)
          for (let from: UtcMillis | null = FIRST_TIME; from !== null; ) {
            const { records, next }: RecordPage = await market.page(code, status, from);
            yield* records;
            from = next;
          }
    },
  };
}

/** The records of a state, without the members that only a store needs. */
export function* recordsInOrder(
  { codes, records }: Pick<PriceState, "codes" | "records">,
  order?: AssetOrder,
): Generator<Observation> {
  for (const code of inOrder(codes(), order)) for (const one of records(undefined, code)) yield copyOf(one);
}

function inOrder(present: Iterable<AssetCode>, { first = [], others = true }: Partial<AssetOrder> = {}) {
  const codes = new Set(present);
  return [...first, ...(others ? codes : [])].filter((code) => codes.delete(code));
}

/** Replaces `null` with `undefined`, which JSON cannot express. */
function withoutNull<Value>({ version, value }: { readonly version: string; readonly value: readonly Value[] }) {
  return { version, value: value.map((one) => one ?? undefined) };
}
