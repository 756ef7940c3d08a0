import type { AssetCode, UtcMillis } from "../branded_types.ts";
import { quote } from "../http/errors.ts";
import type { AppendOutcome, Clock, MaybePromise, ObservationWriter } from "../ports.ts";
import { err, ok, type Result } from "../result.ts";
import { checkedTime, isPrintable, parseTimestamp } from "../time/timestamps.ts";
import { ASSETS, type Asset, indexAssets } from "./assets.ts";
import { MAX_PROVIDER_LENGTH, type Observation, QUALITY_STATUSES, type QualityStatus } from "./observation.ts";

/** A market record of the embedding program. Its values are checked at run time, too. */
export interface MarketRecord<Code extends string = AssetCode> {
  readonly code: Code;
  /** In the asset's quote unit: a number, or a decimal number as text. */
  readonly value: number | string;
  /** A `Date`, or ISO 8601 with `Z` or an offset. */
  readonly businessTime: Date | string;
  readonly sourceTime?: Date | string | null;
  readonly provider?: string | null;
  /** Default `ACCEPTED`. */
  readonly qualityStatus?: QualityStatus;
  readonly qualityMessage?: string;
}

/** An untrusted `MarketRecord` from outside. Texts may have blanks around them. */
export type RawRecord = { readonly [Member in keyof MarketRecord]?: unknown };

/** The outcome of a batch of records. */
export interface IngestOutcome extends AppendOutcome {
  readonly refused: readonly RejectedRecord[];
}

/** A record that was not stored: its index in the batch, and the reason. */
export interface RejectedRecord {
  readonly index: number;
  readonly reason: string;
}

/** Options of `createIngest`. */
export interface IngestOptions {
  readonly clock: Clock;
  readonly observations: Pick<ObservationWriter, "append" | "maxBatch">;
  /** The catalog. Default: the assets of the contract. */
  readonly assets?: readonly Asset[];
  /** Reviews valid records before they are stored; returns suspicious ones as `PENDING`. Default: no rule. */
  readonly rule?: (batch: readonly Observation[]) => MaybePromise<readonly Observation[]>;
}

type Catalog = ReadonlyMap<string, Asset>;

const MAX_AHEAD_MS = 5 * 60_000;
/** 1900-01-01. A date before this is probably from another calendar. */
const EARLIEST_MS = -2_208_988_800_000;
const MAX_MESSAGE_LENGTH = 500;
const DECIMAL = /^\d+(?:\.\d*)?(?:e[+-]?\d+)?$/i;
const MAX_DECIMAL_LENGTH = 400;

/**
 * Thrown if the store fails after some records were stored. `cause` is the error of the store. It is safe to ingest all
 * records again, because stored records do not change.
 */
export class IngestInterrupted extends Error {
  override readonly name = "IngestInterrupted";
  /** The number of records, counted from the first, that were stored or refused. No later record was stored. */
  readonly done: number;
  /** The outcome of the first `done` records. */
  readonly outcome: IngestOutcome;

  constructor(done: number, outcome: IngestOutcome, failed: { readonly total: number; readonly cause: unknown }) {
    const { total, cause } = failed;
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`Cannot store all ${total} records because the store failed after ${done}: ${reason}`, { cause });
    this.done = done;
    this.outcome = outcome;
  }
}

/** Thrown with `refused: "throw"` if some records were refused. All other records are stored. */
export class RecordsRefused extends Error {
  override readonly name = "RecordsRefused";
  readonly outcome: IngestOutcome;

  constructor(outcome: IngestOutcome, total: number) {
    const [first] = outcome.refused;
    super(
      `Cannot store ${outcome.refused.length} of ${total} records; the first is record ${first!.index + 1}: ${first!.reason}`,
    );
    this.outcome = outcome;
  }
}

/**
 * Checks any number of records, stores the valid ones, and reports which were refused and why.
 *
 * Stores up to `maxBatch` records as one import, and more records in chunks of that size. If the store fails at the
 * first chunk, nothing is stored, and the promise rejects with the store's error. If a later chunk fails, the promise
 * rejects with `IngestInterrupted`.
 */
export type Ingest<Rec> = (
  records: readonly Rec[],
  /** `refused: "throw"` rejects with `RecordsRefused` if a record was refused. Default `"report"`. */
  options?: { readonly refused?: "report" | "throw" },
) => Promise<IngestOutcome>;

/**
 * Makes a function that stores the embedding program's market records. The compiler checks the codes. For your own
 * assets, add their codes: `createIngest<AssetCode | "NOK_USD">(…)`. Throws `RangeError` for a catalog that has a code
 * twice, and for a `maxBatch` below one.
 */
export function createIngest<Code extends string = AssetCode>(options: IngestOptions): Ingest<MarketRecord<Code>> {
  return createIngestUnknown(options);
}

/** Makes a function that stores market records from outside, e.g. from a file. Throws like `createIngest`. */
export function createIngestUnknown({ clock, observations, assets = ASSETS, rule }: IngestOptions): Ingest<RawRecord> {
  const catalog = indexAssets(assets);
  const { maxBatch = Infinity } = observations;
  if (!(maxBatch >= 1) || maxBatch % 1 > 0)
    throw new RangeError(`Cannot ingest because maxBatch must be a whole number above zero: received "${maxBatch}"`);

  return async (records, { refused: handling = "report" } = {}) => {
    const now = checkedTime(clock());
    const refused: RejectedRecord[] = [];
    let [accepted, replaced, unchanged, kept, done] = [0, 0, 0, 0, 0];
    let batch: Observation[] = [];

    function outcomeOf(refused: readonly RejectedRecord[]): IngestOutcome {
      return { accepted, replaced, unchanged, ...(kept > 0 && { kept }), refused };
    }

    /** Stores the valid records that were collected before the index `end`. */
    async function store(end: number): Promise<void> {
      const chunk = batch;
      batch = [];
      try {
        const outcome = await observations.append(rule ? await rule(chunk) : chunk);
        accepted += outcome.accepted;
        replaced += outcome.replaced;
        unchanged += outcome.unchanged;
        kept += outcome.kept ?? 0;
      } catch (cause) {
        if (done === 0) throw cause;
        const outcome = outcomeOf(refused.filter(({ index }) => index < done));
        throw new IngestInterrupted(done, outcome, { total: records.length, cause });
      }
      done = end;
    }

    for (const [index, record] of records.entries()) {
      const checked = checkRecord(record, catalog, now);
      if (checked.ok) batch.push(checked.value);
      else refused.push({ index, reason: checked.error });
      if (batch.length === maxBatch) await store(index + 1);
    }
    if (batch.length > 0) await store(records.length);
    const outcome = outcomeOf(refused);
    if (refused.length > 0 && handling === "throw") throw new RecordsRefused(outcome, records.length);
    return outcome;
  };
}

/** Checks one record. Returns the reason as text if the record is invalid. */
export function checkRecord(record: RawRecord, catalog: Catalog, now: UtcMillis): Result<Observation, string> {
  if (typeof record !== "object" || record === null) return err("a record must be an object");
  const codeText = text(record.code);
  if (codeText === "") return err("code is missing");
  const asset = catalog.get(codeText);
  if (!asset) return err(`code ${quote(codeText)} is not in the catalog`);

  const wrong = (member: keyof RawRecord, rule: string) =>
    err(`${member} ${rule}: received ${quote(text(record[member]))}`);
  const value = readValue(record.value);
  if (value === undefined) return wrong("value", "must be a number above zero");

  const businessTime = readTime(record.businessTime);
  if (businessTime === undefined)
    return wrong("businessTime", "must be ISO 8601 with a zone, e.g. 2026-01-31T12:00:00Z");
  if (businessTime < EARLIEST_MS)
    return wrong(
      "businessTime",
      "is before 1900; years of the Jalali calendar, such as 1405, must be converted to Gregorian ones",
    );
  if (businessTime > now + MAX_AHEAD_MS) return wrong("businessTime", "is in the future");

  const sourceTime = text(record.sourceTime) === "" ? null : readTime(record.sourceTime);
  if (sourceTime === undefined) return wrong("sourceTime", "must be ISO 8601 with a zone");

  const provider = text(record.provider);
  if (provider.length > MAX_PROVIDER_LENGTH) return err(`provider has at most ${MAX_PROVIDER_LENGTH} characters`);

  const statusText = text(record.qualityStatus) || "ACCEPTED";
  const qualityStatus = QUALITY_STATUSES.find((status) => status === statusText);
  if (!qualityStatus) return wrong("qualityStatus", `is one of ${QUALITY_STATUSES.join(", ")}`);

  const qualityMessage = text(record.qualityMessage);
  if (qualityMessage.length > MAX_MESSAGE_LENGTH)
    return err(`qualityMessage has at most ${MAX_MESSAGE_LENGTH} characters`);

  const origin = { insertTime: now, provider: provider || null, qualityStatus, qualityMessage };
  return ok({ code: asset.code, value, businessTime, sourceTime, ...origin });
}

function text(value: unknown): string {
  if (typeof value === "string") return value.trim();
  if (value === undefined || value === null) return "";
  if (value instanceof Date) return String(value);
  // An object may be nested too deeply for printing.
  return typeof value === "object" ? "an object" : String(value);
}

function readValue(raw: unknown): number | undefined {
  const value = typeof raw === "number" ? raw : readDecimal(text(raw));
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : undefined;
}

function readDecimal(decimal: string): number | undefined {
  return decimal.length <= MAX_DECIMAL_LENGTH && DECIMAL.test(decimal) ? Number(decimal) : undefined;
}

function readTime(raw: unknown): UtcMillis | undefined {
  // A date that is invalid or far away could not be printed.
  if (raw instanceof Date) return isPrintable(raw.getTime()) ? (raw.getTime() as UtcMillis) : undefined;
  return typeof raw === "string" ? parseTimestamp(raw.trim())?.millis : undefined;
}
