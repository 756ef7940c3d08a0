import { crc32Hex } from "../../core/internal.ts";
import type { AssetCode, Observation, ObservationWriter, Observations, UtcMillis } from "../../core/mod.ts";

/** The first line of a snapshot. */
export interface SnapshotHead {
  readonly kind: typeof SNAPSHOT_KIND;
  readonly schema: typeof SNAPSHOT_SCHEMA;
  /** Identifies the state of all data. */
  readonly version: string;
  /** One for each line that follows, in the same order. */
  readonly assets: readonly AssetSummary[];
  /** CRC-32 of the text before this member and of the lines that follow. */
  readonly crc32: string;
}

/** What is known of an asset without its columns. */
export interface AssetSummary {
  /** Identifies the state of the asset's data. */
  readonly version: string;
  readonly records: number;
  readonly latest: Observation;
  readonly availableFrom: UtcMillis;
  readonly providers: readonly string[];
}

/** A run-length encoded column: a value and the number of successive rows that have it, the next value and its number, and so on. */
export type Runs = readonly (number | null)[];

/** A line of a snapshot: the accepted records of one asset as columns, ascending by business time. */
export interface SnapshotColumns {
  /** Each business time less the previous one. */
  readonly times: Runs;
  readonly values: readonly number[];
  /** Each source time less the row's business time; `null` for none. */
  readonly sources: Runs;
  /** Each insert time less the previous one. */
  readonly inserts: Runs;
  /** Indexes in the summary's `providers`; `null` for none. */
  readonly providers: Runs;
  /** Quality messages that are not empty, by row. */
  readonly remarks: Readonly<Record<string, string>>;
}

export const SNAPSHOT_KIND = "mazaneh-snapshot";
export const SNAPSHOT_SCHEMA = 1;

/**
 * Writes the accepted records of a store as one text for `openSnapshot`: a line of JSON that describes all
 * assets, then a line for each of them. The same data gives the same text, in ASCII.
 *
 * @param records As `ObservationWriter.records` returns them: those of one asset ascending by business time.
 * @param version As `Observations.version`. It is called before the records are read, so that a change
 * meanwhile can make the version too old, and never too new.
 */
export async function makeSnapshot(
  records: ReturnType<ObservationWriter["records"]>,
  version: Observations["version"],
): Promise<string> {
  const stateOfAll = await version();
  const rows = new Map<AssetCode, { readonly version: string; readonly observations: Observation[] }>();
  for await (const observation of records) {
    if (observation.qualityStatus !== "ACCEPTED") continue;
    const { code } = observation;
    let asset = rows.get(code);
    if (!asset) rows.set(code, (asset = { version: await version([code]), observations: [] }));
    asset.observations.push(observation);
  }
  const assets: AssetSummary[] = [];
  const lines: string[] = [];
  for (const { version, observations } of rows.values()) {
    const providers = [...new Set(observations.flatMap(({ provider }) => provider ?? []))].sort();
    const [first, latest] = [observations[0]!, observations.at(-1)!];
    assets.push({ version, records: observations.length, latest, availableFrom: first.businessTime, providers });
    lines.push(`${ascii(columnsOf(observations, providers))}\n`);
  }
  const head = { kind: SNAPSHOT_KIND, schema: SNAPSHOT_SCHEMA, version: stateOfAll, assets } satisfies Omit<SnapshotHead, "crc32">;
  return sealed(ascii(head).slice(0, -1), lines.join(""));
}

/** The checksum of a snapshot: of its first line up to the member `crc32`, and of the lines that follow. */
export function snapshotChecksum(head: string, body: string): string {
  return crc32Hex(`${head}\n${body}`);
}

function sealed(head: string, body: string): string {
  return `${head},"crc32":"${snapshotChecksum(head, body)}"}\n${body}`;
}

function columnsOf(observations: readonly Observation[], providers: readonly string[]): SnapshotColumns {
  const remarks = observations.flatMap(({ qualityMessage }, row) => (qualityMessage === "" ? [] : [[String(row), qualityMessage] as const]));
  return {
    times: runs(steps(observations.map(({ businessTime }) => businessTime))),
    values: observations.map(({ value }) => value),
    sources: runs(observations.map(({ sourceTime, businessTime }) => (sourceTime === null ? null : sourceTime - businessTime))),
    inserts: runs(steps(observations.map(({ insertTime }) => insertTime))),
    providers: runs(observations.map(({ provider }) => (provider === null ? null : providers.indexOf(provider)))),
    remarks: Object.fromEntries(remarks),
  };
}

function steps(numbers: readonly number[]): number[] {
  return numbers.map((number, at) => number - (numbers[at - 1] ?? 0));
}

function runs(numbers: readonly (number | null)[]): Runs {
  const made: (number | null)[] = [];
  let count = 0;
  for (const [at, number] of numbers.entries()) {
    count++;
    if (at + 1 < numbers.length && numbers[at + 1] === number) continue;
    made.push(number, count);
    count = 0;
  }
  return made;
}

/** JSON in ASCII: bytes and characters are the same, whatever encoding a host assumes. */
function ascii(value: unknown): string {
  return JSON.stringify(value).replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
