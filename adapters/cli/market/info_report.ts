import { DAY_MS, formatTimestamp } from "../../../core/internal.ts";
import type { Asset, QualityStatus, UtcMillis } from "../../../core/mod.ts";
import type { MarketReader } from "../../stores/shared/engine.ts";
import { printable } from "../command_failure.ts";
import { formatChange } from "../describe_value_changes.ts";
import { type Cell, countOf, fitColumns, formatCount, timestampOrNull } from "../text_table.ts";
import { type AssetFacts, factorOf, GAP_DAYS, recordsOf } from "./asset_facts.ts";

/** The facts that `info` shows. */
export interface StoreFacts extends Pick<MarketReader, "storeId" | "damages"> {
  /** The absolute path of the directory, or the name of the database. */
  readonly place: { readonly directory: string } | { readonly store: string };
  /** In the order of the catalog. Codes that are not in the catalog are last. */
  readonly assets: readonly AssetFacts[];
  readonly catalog: ReadonlyMap<string, Asset>;
  /** Bytes by part, in the order in which they are shown. */
  readonly disk: Readonly<Record<string, number>>;
}

/** If a value changes by this factor from one record to the next, one of the two probably has the wrong unit. */
const SUSPECT_FACTOR = 5;

/** The facts for machines. */
export function infoJson({ place, storeId, assets, catalog, disk, damages }: StoreFacts): object {
  const listed = assets.map(({ code, counts, first, last, providers, gaps, longestGap, largestJump }) => ({
    ...{ code, inCatalog: catalog.has(code), records: recordsOf({ counts }), quality: counts },
    ...{ first: timestampOrNull(first), last: timestampOrNull(last), providers: providersJson(providers), gaps },
    longestGap: longestGap && { from: formatTimestamp(longestGap.from), to: formatTimestamp(longestGap.to) },
    largestJump: largestJump && { ...largestJump, at: formatTimestamp(largestJump.at), factor: factorOf(largestJump) },
  }));
  const { counts, providers, first, last } = total(assets);
  return {
    ...place,
    storeId,
    records: recordsOf({ counts }),
    quality: counts,
    first: timestampOrNull(first),
    last: timestampOrNull(last),
    providers: providersJson(providers),
    gapDays: GAP_DAYS,
    assets: listed,
    disk: { total: diskTotal(disk), ...disk },
    damages,
  };
}

/** The facts as text for a terminal with this many columns. */
export function infoText({ place, storeId, assets, catalog, disk, damages }: StoreFacts, columns?: number): string {
  const { counts, providers, first, last } = total(assets);
  const parts = Object.entries(disk)
    .filter(([, bytes]) => bytes > 0)
    .map(([part, bytes]) => `${part} ${formatBytes(bytes)}`);
  const unknown = assets.filter(({ code }) => !catalog.has(code)).length;
  const suspects = assets.filter(({ largestJump }) => largestJump && factorOf(largestJump) >= SUSPECT_FACTOR);
  const span = first === null ? "" : `, ${day(first)} to ${day(last)} (UTC)`;
  const quality = Object.entries(counts).map(([status, count]) => `${formatCount(count)} ${status}`);
  const named = [...providers].map(([name, count]) => `${name ?? "(none named)"} ${formatCount(count)}`);
  const unreadable = `unreadable places in the records: ${formatCount(damages.length)}; see mazaneh verify`;
  const [kind, name] = "directory" in place ? ["Directory  ", place.directory] : ["Store      ", place.store];
  const lines = [
    `${kind}${name}  (store ${storeId})`,
    `Records    ${formatCount(recordsOf({ counts }))} of ${countOf(assets.length, "asset")}${span}`,
    `Quality    ${quality.join(", ")}`,
    `Providers  ${named.join(", ") || "-"}`,
  ];
  if (suspects.length > 0) {
    const codes = suspects.map(({ code }) => code).join(", ");
    lines.push(`Jumps      by a factor of ${SUSPECT_FACTOR} or more, such as toman values among rial values: ${codes}`);
  }
  lines.push(`Disk       ${formatBytes(diskTotal(disk))}: ${parts.join(", ")}`);
  lines.push(`Damage     ${damages.length === 0 ? "none in records; mazaneh verify checks all files" : unreadable}`);
  if (assets.length > 0) {
    const heading = ["code", "records", "first (UTC)", "last (UTC)", "largest jump", `gaps > ${GAP_DAYS} d`];
    heading.push("longest gap", "providers", "");
    const rows = assets.map((one) => row(one, catalog.get(one.code)));
    const { text, hidden } = fitColumns(heading, rows, columns);
    const names = hidden.filter((name) => name !== "").join(", ");
    lines.push("", ...text);
    if (hidden.length > 0) lines.push("", `Left out, as the terminal is narrow: ${names}. --json has all.`);
    if (unknown > 0)
      lines.push("", `Codes in parentheses are not in the catalog: ${unknown}. They are kept, but not served.`);
  }
  return `${lines.map(printable).join("\n")}\n`;
}

function row(facts: AssetFacts, asset: Asset | undefined): Cell[] {
  const { code, first, last, gaps, longestGap, largestJump, providers } = facts;
  let [jump, gap] = ["-", "-"];
  if (largestJump) {
    const { before, after, at } = largestJump;
    const unit = asset ? ` ${asset.quoteUnit}` : "";
    jump = `${formatChange({ from: before, to: after })} on ${day(at)}, to ${formatCount(after)}${unit}`;
  }
  if (longestGap) {
    const days = Math.floor((longestGap.to - longestGap.from) / DAY_MS);
    gap = `${formatCount(days)} days from ${day(longestGap.from)}`;
  }
  return [
    asset ? code : `(${code})`,
    recordsOf(facts),
    day(first),
    day(last),
    jump,
    gaps,
    gap,
    [...providers.keys()].map((name) => name ?? "-").join(", "),
    asset?.labelFa.split(" / ")[0] ?? "", // the last column, as terminals differ in the width of Persian text
  ];
}

function total(assets: readonly AssetFacts[]): Pick<AssetFacts, "counts" | "providers" | "first" | "last"> {
  const counts: Record<QualityStatus, number> = { ACCEPTED: 0, PENDING: 0, REJECTED: 0 };
  const providers = new Map<string | null, number>();
  for (const facts of assets) {
    for (const status of Object.keys(counts) as QualityStatus[]) counts[status] += facts.counts[status];
    for (const [name, count] of facts.providers) providers.set(name, (providers.get(name) ?? 0) + count);
  }
  const times = assets
    .flatMap(({ first, last }) => (first === null || last === null ? [] : [first, last]))
    .sort((one, other) => one - other);
  return { counts, providers, first: times[0] ?? null, last: times.at(-1) ?? null };
}

function providersJson(providers: ReadonlyMap<string | null, number>): object[] {
  return [...providers].map(([provider, records]) => ({ provider, records }));
}

function diskTotal(disk: StoreFacts["disk"]): number {
  return Object.values(disk).reduce((sum, bytes) => sum + bytes, 0);
}

/** A length in bytes for people, such as `87.2 MB`. */
function formatBytes(bytes: number): string {
  const steps = [
    ["GB", 1e9],
    ["MB", 1e6],
    ["kB", 1e3],
  ] as const;
  const [unit, size] = steps.find(([, step]) => bytes >= step) ?? ["bytes", 1];
  return `${size === 1 ? bytes : (bytes / size).toFixed(1)} ${unit}`;
}

function day(time: UtcMillis | null): string {
  return time === null ? "-" : formatTimestamp(time).slice(0, 10);
}
