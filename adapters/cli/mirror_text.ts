import type { ArchiveStatus, MirrorStatus } from "../feeds/mirror/mod.ts";
import { printable } from "./command_failure.ts";
import { alignColumns, countOf, formatCount, listNames } from "./text_table.ts";

const SHOWN = 10;
const SHOWN_ASSETS = 20;
const HEADINGS = ["asset", "from", "to", "state"];

const ACTS: Readonly<Record<MirrorStatus["next"]["act"], string>> = {
  check: "check the access",
  refresh: "refresh the latest values",
  history: "history",
  "refresh-due": "refresh the latest values",
  retry: "try again after a failure",
  refused: "check whether the key is accepted",
  "upstream-rests": "go on",
  "no-units": "check whether units are left",
};

/** The status of a mirror, for people. */
export function mirrorText(mirror: MirrorStatus, program: string): string {
  const { units, next, archive, pending, refused, missing, requests, attributionRequired, clockBehindSeconds } = mirror;
  const { used, left, perDay, allowed } = units;
  const smaller = perDay < allowed ? `: the key allows no more, but --mirror-units allows ${formatCount(allowed)}` : "";
  const clock =
    Math.abs(clockBehindSeconds) > 60
      ? `${minutes(Math.abs(clockBehindSeconds))} ${clockBehindSeconds > 0 ? "behind" : "ahead of"} the upstream's: set it`
      : "as the upstream's";
  const spent = `${formatCount(used)} of ${formatCount(perDay)} spent in the last 24 hours`;
  const age = minutes(mirror.newestAgeSeconds ?? 0);
  const counts = Object.entries(requests).map(([outcome, count]) => `${formatCount(count)} ${outcome}`);
  let attribution = attributionRequired ? "required" : "not required";
  if (attributionRequired === null) attribution = "not known yet";
  const rows = [
    ["upstream", mirror.upstream],
    ["provider of its records", mirror.provider],
    ["units", `${spent}, ${formatCount(left)} left${smaller}`],
    ["requests", counts.join(", ") || "-"],
    ["refresh", `every ${minutes(mirror.refreshEverySeconds)}, the last at ${mirror.lastRefresh ?? "-"}`],
    ["ready without another refresh until", mirror.readyUntil ?? "-"],
    ["newest value", mirror.newest === null ? "-" : `of ${mirror.newest}, ${age} old`],
    ["history", historyText(mirror)],
    ["next", `${ACTS[next.act]}${next.code === null ? "" : ` of ${next.code}`}, at ${next.at}`],
    ["assets", mirror.problems.join("; ") || `${formatCount(mirror.assets.current)} current`],
    ["attribution", attribution],
    ["clock", clock],
    ["refused", `${formatCount(refused.count)} records since the start`],
    ["pending", pending === 0 ? "-" : `${countOf(pending, "value")}: ${program} pending list`],
    ["not at the upstream", missing.length === 0 ? "-" : listNames(missing, SHOWN)],
  ];
  const refusals = refused.last.slice(-SHOWN).map(({ code, reason }) => `  ${printable(code)}: ${printable(reason)}`);
  return [
    headOf(mirror),
    "",
    ...alignColumns(rows),
    ...archiveLines(archive),
    ...(refusals.length > 0 ? ["", "Refused last:", ...refusals] : []),
    "",
  ].join("\n");
}

function headOf({ state, message, since, until }: MirrorStatus): string {
  const end = until === null ? "" : ` until ${until} or earlier`;
  const reason = message === null ? "" : `: ${printable(message)}`;
  const begin = since === null ? "" : ` Since ${since}.`;
  return `${state[0]!.toUpperCase()}${state.slice(1)}${end}${reason}.${begin}`;
}

function historyText({ archive, year: { complete, allOn }, historyTrouble }: MirrorStatus): string {
  if (historyTrouble !== null) return `not answered: ${printable(historyTrouble)}`;
  if (archive.length === 0) return "-";
  const all = `${formatCount(complete)} of ${formatCount(archive.length)} assets have a complete year`;
  if (complete === archive.length) return all;
  return `${all}, ${allOn === null ? "no units are planned for the others" : `all by about ${allOn}`}`;
}

function archiveLines(archive: readonly ArchiveStatus[]): string[] {
  if (archive.length === 0) return [];
  const rows = archive.slice(0, SHOWN_ASSETS).map(({ code, from, to, complete, askedAgain }) => {
    const open = from === null ? "not asked yet" : "goes on";
    const again = askedAgain === null ? "" : `, some again ${askedAgain}`;
    return [code, from ?? "-", to ?? "-", `${complete ? "complete" : open}${again}`];
  });
  const more = archive.length - rows.length;
  const complete = archive.filter((one) => one.complete).length;
  return [
    "",
    "History, by the upstream's market days:",
    ...alignColumns([HEADINGS, ...rows]).map((line) => `  ${line}`),
    ...(more > 0 ? [`  and ${formatCount(more)} more; see --json. Complete: ${complete} of ${archive.length}`] : []),
  ];
}

function minutes(seconds: number): string {
  return seconds < 120 ? `${seconds} seconds` : `${formatCount(Math.round(seconds / 60))} minutes`;
}
