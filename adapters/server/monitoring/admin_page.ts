import { DAY_MS, formatDecimal, formatTimestamp, HOUR_MS, MINUTE_MS, millisSince } from "../../../core/internal.ts";
import type { UtcMillis } from "../../../core/mod.ts";
import { storedBy } from "../../stores/shared/imports.ts";
import type { Operations } from "./monitoring.ts";

/** The content security policy of the page: only its own style is allowed, and no other page may frame it. */
export const ADMIN_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
/** After this time, the header `Refresh` makes the browser load the page again. */
export const REFRESH_SECONDS = 30;
/** The query parameter for a page that is not loaded again. */
export const PAUSED = "paused";

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#e4e1da, #262d37); --soft: light-dark(#555b64, #a9b1bd) }
body { font: 15px/1.45 system-ui, sans-serif; margin: 1.5rem auto; max-width: 48rem; padding: 0 1rem; background: light-dark(#f6f5f2, #0d1015); color: light-dark(#15181d, #eceef2) }
h1, p { margin: 0 }
h1::before { content: "●" / ""; color: light-dark(#0a7448, #4ecb8c); margin-right: .5rem }
.bad h1::before, .reason::before { content: "■" / ""; color: light-dark(#b8282d, #ff8c86); margin-right: .5rem }
h2 { font-size: 1.05rem; margin: 1.6rem 0 .4rem }
table, ul { width: 100%; box-sizing: border-box; margin: 0; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: 10px; border-spacing: 0; background: light-dark(#fff, #14181f) }
th, td, li { text-align: left; padding: .4rem .9rem; vertical-align: top; font-variant-numeric: tabular-nums; overflow-wrap: anywhere }
tr + tr > *, li + li { border-top: 1px solid var(--line) }
th, .soft { color: var(--soft); font-weight: 400 }
.late { color: light-dark(#875800, #eab54a) }
code { border: 1px solid var(--line); border-radius: 4px; padding: 0 .3rem; user-select: all }`;

/** The content of the page. */
export type AdminPage = Awaited<ReturnType<Operations["overview"]>>;
/** A text or number, which will be escaped, or HTML, which will not. */
type Content = string | number | { readonly html: string };
type PageRow = readonly Content[];
type Times = ReturnType<typeof timesAt>;
const days = (count: number): string => (Math.floor(count) === 1 ? "1 day" : `${Math.floor(count)} days`);

/** The page of the admin listener, for operators. It has no script. */
export function adminPage(overview: AdminPage, isPaused = false): string {
  const { status, errors, pending, imports } = overview;
  const times = timesAt(overview);
  const needs = needsOf(overview, times);
  const state = status.ready ? "Ready" : "Not ready";
  const keys = overview.keys.map(({ accountId, usedToday = "unknown", keyId, units, refused, errors }) => {
    return [accountId, usedToday, keyId, units, refused, errors];
  });
  const changes = overview.changes.map(({ time, user, program, what, records = "" }) => {
    return [times.ago(time), what, `${user} (${program})`, records];
  });
  const refresh = isPaused
    ? `paused · <a href="?">look again every ${REFRESH_SECONDS} s</a>`
    : `looks again every ${REFRESH_SECONDS} s · <a href="?${PAUSED}">pause</a>`;
  return [
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">`,
    `<title>${state}${needs.length > 0 ? ` (${needs.length})` : ""}: Mazaneh</title><style>${STYLE}</style>`,
    `<main${status.ready ? "" : ' class="bad"'}><h1>${state}</h1>`,
    `<p class="soft">${times.now} · up ${times.since(status.startedAt)} · version ${escaped(status.version)} · ${refresh}</p>`,
    `<h2>Needs you</h2><ul>${needs.join("") || "<li>Nothing.</li>"}</ul>`,
    table(
      "Assets with the most pending values",
      ["asset", "values", "since", "newest", "its value", "reason", "to decide"],
      (pending ?? []).map((asset) => pendingRow(asset, times)),
      pending ? "None." : "Not available now.",
    ),
    table("Server", [], serverRows(overview, times)),
    table(
      "Units",
      ["account", "used today", "key", "units since the start", "refused with 429", "errors"],
      keys,
      "There have been no requests with a key since the start.",
    ),
    table("Errors since the start", ["code", "answers"], errors, "None."),
    table("Changes since the start", ["time", "what", "who", "records"], changes, "None."),
    table(
      "Imports",
      ["number", "began", "of", "stored", "state"],
      (imports ?? []).map((entry) => importRow(entry, times)),
      imports ? "None." : "Not available now.",
    ),
    table(
      "Prices by age",
      [],
      [...overview.newestOf]
        .sort(([, a], [, b]) => a - b)
        .map(([code, time]) => [code, times.ago(formatTimestamp(time))]),
      "There are no records.",
    ),
    "</main></html>\n",
  ].join("\n");
}

/** The tasks for the operator, most urgent first. Each task has a command. */
function needsOf({ status, diskDays = Infinity, now }: AdminPage, times: Times): readonly string[] {
  const { reasons, damages, pending, lastBackup } = status;
  const need = (title: string, text: Content, command: string, className = "late"): string =>
    `<li><strong class="${className}">${escaped(title)}</strong><br>${htmlOf(text)} <code>mazaneh ${command}</code></li>`;
  const needs = reasons.map(({ code, message, since }) =>
    need(message, { html: `${escaped(code)}, since ${times.ago(since).html}. See` }, "doctor", "reason"),
  );
  if (damages) needs.push(need(`Places in the data that could not be read: ${damages}`, "List them with", "verify"));
  if (diskDays < 14) needs.push(need(`The disk is full in ${days(diskDays)}`, "See the use of the disk with", "info"));
  if (pending) needs.push(need(`Pending values: ${pending}`, "Decide about them with", "pending list"));
  if (lastBackup !== null && now - Date.parse(lastBackup) > 2 * DAY_MS)
    needs.push(need("The last good backup is old", times.ago(lastBackup), "backup DIRECTORY"));
  return needs;
}

type PendingAsset = NonNullable<AdminPage["pending"]>[number];

function pendingRow({ code, records, first, newest }: PendingAsset, times: Times): PageRow {
  const { businessTime, value, qualityMessage } = newest ?? {};
  return [
    code,
    records,
    ...[first, businessTime].map((time) => (time ? times.ago(formatTimestamp(time)) : "")),
    value === undefined ? "" : formatDecimal(value),
    qualityMessage ?? "",
    { html: `<code>mazaneh pending list ${escaped(code)}</code>` },
  ];
}

function serverRows({ status, diskDays }: AdminPage, times: Times): readonly PageRow[] {
  const { diskFreeBytes, newestRecord, lastBackup } = status;
  const disk =
    diskFreeBytes === null ? "unknown" : `${Math.round(diskFreeBytes / 1e6).toLocaleString("en-US")} MB left`;
  return [
    ["newest price", newestRecord ? times.ago(newestRecord) : "none"],
    ["last good backup", lastBackup ? times.ago(lastBackup) : "none is known"],
    ["disk", diskDays === undefined ? disk : `${disk}, full in ${days(diskDays)} at the rate since the start`],
    ["records", status.records?.toLocaleString("en-US") ?? "unknown"],
    ["damages", status.damages ?? "unknown"],
    ["requests", status.requests?.toLocaleString("en-US") ?? "not counted"],
    ["memory, connections", `${Math.round(status.memoryBytes / 1e6)} MB, ${status.connections}`],
    ["process, address", `${status.pid}, ${status.url ?? "not listening yet"}`],
    ["log lines lost", status.linesLost],
  ];
}

function importRow({ imported, stored }: NonNullable<AdminPage["imports"]>[number], times: Times): PageRow {
  const { id, type, subjects, summary, undone } = imported;
  const state = summary ? "done" : "not finished";
  const count = summary ? storedBy(summary) : (stored ?? "");
  const time = times.ago(formatTimestamp(imported.time));
  return [id, time, `${type} of ${subjects.join(", ")}`, count, undone ? "undone" : state];
}

/** A table with a header row or, if `head` is empty, with a header at the start of each row. */
function table(title: string, head: readonly string[], rows: readonly PageRow[], none = ""): string {
  if (rows.length === 0) return `<h2>${title}</h2><p>${none}</p>`;
  const heads = head.map((name) => `<th scope="col">${name}</th>`).join("");
  const lines = rows.map((row) => {
    const cells = row.map((cell, i) =>
      i === 0 && head.length === 0 ? `<th scope="row">${htmlOf(cell)}</th>` : `<td>${htmlOf(cell)}</td>`,
    );
    return `<tr>${cells.join("")}</tr>`;
  });
  return `<h2>${title}</h2><table>${head.length === 0 ? "" : `<tr>${heads}</tr>`}${lines.join("")}</table>`;
}

/** Makes formatters of times in the market's time zone. The exact time is in the `title` attribute. */
function timesAt({ now, marketTimeZone: timeZone }: AdminPage) {
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" });
  const date = new Intl.DateTimeFormat("en-GB", { timeZone, day: "numeric", month: "short", year: "numeric" });
  const since = (iso: string): string => ageText(millisSince(Date.parse(iso) as UtcMillis, now));
  return {
    now: `${clock.format(now)} ${escaped(timeZone.split("/").at(-1)!.replaceAll("_", " "))}`,
    since,
    ago(iso: string) {
      const time = Date.parse(iso);
      const day = now - time < DAY_MS ? "" : `${date.format(time)}, `;
      const age = `${since(iso)} ago`.replace("now ago", "now");
      return { html: `<time datetime="${iso}" title="${iso}">${age}, ${day}${clock.format(time)}</time>` };
    },
  };
}

/** An age in words, e.g. `now`, `4 min`, `3 h 4 min`, `1 day 2 h`. */
function ageText(age: number): string {
  const [minutes, hours] = [Math.floor(age / MINUTE_MS), Math.floor(age / HOUR_MS)];
  if (minutes < 1) return "now";
  const parts = hours < 24 ? `${hours} h ${minutes % 60} min` : `${days(hours / 24)} ${hours % 24} h`;
  return parts.replace(/^0 h | 0 (?:min|h)$/, "");
}

function htmlOf(content: Content): string {
  return typeof content === "object" ? content.html : escaped(String(content));
}

/** A text as HTML. Direction marks in the text do not affect the page around it. */
function escaped(text: string): string {
  return `<bdi>${text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)}</bdi>`;
}
