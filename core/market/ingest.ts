import type { AssetCode, UtcMillis } from "../branded_types.ts";
import { quote } from "../http/errors.ts";
import type { AppendOutcome, Clock, MaybePromise, ObservationWriter } from "../ports.ts";
import { err, ok, type Result } from "../result.ts";
import { checkedTime } from "../time/clock.ts";
import { isPrintable, parseTimestamp } from "../time/timestamps.ts";
import { ASSETS, type Asset, indexAssets } from "./assets.ts";
import { MAX_PROVIDER_LENGTH, type Observation, QUALITY_STATUSES, type QualityStatus } from "./observation.ts";

/** A market record of the program's own. Its values are checked all the same. */
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

/** A market record as it comes from outside: nothing of it is trusted. Texts may have blanks around them. */
export interface RawRecord {
  readonly code?: unknown;
  /** A number, or a decimal number as text. */
  readonly value?: unknown;
  /** A `Date`, or ISO 8601 with `Z` or an offset. */
  readonly businessTime?: unknown;
  readonly sourceTime?: unknown;
  readonly provider?: unknown;
  readonly qualityStatus?: unknown;
  readonly qualityMessage?: unknown;
}

/** What became of a batch of records. */
export interface IngestOutcome extends AppendOutcome {
  readonly refused: readonly RejectedRecord[];
}

/** A record that was not stored: its place in the batch, and why. */
export interface RejectedRecord {
  readonly index: number;
  readonly reason: string;
}

/** What ingestion needs. */
export interface IngestOptions {
  readonly clock: Clock;
  readonly observations: Pick<ObservationWriter, "append" | "maxBatch">;
  /** The catalog. Default: the assets of the contract. */
  readonly assets?: readonly Asset[];
  /**
   * Judges records that passed all checks, before they are stored: returns them, those that look wrong as `PENDING`.
   * Default: all are stored as they are.
   */
  readonly rule?: (batch: readonly Observation[]) => MaybePromise<readonly Observation[]>;
}

const MAX_AHEAD_MS = 5 * 60_000;
/** 1900-01-01. What is dated earlier was dated by another calendar. */
const EARLIEST_MS = -2_208_988_800_000;
const MAX_MESSAGE_LENGTH = 500;
const DECIMAL = /^\d+(?:\.\d*)?(?:e[+-]?\d+)?$/i;
const MAX_DECIMAL_LENGTH = 400;

/**
 * Thrown when the store fails after a part of the records has been stored. `cause` is what the store has thrown.
 * Ingesting all records again is safe: stored ones are found unchanged.
 */
export class IngestInterrupted extends Error {
  override readonly name = "IngestInterrupted";
  /** How many records, from the first, were stored or refused. None after them was stored. */
  readonly done: number;
  /** The outcome of those records. */
  readonly outcome: IngestOutcome;

  constructor(
    done: number,
    outcome: IngestOutcome,
    { total, cause }: { readonly total: number; readonly cause: unknown },
  ) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`Cannot store records from ${done} on of ${total} as the store has failed: ${reason}`, { cause });
    this.done = done;
    this.outcome = outcome;
  }
}

/** Thrown where refused records are to be an error. The others are stored. */
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
 * Stores records, any number of them: checks each, stores the good ones, and tells which were refused and why. A bad
 * record never holds up the others.
 *
 * Up to the store's `maxBatch` records are stored as one import. More are stored in chunks of that size, one after the
 * other: when the store fails at the first chunk, the promise rejects with the store's error and nothing is stored;
 * when it fails at a later one, it rejects with `IngestInterrupted`, and the chunks before stay stored.
 */
export type Ingest<Rec> = (
  records: readonly Rec[],
  /** `refused: "throw"` rejects with `RecordsRefused` if a record was refused, after the others were stored. Default `"report"`. */
  options?: { readonly refused?: "report" | "throw" },
) => Promise<IngestOutcome>;

/**
 * Makes the way in for a program's own market records, whose codes the compiler checks.
 *
 * In an outage of the store it rejects with `Unavailable`, as `observations.append` does.
 *
 * If the catalog has other assets, name their codes, as for `createPrices`: `createIngest<AssetCode | "NOK_USD">(…)`.
 *
 * @throws RangeError for a catalog with a code twice, or a `maxBatch` below one.
 */
export function createIngest<Code extends string = AssetCode>(options: IngestOptions): Ingest<MarketRecord<Code>> {
  return createIngestUnknown(options);
}

/** Makes the way in for market records from outside, e.g. from a file or a message. Throws as `createIngest` does. */
export function createIngestUnknown({ clock, observations, assets = ASSETS, rule }: IngestOptions): Ingest<RawRecord> {
  const catalog = indexAssets(assets);
  const { maxBatch = Infinity } = observations;
  if (!(maxBatch >= 1) || maxBatch % 1 > 0)
    throw new RangeError(`Cannot ingest as maxBatch must be a whole number above zero: received "${maxBatch}"`);

  return async (records, { refused: handling = "report" } = {}) => {
    const now = checkedTime(clock());
    const refused: RejectedRecord[] = [];
    let [accepted, replaced, unchanged, kept, done] = [0, 0, 0, 0, 0];
    let batch: Observation[] = [];

    function outcomeOf(refused: readonly RejectedRecord[]): IngestOutcome {
      return { accepted, replaced, unchanged, ...(kept > 0 && { kept }), refused };
    }

    /** Stores what was gathered from the records up to `end`. */
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

/** Checks one record; the failure is the reason in words. */
export function checkRecord(
  record: RawRecord,
  catalog: ReadonlyMap<string, Asset>,
  now: UtcMillis,
): Result<Observation, string> {
  if (typeof record !== "object" || record === null) return err("a record must be an object");
  const codeText = text(record.code);
  if (codeText === "") return err("code is missing");
  const asset = catalog.get(codeText);
  if (!asset) return err(`code ${quote(codeText)} is not in the catalog`);

  const value = readValue(record.value);
  if (value === undefined) return err(`value must be a number above zero: received ${quote(text(record.value))}`);

  const businessTime = readTime(record.businessTime);
  if (businessTime === undefined)
    return err(
      `businessTime must be ISO 8601 with a zone, e.g. 2026-01-31T12:00:00Z: received ${quote(text(record.businessTime))}`,
    );
  if (businessTime < EARLIEST_MS)
    return err(
      `businessTime is before 1900; years of the Jalali calendar, such as 1405, must be converted to Gregorian ones: received ${quote(text(record.businessTime))}`,
    );
  if (businessTime > now + MAX_AHEAD_MS)
    return err(`businessTime is in the future: received ${quote(text(record.businessTime))}`);

  const hasSourceTime = text(record.sourceTime) !== "";
  const sourceTime = hasSourceTime ? readTime(record.sourceTime) : null;
  if (sourceTime === undefined)
    return err(`sourceTime must be ISO 8601 with a zone: received ${quote(text(record.sourceTime))}`);

  const provider = text(record.provider);
  if (provider.length > MAX_PROVIDER_LENGTH) return err(`provider has at most ${MAX_PROVIDER_LENGTH} characters`);

  const statusText = text(record.qualityStatus) || "ACCEPTED";
  const qualityStatus = QUALITY_STATUSES.find((status) => status === statusText);
  if (!qualityStatus)
    return err(`qualityStatus is one of ${QUALITY_STATUSES.join(", ")}: received ${quote(statusText)}`);

  const qualityMessage = text(record.qualityMessage);
  if (qualityMessage.length > MAX_MESSAGE_LENGTH)
    return err(`qualityMessage has at most ${MAX_MESSAGE_LENGTH} characters`);

  return ok({
    code: asset.code,
    value,
    businessTime,
    sourceTime,
    insertTime: now,
    provider: provider || null,
    qualityStatus,
    qualityMessage,
  });
}

function text(value: unknown): string {
  if (typeof value === "string") return value.trim();
  if (value === undefined || value === null) return "";
  if (value instanceof Date) return String(value);
  // An object can be nested too deep to be printed.
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
  // The text of an invalid or a far-off date is no timestamp.
  if (raw instanceof Date) return isPrintable(raw.getTime()) ? (raw.getTime() as UtcMillis) : undefined;
  return typeof raw === "string" ? parseTimestamp(raw.trim())?.millis : undefined;
}
