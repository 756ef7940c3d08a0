/**
 * A read-only store for hosts without a disk: prices from one file, which `mazaneh export --snapshot` makes,
 * and accounts from one document. Needs Web standards only.
 *
 * @module
 */
import {
  crc32Hex,
  createSeriesStore,
  observationFault,
  parseObject,
  parseTimestamp,
  readSide,
} from "../../../core/internal.ts";
import { type Accounts, indexKeys, type Observation, type Observations } from "../../../core/mod.ts";
import { objectOf, parseBook } from "../shared/parse_accounts.ts";

export { makeSnapshot } from "./snapshot_lines.ts";

/**
 * Reads records, a line of NDJSON each, as `makeSnapshot` and `mazaneh export` write them, and serves them from memory.
 * Only accepted ones are public. Without an `insertTime`, the business time stands for it. All instances that open the same
 * file give the same answers under the same entity tags.
 *
 * @throws TypeError, with the number of the line, for a line that is no record; also for a file without a record, and for
 * bytes that are not UTF-8.
 */
export function openSnapshot(source: string | Uint8Array | ArrayBuffer): Observations {
  const bytes = typeof source === "string" ? new TextEncoder().encode(source) : new Uint8Array(source);
  const text = typeof source === "string" ? source : new TextDecoder("utf-8", { fatal: true }).decode(source);
  const series = createSeriesStore();
  const loader = series.createLoader();
  for (const [index, line] of text.split("\n").entries())
    if (line !== "") loader.add(observationOf(line, index + 1), index + 1);
  loader.finish();
  if (series.size === 0) throw new TypeError("Cannot open a snapshot as it must have a record");
  const version = `${crc32Hex(bytes)}.${bytes.length.toString(36)}`;
  return readSide(series, () => version);
}

/**
 * Keys and accounts that do not change while the program runs.
 *
 * @param document The content of the store's `accounts.json`, or an `AccountBook`, as `JSON.parse` returns it.
 * @throws TypeError for anything else.
 */
export function fixedAccounts(document: unknown): Accounts {
  const { book = document } = objectOf(document, "accounts");
  const holders = indexKeys(parseBook(book));
  return { find: (id) => holders.get(id) };
}

function observationOf(line: string, number: number): Observation {
  const record = (parseObject(line) ?? {}) as Readonly<Record<string, unknown>>;
  const {
    code,
    value,
    businessTime,
    sourceTime = null,
    insertTime = businessTime,
    provider = null,
    qualityStatus = "ACCEPTED",
    qualityMessage = "",
  } = record;
  const observation = {
    ...{ code, value, provider, qualityStatus, qualityMessage },
    businessTime: millisOf(businessTime),
    sourceTime: sourceTime === null ? null : millisOf(sourceTime),
    insertTime: millisOf(insertTime),
  } as Observation; // As `observationFault` finds.
  const fault = observationFault(observation);
  if (fault !== undefined) throw new TypeError(`Cannot open a snapshot as line ${number} is no record: ${fault}`);
  return observation;
}

/** A time in milliseconds; what is none of the usual form is no number, which `observationFault` finds. */
function millisOf(time: unknown): number {
  return (typeof time === "string" ? parseTimestamp(time)?.millis : undefined) ?? NaN;
}
