/**
 * A read-only store for hosts without a disk: prices from one file, which `mazaneh export --snapshot` makes,
 * and accounts from one document. Needs Web standards only.
 *
 * @module
 */
import { createSeriesStore } from "../../core/internal.ts";
import { indexKeys } from "../../core/mod.ts";
import type { Accounts, AssetCode, Observation, Observations, UtcMillis } from "../../core/mod.ts";
import { objectOf, parseBook } from "../json_files/parse_accounts.ts";
import { snapshotChecksum } from "./make.ts";
import type { AssetSummary, Runs, SnapshotColumns, SnapshotHead } from "./make.ts";
import { parseColumns, parseHead } from "./parse.ts";
export { makeSnapshot } from "./make.ts";

/** An asset of a snapshot. */
interface SnapshotAsset {
  readonly summary: AssetSummary;
  /** The line with its columns, until they are loaded. */
  line: string | undefined;
}

/**
 * Opens a snapshot that `makeSnapshot` made. Latest values and the catalog come from its first line. The
 * columns of an asset are parsed and checked once, when they are first needed, so that opening costs little more than
 * the checksum.
 *
 * @throws TypeError for what is no snapshot, RangeError for one of a later version of this package,
 * Error for a damaged one.
 */
export function openSnapshot(source: string | Uint8Array | ArrayBuffer): Observations {
  // A byte order mark is no part of a snapshot.
  const text = typeof source === "string" ? source : new TextDecoder("utf-8", { ignoreBOM: true }).decode(source);
  const { head, lines } = parseSnapshot(text);
  const assets = new Map<AssetCode, SnapshotAsset>(head.assets.map((summary, at) => [summary.latest.code, { summary, line: lines[at] }]));
  const market = createSeriesStore();

  /** Puts the asset's records into the market, unless they are there. */
  function load(code: AssetCode): void {
    const asset = assets.get(code);
    if (asset?.line === undefined) return;
    const { line, summary } = asset;
    market.putAll([...observationsOf(summary, parseColumns(line, summary))], 1);
    asset.line = undefined;
  }

  function version(codes?: readonly AssetCode[]): string {
    const one = codes?.length === 1 ? assets.get(codes[0]!) : undefined;
    return one?.summary.version ?? head.version;
  }

  return {
    latest: (codes) => ({ version: version(codes), value: codes.map((code) => assets.get(code)?.summary.latest) }),
    coverage: (codes) => ({ version: version(codes), value: codes.map((code) => assets.get(code)?.summary) }),
    lastOfEach(code, edges) {
      load(code);
      return { version: version([code]), value: market.lastOfEach(code, edges) };
    },
    candles(code, window, widthMs) {
      load(code);
      return { version: version([code]), value: market.candles(code, window, widthMs) };
    },
    version,
  };
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

function parseSnapshot(text: string): { head: SnapshotHead; lines: readonly string[] } {
  // Else a changed character could pass: the checksum is one of bytes, and sees only the low byte of a character.
  const other = /[^\x00-\x7f]/.exec(text)?.[0];
  if (other !== undefined) throw new Error(`Cannot open a snapshot as it is damaged: it must be ASCII, and holds "${other}"`);
  const end = text.indexOf("\n");
  const first = text.slice(0, end);
  const head = parseHead(first);
  const body = text.slice(end + 1);
  const found = snapshotChecksum(first.slice(0, first.lastIndexOf(',"crc32":')), body);
  if (found !== head.crc32) throw new Error(`Cannot open a snapshot as it is damaged: its checksum is "${found}" and must be "${head.crc32}"`);
  const lines = body.split("\n");
  // A line feed ends the last one, too.
  if (lines.length !== head.assets.length + 1) throw new TypeError(`Cannot open a snapshot as it must have a line for each asset: received "${lines.length - 1}"`);
  return { head, lines };
}

function* observationsOf({ latest, providers: names }: AssetSummary, columns: SnapshotColumns): Generator<Observation> {
  const [times, sources, inserts, providers] = [columns.times, columns.sources, columns.inserts, columns.providers].map(rowsOf) as [RowReader, RowReader, RowReader, RowReader];
  let [businessTime, insertTime] = [0, 0];
  for (const [row, value] of columns.values.entries()) {
    businessTime += times() ?? 0;
    insertTime += inserts() ?? 0;
    const [source, provider] = [sources(), providers()];
    yield {
      code: latest.code,
      value,
      businessTime: businessTime as UtcMillis,
      sourceTime: source === null ? null : ((businessTime + source) as UtcMillis),
      insertTime: insertTime as UtcMillis,
      provider: provider === null ? null : names[provider]!,
      qualityStatus: "ACCEPTED",
      qualityMessage: columns.remarks[row] ?? "",
    };
  }
}

/** Returns the rows of a run-length encoded column, one with each call. */
type RowReader = () => number | null;

function rowsOf(runs: Runs): RowReader {
  let at = 0;
  let left = runs[1] ?? 0;
  return () => {
    if (left === 0) {
      at += 2;
      left = runs[at + 1]!;
    }
    left--;
    return runs[at]!;
  };
}
