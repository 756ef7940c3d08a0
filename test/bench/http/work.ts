// A price service as one would write it in an afternoon, with plain objects, Maps, `createHash` and `toISOString`.
// All peers share it, so that they differ only by their framework, which also writes the JSON.
import { createHash } from "node:crypto";
import { ASSETS } from "../../../core/market/assets.ts";
import type { Asset } from "../../../core/market/assets.ts";
import { INTERVALS } from "../../../core/market/candles.ts";
import { ERRORS } from "../../../core/http/errors.ts";
import type { ErrorCode } from "../../../core/http/errors.ts";
import { sampleObservations } from "../../../fixtures/sample.ts";
import type { UtcMillis } from "../../../core/brand.ts";

/** The set-up of a peer program, passed as JSON on its command line. */
export interface WorkSetup {
  /** The moment for which the sample archive is made; the same moment gives the same records. */
  readonly now: number;
  /** Daily units by key. */
  readonly keys: Readonly<Record<string, number>>;
  /** The folder whose `node_modules` holds the packages of the framework. */
  readonly home: string;
}

/** The owner of a key. */
export interface Caller {
  readonly id: string;
  readonly dailyUnits: number;
}

/** An answer of the service: data with the version of what it was made from, or a failure. */
export type Outcome = { readonly data: unknown; readonly version: string } | { readonly code: ErrorCode };

/** The service behind the routes. */
export type Work = ReturnType<typeof createWork>;

interface Row {
  readonly time: number;
  readonly value: number;
}

interface Holding {
  readonly asset: Asset;
  readonly rows: Row[];
  /** Last row of each day of the market's zone. */
  readonly days: Map<string, Row>;
}

const DAY = 86_400_000;
const TEHRAN_OFFSET = 12_600_000;
const STALE_MINUTES = 60;

/** Makes the service, with the sample archive in memory. */
export function createWork({ now, keys }: WorkSetup) {
  const holdings = new Map(ASSETS.map((asset): [string, Holding] => [asset.code, { asset, rows: [], days: new Map() }]));
  for (const { code, businessTime: time, value } of sampleObservations(now as UtcMillis)) {
    const { rows, days } = holdings.get(code)!;
    const row = { time, value };
    rows.push(row);
    days.set(dateOf(time + TEHRAN_OFFSET), row);
  }
  const callers = new Map(
    Object.entries(keys).map(([key, dailyUnits], i): [string, Caller] => [digest(key), { id: `account-${i}`, dailyUnits }]),
  );
  const used = new Map<string, number>();
  const version = now.toString(36);

  return {
    caller: (key: string | undefined): Caller | undefined => (key === undefined ? undefined : callers.get(digest(key))),

    /** Takes a unit; returns whether there was one. */
    take({ id, dailyUnits }: Caller): boolean {
      const count = used.get(id) ?? 0;
      if (count >= dailyUnits) return false;
      used.set(id, count + 1);
      return true;
    },

    giveBack({ id }: Caller): void {
      used.set(id, (used.get(id) ?? 1) - 1);
    },

    quotaHeaders({ id, dailyUnits }: Caller): Record<string, string> {
      const seconds = Math.ceil((DAY - (Date.now() % DAY)) / 1_000);
      const remaining = dailyUnits - (used.get(id) ?? 0);
      return {
        "RateLimit-Policy": `"daily";q=${dailyUnits};w=86400`,
        RateLimit: `"daily";r=${remaining};t=${seconds}`,
        "X-RateLimit-Limit": String(dailyUnits),
        "X-RateLimit-Remaining": String(remaining),
        "X-RateLimit-Reset": String(Math.ceil(Date.now() / DAY) * 86_400),
      };
    },

    latest(code: string): Outcome {
      const holding = holdings.get(code);
      const row = holding?.rows.at(-1);
      return holding && row ? { data: toRecord(holding.asset, row), version } : { code: "ASSET_NOT_FOUND" };
    },

    all(): Outcome {
      const data = [];
      for (const { asset, rows } of holdings.values()) {
        const row = rows.at(-1);
        if (row) data.push(toRecord(asset, row));
      }
      return { data, version };
    },

    history(code: string, from: string | undefined, to: string | undefined): Outcome {
      const holding = holdings.get(code);
      if (!holding) return { code: "ASSET_NOT_FOUND" };
      if (from === undefined || to === undefined) return { code: "MISSING_PARAMETER" };
      const [first, last] = [parseDate(from), parseDate(to)];
      if (first === undefined || last === undefined) return { code: "INVALID_DATE" };
      if (last < first || last - first > 31 * DAY) return { code: "INVALID_DATE_RANGE" };
      const data = [];
      for (let day = first; day <= last; day += DAY) {
        const row = holding.days.get(dateOf(day));
        if (row) data.push(toRecord(holding.asset, row));
      }
      return { data, version };
    },

    candles(code: string, interval: string | undefined, from: string | undefined, to: string | undefined): Outcome {
      const holding = holdings.get(code);
      if (!holding) return { code: "ASSET_NOT_FOUND" };
      const width = INTERVALS.get(interval ?? "");
      if (width === undefined) return { code: "INVALID_INTERVAL" };
      const [start, end] = [Date.parse(from ?? ""), Date.parse(to ?? "")];
      if (Number.isNaN(start) || Number.isNaN(end)) return { code: "INVALID_TIMESTAMP" };
      if (start >= end) return { code: "INVALID_OHLC_RANGE" };
      const candles = fold(holding.rows, width, Math.ceil(start / width) * width, Math.ceil(end / width) * width);
      if (candles.length === 0) return { code: "OHLC_NOT_FOUND" };
      const { baseCode, labelEn, labelFa, quoteUnit } = holding.asset;
      const head = { code, baseCode, labelEn, labelFa, quoteUnit, interval, from: iso(start), to: iso(end) };
      return { data: { ...head, availableFrom: iso(holding.rows[0]!.time), candles }, version };
    },

    catalog(): Outcome {
      const present = Date.now();
      const assets = [...holdings.values()].map((holding) => toEntry(holding, present, now));
      return { data: { updatedAt: iso(present), staleThresholdMinutes: STALE_MINUTES, assets }, version };
    },

    error(code: ErrorCode, path: string, requestId: string) {
      const { status, message } = ERRORS[code];
      return { status, code, message, timestamp: new Date().toISOString(), path, requestId };
    },
  };
}

function toRecord({ code, labelEn, labelFa, quoteUnit }: Asset, { value, time }: Row) {
  return { code, name: code, slug: code.toLowerCase(), labelEn, labelFa, quoteUnit, value, businessTime: iso(time) };
}

function toEntry({ asset, rows }: Holding, present: number, insertTime: number) {
  const { code, baseCode, category, labelEn, labelFa, quoteUnit } = asset;
  const row = rows.at(-1);
  const time = row ? iso(row.time) : null;
  const status = row ? "AVAILABLE" : "UNAVAILABLE";
  return {
    code, baseCode, category, labelEn, labelFa, quoteUnit,
    providers: row ? ["SAMPLE"] : [], providerSupported: row !== undefined, latestValueAvailable: row !== undefined,
    latestValue: row?.value ?? null, businessTime: time, sourceTime: time, insertTime: row ? iso(insertTime) : null,
    qualityStatus: row ? "ACCEPTED" : null, qualityMessage: "", availabilityStatus: status,
    stale: !row || present - row.time > STALE_MINUTES * 60_000,
    ohlcAvailable: row !== undefined, ohlcAvailableFrom: row ? iso(rows[0]!.time) : null,
  };
}

function fold(rows: readonly Row[], width: number, from: number, to: number) {
  const present = Date.now();
  const candles = [];
  let i = firstAt(rows, from);
  while (i < rows.length && rows[i]!.time < to) {
    const start = Math.floor(rows[i]!.time / width) * width;
    const end = start + width;
    const open = rows[i]!.value;
    let [high, low, close, observationCount] = [open, open, open, 0];
    for (; i < rows.length && rows[i]!.time < end; i++) {
      close = rows[i]!.value;
      high = Math.max(high, close);
      low = Math.min(low, close);
      observationCount++;
    }
    candles.push({ start: iso(start), end: iso(end), open, high, low, close, observationCount, complete: present >= end });
  }
  return candles;
}

function firstAt(rows: readonly Row[], time: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]!.time < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function parseDate(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) || dateOf(time) !== text ? undefined : time;
}

function dateOf(time: number): string {
  return iso(time).slice(0, 10);
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

function digest(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
