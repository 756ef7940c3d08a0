import { crc32Hex } from "../../core/internal.ts";
import type { AssetCode, Observation, ObservationWriter, Observations, UtcMillis } from "../../core/mod.ts";

/** The members of a snapshot's first line. */
export interface SnapshotHead {
  readonly kind: typeof SNAPSHOT_KIND;
  readonly schema: typeof SNAPSHOT_SCHEMA;
  /** Names the state of all data. */
  readonly version: string;
  /** One for each line that follows, in their order. */
  readonly assets: readonly AssetSummary[];
  /** CRC-32 of all that stands before this member and after this line. */
  readonly crc32: string;
}

/** What can be told of an asset without its columns. */
export interface AssetSummary {
  /** Names the state of the asset's data. */
  readonly version: string;
  readonly records: number;
  readonly latest: Observation;
  readonly availableFrom: UtcMillis;
  readonly providers: readonly string[];
}

/** One value and how many rows in turn have it, the next value and its count, and so on. */
export type Runs = readonly (number | null)[];

/** A line of a snapshot: the accepted records of one asset as columns, ascending by business time. */
export interface AssetColumns {
  /** Each business time less the one before it. */
  readonly times: Runs;
  readonly values: readonly number[];
  /** Each source time less the row's business time; `null` for none. */
  readonly sources: Runs;
  /** Each insert time less the one before it. */
  readonly inserts: Runs;
  /** Places in the summary's `providers`; `null` for none. */
  readonly providers: Runs;
  /** Remarks that are not empty, by row. */
  readonly remarks: Readonly<Record<string, string>>;
}

export const SNAPSHOT_KIND = "mazaneh-snapshot";
export const SNAPSHOT_SCHEMA = 1;

/**
 * Writes the accepted ones of a store's records down as one text, for `openSnapshot`: a line of JSON that
 * tells of all assets, then a line for each of them. The same data makes the same text, in plain ASCII.
 *
 * @param records As `ObservationWriter.records` gives them: those of one asset ascending by business time.
 * @param version As `Observations.version`; asked before the records it speaks of are read, so that a
 * change meanwhile can make the name too old, and never too new.
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
    if (!asset) rows.set(code, (asset = { version: await version(code), observations: [] }));
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

/** The checksum of a snapshot, of its first line up to the member that holds it, and of what follows that line. */
export function snapshotChecksum(head: string, body: string): string {
  return crc32Hex(`${head}\n${body}`);
}

function sealed(head: string, body: string): string {
  return `${head},"crc32":"${snapshotChecksum(head, body)}"}\n${body}`;
}

function columnsOf(observations: readonly Observation[], providers: readonly string[]): AssetColumns {
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

/** JSON in ASCII, so that bytes and characters are the same, and every host can carry it. */
function ascii(value: unknown): string {
  return JSON.stringify(value).replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
