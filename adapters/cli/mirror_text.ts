import type { ArchiveStatus, MirrorStatus } from "../mirror/mod.ts";
import { printable } from "./failure.ts";
import { alignColumns, formatCount } from "./table.ts";

const SHOWN = 10;
const SHOWN_ASSETS = 20;
const HEADINGS = ["asset", "from", "to", "oldest record", "holes", "state"];

/** The status of a mirror that runs, for people. */
export function mirrorText(mirror: MirrorStatus): string {
  const { units, next, archive, pending, refused, missing, attributionRequired } = mirror;
  const { day, used, left, perDay, allowed, resetsAt } = units;
  const smaller = perDay < allowed ? `: the plan of its key has no more, --mirror-units allows ${formatCount(allowed)}` : "";
  const pace = mirror.daysForAYear === null ? "no units are planned for it" : `about ${formatCount(mirror.daysForAYear)} days for each year of it`;
  const rows = [
    ["upstream", mirror.upstream],
    ["provider of its records", mirror.provider],
    ["units", `${formatCount(used)} of ${formatCount(perDay)} spent on ${day}, ${formatCount(left)} left until ${resetsAt}${smaller}`],
    ["refresh", `every ${intervalText(mirror.refreshEverySeconds)}, the last at ${mirror.lastRefresh ?? "-"}`],
    ["history", archive.length === 0 ? "-" : `of ${formatCount(archive.length)} ${archive.length === 1 ? "asset" : "assets"}: ${pace}`],
    ["next", `${next.act}${next.at === null ? "" : `, at ${next.at}`}`],
    ["attribution", attributionRequired === null ? "not known yet" : attributionRequired ? "required" : "not required"],
    ["refused", `${formatCount(refused.count)} records since the start, and ${formatCount(refused.unknownCodes.length)} codes that are not in the catalog`],
    ["pending", `${formatCount(pending.length)} values that wait for a decision`],
    ["not at the upstream", missing.length === 0 ? "-" : shortened(missing)],
  ];
  const refusals = refused.last.slice(-SHOWN).map(({ code, reason }) => `  ${printable(code)}: ${printable(reason)}`);
  const waiting = pending.slice(-SHOWN).map(({ code, value, businessTime }) => `  ${code}: ${value} at ${businessTime}`);
  return [
    headOf(mirror), "", ...alignColumns(rows), ...archiveLines(archive),
    ...(refusals.length > 0 ? ["", "Refused last:", ...refusals] : []),
    ...(waiting.length > 0 ? ["", "Values that wait for a second answer:", ...waiting] : []),
    "",
  ].join("\n");
}

function headOf({ state, rest, trouble }: MirrorStatus): string {
  if (rest) return `Resting until ${rest.until}: ${printable(rest.message)}.`;
  if (state === "running") return "Running.";
  return `${state === "stopped" ? "Stopped" : "Failing"}: ${printable(trouble?.message ?? "")}. Since ${trouble?.since}.`;
}

function archiveLines(archive: readonly ArchiveStatus[]): string[] {
  if (archive.length === 0) return [];
  const rows = archive.slice(0, SHOWN_ASSETS).map(({ code, from, to, holes, oldestRecord, complete }) => [
    code, from ?? "-", to ?? "-", oldestRecord ?? "-", formatCount(holes), complete ? "complete" : from === null ? "not asked yet" : "goes on",
  ]);
  const more = archive.length - rows.length;
  const complete = archive.filter((one) => one.complete).length;
  return [
    "", "History, by the upstream's market days:", ...alignColumns([HEADINGS, ...rows]).map((line) => `  ${line}`),
    ...(more > 0 ? [`  and ${formatCount(more)} more, ${formatCount(complete)} of all ${formatCount(archive.length)} complete: --json tells them all`] : []),
  ];
}

function intervalText(seconds: number): string {
  return seconds < 120 ? `${seconds} seconds` : `${formatCount(Math.round(seconds / 60))} minutes`;
}

function shortened(codes: readonly string[]): string {
  const rest = codes.length - SHOWN;
  return `${codes.slice(0, SHOWN).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
