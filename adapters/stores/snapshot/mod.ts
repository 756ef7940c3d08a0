/**
 * A read-only store for hosts without a disk: prices from one file, made by `mazaneh export --snapshot`, and accounts
 * from one document. Needs Web standards only.
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
  type Shape,
  shaped,
} from "../../../core/internal.ts";
import { type AccountBook, type Accounts, indexKeys, type Observation, type Observations } from "../../../core/mod.ts";

export { makeSnapshot } from "./snapshot_lines.ts";

/**
 * Reads records from lines of NDJSON, as written by `makeSnapshot` and `mazaneh export`, and serves them from memory.
 * The store serves only accepted records. A missing `insertTime` defaults to the business time. All instances with the
 * same file give the same answers and entity tags. Throws `TypeError` for bytes that are not UTF-8, for a file without
 * a record, and for a line that is not a record: the message has the line's number.
 */
export function openSnapshot(source: string | Uint8Array | ArrayBuffer): Observations {
  const bytes = typeof source === "string" ? new TextEncoder().encode(source) : new Uint8Array(source);
  const text = typeof source === "string" ? source : new TextDecoder("utf-8", { fatal: true }).decode(source);
  const series = createSeriesStore();
  const loader = series.createLoader();
  for (const [index, line] of text.split("\n").entries())
    if (line !== "") loader.add(observationOf(line, index + 1), index + 1);
  loader.finish();
  if (series.size === 0) throw new TypeError("Cannot open a snapshot because it has no records");
  const version = `${crc32Hex(bytes)}.${bytes.length.toString(36)}`;
  return readSide(series, () => version);
}

/**
 * Makes keys and accounts that do not change while the program runs. Throws `TypeError` for an invalid document.
 *
 * @param document The content of the store's `accounts.json`, or an `AccountBook`, as `JSON.parse` returns it.
 */
export function fixedAccounts(document: unknown): Accounts {
  const { book = document } = shaped({}, document, "accounts") as { readonly book?: unknown };
  const holders = indexKeys(parseBook(book));
  return { find: (id) => holders.get(id) };
}

const KEY = {
  id: "string",
  accountId: "string",
  digest: "string",
  createdAt: "whole",
  "expiresAt?": "whole",
  "revokedAt?": "whole",
  note: "string",
} as const;
/** Members that a key may lack. */
const SCOPE: Readonly<Record<string, Shape>> = { may: '"read"|"write"|"read,write"', codes: ["string"] };
const BOOK = {
  plans: [{ name: "string", "dailyUnits?": "whole", attributionRequired: "boolean" }],
  accounts: [{ id: "string", plan: "string", status: '"ACTIVE"|"RESTRICTED"|"DISABLED"' }],
  keys: [KEY],
} as const;

function parseBook(value: unknown): AccountBook {
  const book = shaped(BOOK, value, "book");
  for (const key of book.keys)
    shaped(Object.fromEntries(Object.entries(SCOPE).filter(([name]) => name in key)), key, "key");
  return book as unknown as AccountBook; // The cast gives the ids their branded types.
}

const DEFAULTS = { sourceTime: null, provider: null, qualityStatus: "ACCEPTED", qualityMessage: "" };

function observationOf(line: string, number: number): Observation {
  const record: Readonly<Record<string, unknown>> = { ...DEFAULTS, ...parseObject(line) };
  const { businessTime, sourceTime, insertTime = businessTime } = record;
  const observation = {
    ...record,
    businessTime: millisOf(businessTime),
    sourceTime: sourceTime === null ? null : millisOf(sourceTime),
    insertTime: millisOf(insertTime),
  } as Observation; // As `observationFault` finds.
  const fault = observationFault(observation);
  if (fault !== undefined)
    throw new TypeError(`Cannot open a snapshot because line ${number} is not a record: ${fault}`);
  return observation;
}

/** A time in milliseconds; NaN for an invalid time, which `observationFault` reports. */
function millisOf(time: unknown): number {
  return (typeof time === "string" ? parseTimestamp(time)?.millis : undefined) ?? NaN;
}
