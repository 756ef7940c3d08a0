import type { AssetCode, UtcMillis } from "../../core/brand.ts";
import { formatDecimal } from "../../core/json.ts";
import { createMarket } from "../../core/market.ts";
import type { Market } from "../../core/market.ts";
import { QUALITY_STATUSES } from "../../core/observation.ts";
import type { Observation } from "../../core/observation.ts";
import type { AppendOutcome, ObservationWriter, Observations } from "../../core/ports.ts";
import { objectOf } from "./changes.ts";
import type { Log } from "./log.ts";
import { createQuickReader } from "./quick_reader.ts";

/** Market records in a log, and all of them in memory, where the read side answers from at once. */
export interface ObservationLog extends Observations, ObservationWriter {
  append(batch: readonly Observation[]): Promise<AppendOutcome>;
  records(): Iterable<Observation>;
}

/** Name of the log of observations. */
export const OBSERVATIONS = "obs";

const DECIMAL = /^\d+(?:\.\d+)?$/;

/** Joins a log with the market that was filled from it. `versionSuffix` names what of the log could not be read. */
export function createObservations(log: Log, market: Market, epoch: string, versionSuffix: string): ObservationLog {
  function publish(batch: readonly Observation[], first: number): AppendOutcome {
    let replaced = 0;
    batch.forEach((observation, i) => {
      if (market.put(observation, first + i)) replaced++;
    });
    return { accepted: batch.length - replaced, replaced };
  }

  return {
    ...readSide(market, (code) => `${epoch}.${market.sequence(code)}${versionSuffix}`),
    async append(batch) {
      if (batch.length === 0) return { accepted: 0, replaced: 0 };
      return log.append(batch.map(encodeObservation), (first) => publish(batch, first));
    },
  };
}

/** The read side of a market. */
export function readSide(market: Market, version: (code?: AssetCode) => string) {
  const { latest, coverage, lastOfEach, candles, all: records } = market;
  return { latest, coverage, lastOfEach, candles, records, version };
}

/** Makes an empty market and what fills it from the lines of a log. */
export function marketReader() {
  const market = createMarket();
  const accept = (observation: Observation, sequence: number): void => void market.put(observation, sequence);
  return { market, decode: decodeObservation, quick: createQuickReader(), accept };
}

/**
 * The members of an observation's line: `c` code, `t` business time, `v` value, `it` insert time, and
 * where there is one `st` source time, `src` provider, `q` quality status, `m` remark on it. The value
 * is text: a JSON number may come back changed from other tools.
 */
export function encodeObservation(observation: Observation): string {
  const { code, value, businessTime, sourceTime, insertTime, provider, qualityStatus, qualityMessage } = observation;
  demandStorable(observation);
  return (
    `"c":${JSON.stringify(code)},"t":${businessTime},"v":"${formatDecimal(value)}","it":${insertTime}` +
    (sourceTime === null ? "" : `,"st":${sourceTime}`) +
    (provider === null ? "" : `,"src":${JSON.stringify(provider)}`) +
    (qualityStatus === "ACCEPTED" ? "" : `,"q":"${qualityStatus}"`) +
    (qualityMessage === "" ? "" : `,"m":${JSON.stringify(qualityMessage)}`)
  );
}

interface Line {
  readonly c?: unknown;
  readonly t?: unknown;
  readonly v?: unknown;
  readonly it?: unknown;
  readonly st?: unknown;
  readonly src?: unknown;
  readonly q?: unknown;
  readonly m?: unknown;
}

/** Reads an observation's line; `undefined` when it is none. */
export function decodeObservation(line: object): Observation | undefined {
  const { c, t, v, it, st = null, src = null, q = "ACCEPTED", m = "" } = line as Line;
  if (typeof v !== "string" || !DECIMAL.test(v)) return undefined;
  return toObservation({ c, t, v: Number(v), it, st, src, q, m });
}

/** Reads an observation that came from another process. Throws `TypeError` when it is none. */
export function parseObservation(value: unknown): Observation {
  const o = objectOf(value, "observation");
  const { code: c, businessTime: t, value: v, insertTime: it } = o as { code?: unknown; businessTime?: unknown; value?: unknown; insertTime?: unknown };
  const { sourceTime: st, provider: src, qualityStatus: q, qualityMessage: m } = o as { sourceTime?: unknown; provider?: unknown; qualityStatus?: unknown; qualityMessage?: unknown };
  const observation = toObservation({ c, t, v, it, st, src, q, m });
  if (!observation) throw new TypeError("Cannot read an observation as its members must be those of an observation");
  return observation;
}

function toObservation({ c, t, v, it, st, src, q, m }: Line): Observation | undefined {
  const qualityStatus = q === "ACCEPTED" ? q : QUALITY_STATUSES.find((status) => status === q);
  if (typeof c !== "string" || c === "" || !isTime(t) || !isTime(it) || !(st === null || isTime(st))) return undefined;
  if (typeof v !== "number" || !isValue(v) || !qualityStatus) return undefined;
  if (!(src === null || typeof src === "string") || typeof m !== "string") return undefined;
  const code = c as AssetCode;
  return { code, value: v, businessTime: t, sourceTime: st, insertTime: it, provider: src, qualityStatus, qualityMessage: m };
}

function demandStorable({ code, value, businessTime, insertTime }: Observation): void {
  if (!isValue(value)) throw new RangeError(`Cannot store an observation as its value must be above zero: received "${value}"`);
  if (code === "" || !isTime(businessTime) || !isTime(insertTime)) {
    throw new RangeError(`Cannot store an observation as it needs a code and whole milliseconds: received "${code}" at "${businessTime}"`);
  }
}

function isTime(value: unknown): value is UtcMillis {
  return Number.isSafeInteger(value);
}

function isValue(value: number): boolean {
  return value > 0 && value < Infinity;
}
