import { DAY_MS, formatTimestamp } from "../../../core/internal.ts";
import type { Asset, QualityStatus, UtcMillis } from "../../../core/mod.ts";
import type { MarketReader } from "../../store/engine.ts";
import { printable } from "../failure.ts";
import { fitColumns, formatCount, timestampOrNull } from "../table.ts";
import type { Cell } from "../table.ts";
import { factorOf, recordsOf } from "./asset_facts.ts";
import type { AssetFacts } from "./asset_facts.ts";
import { formatChange } from "../change_text.ts";
import { formatBytes, formatValue } from "./price_text.ts";

/** What `info` has found. */
export interface StoreFacts extends Pick<MarketReader, "storeId" | "damages" | "torn"> {
  /** Where it is: the absolute path of a directory, or the name of a database. */
  readonly place: { readonly directory: string } | { readonly store: string };
  /** In the order of the catalog, then codes that it does not have. */
  readonly assets: readonly AssetFacts[];
  readonly catalog: ReadonlyMap<string, Asset>;
  /** Bytes by part, in the order in which they are shown. */
  readonly disk: Readonly<Record<string, number>>;
  readonly gapDays: number;
}

/** A change by this factor from one record to the next is more often a wrong unit than a price. */
const SUSPECT_FACTOR = 5;

/** The facts for machines. */
export function infoJson({ place, storeId, assets, catalog, disk, gapDays, damages, torn }: StoreFacts): object {
  const { records, counts, providers, first, last } = total(assets);
  const listed = assets.map((facts) => ({
    code: facts.code,
    inCatalog: catalog.has(facts.code),
    records: recordsOf(facts),
    quality: facts.counts,
    first: timestampOrNull(facts.first),
    last: timestampOrNull(facts.last),
    providers: providersJson(facts.providers),
    gaps: facts.gaps,
    longestGap: facts.longestGap && { from: formatTimestamp(facts.longestGap.from), to: formatTimestamp(facts.longestGap.to) },
    largestJump: facts.largestJump && { ...facts.largestJump, at: formatTimestamp(facts.largestJump.at), factor: factorOf(facts.largestJump) },
  }));
  return {
    ...{ ...place, storeId, records, quality: counts, first: timestampOrNull(first), last: timestampOrNull(last) },
    ...{ providers: providersJson(providers), gapDays, assets: listed },
    disk: { total: diskTotal(disk), ...disk },
    damages,
    incompleteWrites: torn,
  };
}

/** The facts as text for a terminal with this many columns. */
export function infoText(facts: StoreFacts, columns: number | undefined): string {
  const { place, storeId, assets, catalog, disk, gapDays, damages, torn } = facts;
  const { records, counts, providers, first, last } = total(assets);
  const parts = Object.entries(disk).filter(([, bytes]) => bytes > 0).map(([part, bytes]) => `${part} ${formatBytes(bytes)}`);
  const unknown = assets.filter(({ code }) => !catalog.has(code)).length;
  const suspects = assets.filter(({ largestJump }) => largestJump && factorOf(largestJump) >= SUSPECT_FACTOR).map(({ code }) => code);
  const lines = [
    "directory" in place ? `Directory  ${place.directory}  (store ${storeId})` : `Store      ${place.store}  (store ${storeId})`,
    `Records    ${formatCount(records)} of ${formatCount(assets.length)} assets${first === null ? "" : `, ${day(first)} to ${day(last)} (UTC)`}`,
    `Quality    ${(Object.keys(counts) as QualityStatus[]).map((status) => `${formatCount(counts[status])} ${status}`).join(", ")}`,
    `Providers  ${[...providers].map(([name, count]) => `${name ?? "(none named)"} ${formatCount(count)}`).join(", ") || "-"}`,
    ...(suspects.length > 0 ? [`Jumps      by a factor of ${SUSPECT_FACTOR} or more, such as toman among rial: ${suspects.join(", ")}`] : []),
    `Disk       ${formatBytes(diskTotal(disk))}: ${parts.join(", ")}`,
    `Damage     ${damages.length === 0 ? "none in the records; verify checks every file" : `unreadable places in the records: ${formatCount(damages.length)}; verify lists them`}`,
    ...(torn.length > 0 ? ["           the last write is incomplete, or just being made"] : []),
  ];
  if (assets.length === 0) return `${lines.map(printable).join("\n")}\n`;
  const heading = ["code", "records", "first (UTC)", "last (UTC)", "largest jump", `gaps > ${gapDays} d`, "longest gap", "providers", ""];
  const { text, hidden } = fitColumns(heading, assets.map((one) => row(one, catalog.get(one.code))), columns);
  const notes = [
    ...(hidden.length > 0 ? [`Left out, as the terminal is narrow: ${hidden.filter((name) => name !== "").join(", ")}. --json has all.`] : []),
    ...(unknown > 0 ? [`Codes in parentheses are not in the catalog: ${formatCount(unknown)}. They are kept and not served.`] : []),
  ];
  return `${[...lines.map(printable), "", ...text, ...(notes.length > 0 ? ["", ...notes] : [])].join("\n")}\n`;
}

function row(facts: AssetFacts, asset: Asset | undefined): Cell[] {
  const { code, first, last, gaps, longestGap, largestJump, providers } = facts;
  return [
    asset ? code : `(${code})`,
    recordsOf(facts),
    day(first),
    day(last),
    largestJump ? `${formatChange({ from: largestJump.before, to: largestJump.after })} on ${day(largestJump.at)}, to ${formatValue(largestJump.after)} ${asset?.quoteUnit ?? ""}`.trimEnd() : "-",
    gaps,
    longestGap ? `${formatCount(Math.floor((longestGap.to - longestGap.from) / DAY_MS))} days from ${day(longestGap.from)}` : "-",
    [...providers.keys()].map((name) => name ?? "-").join(", "),
    asset?.labelFa.split(" / ")[0] ?? "", // last, as terminals differ in how wide they show it
  ];
}

function total(assets: readonly AssetFacts[]) {
  const counts: Record<QualityStatus, number> = { ACCEPTED: 0, PENDING: 0, REJECTED: 0 };
  const providers = new Map<string | null, number>();
  for (const facts of assets) {
    for (const status of Object.keys(counts) as QualityStatus[]) counts[status] += facts.counts[status];
    for (const [name, count] of facts.providers) providers.set(name, (providers.get(name) ?? 0) + count);
  }
  const known = assets.filter(({ first }) => first !== null);
  const first = known.length > 0 ? (Math.min(...known.map((facts) => facts.first!)) as UtcMillis) : null;
  const last = known.length > 0 ? (Math.max(...known.map((facts) => facts.last!)) as UtcMillis) : null;
  return { records: recordsOf({ counts }), counts, providers, first, last };
}

function providersJson(providers: ReadonlyMap<string | null, number>): object[] {
  return [...providers].map(([provider, records]) => ({ provider, records }));
}

function diskTotal(disk: StoreFacts["disk"]): number {
  return Object.values(disk).reduce((sum, bytes) => sum + bytes, 0);
}

function day(time: UtcMillis | null): string {
  return time === null ? "-" : formatTimestamp(time).slice(0, 10);
}
