import { formatDecimal, formatTimestamp } from "../../../core/internal.ts";
import { type ImportEntry, storedBy } from "../../stores/shared/imports.ts";
import type { Overview, PendingAsset } from "./admin_overview.ts";

/** The policy of the page: it needs nothing but its own style, and nobody frames it. */
export const ADMIN_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const REFRESH_SECONDS = 30;
const HOUR_MS = 3_600_000;
const STYLE = `
:root { color-scheme: light dark }
body { font: 15px/1.45 system-ui, sans-serif; margin: 1.5rem auto; max-width: 60rem; padding: 0 1rem }
h2 { font-size: 1.05rem; margin: 1.6rem 0 .3rem }
p { margin: .3rem 0 }
th, td { text-align: left; padding: .1rem 1rem .1rem 0; vertical-align: top; font-variant-numeric: tabular-nums }
.bad { color: light-dark(#b3261e, #ff8a80); font-weight: 600 }`;

type PageRow = readonly (string | number)[];

/** The page of the admin listener: all that a person wants to know at once. It has no script; the browser asks again by itself. */
export function adminPage(overview: Overview): string {
  const { status, accounts, errors, assets, pending, imports, changes } = overview;
  const keys = accounts.flatMap(({ account, usedToday = "unknown", keys: own }) => {
    return own.map(({ keyId, units, refused, errors: failed }, i) => [
      ...(i === 0 ? [account, usedToday] : ["", ""]),
      keyId,
      units,
      refused,
      failed,
    ]);
  });
  const made = changes.map(({ time, user, program, what, records }) => [
    time,
    `${user} (${program})`,
    what,
    records ?? "",
  ]);
  const ages = assets.map(([code, ageMs]) => [code, (ageMs / HOUR_MS).toFixed(1)]);
  return [
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="${REFRESH_SECONDS}">`,
    `<title>${status.ready ? "Ready" : "Not ready"}: Mazaneh</title><style>${STYLE}</style><h1>${status.ready ? "Ready" : '<span class="bad">Not ready</span>'}</h1>`,
    ...status.reasons.map(
      ({ code, message, since }) => `<p class="bad">${escaped(`${code}: ${message}. Since ${since}.`)}</p>`,
    ),
    ...attention(overview).map((line) => `<p class="bad">${escaped(line)}</p>`),
    table(
      "Assets with the most pending values",
      ["asset", "values", "since", "newest", "its value", "reason", "to decide"],
      (pending ?? []).map(pendingRow),
      pending ? "None." : "The store does not tell just now.",
    ),
    table("Server", ["", ""], serverRows(overview)),
    table(
      "Units",
      ["account", "used today", "key", "units since the start", "refused with 429", "errors"],
      keys,
      "Nobody has called since the start.",
    ),
    table("Errors since the start", ["code", "answers"], errors, "None."),
    table("Changes since the start", ["time", "who", "what", "records"], made, "None."),
    table(
      "Imports",
      ["number", "began", "of", "stored", "state"],
      (imports ?? []).map(importRow),
      imports ? "None." : "The store does not tell just now.",
    ),
    table("Assets by the age of their newest record", ["asset", "hours"], ages, "There are no records."),
    "</html>\n",
  ].join("\n");
}

/** What is no reason against readiness, and waits for a person all the same. */
function attention({ status: { damages, pending } }: Overview): readonly string[] {
  return [
    ...(damages
      ? [
          `Places in the data that could not be read: ${damages}. mazaneh verify lists them, and repair, with the server stopped, makes the data whole again.`,
        ]
      : []),
    ...(pending ? [`Pending values: ${pending}. See mazaneh pending list.`] : []),
  ];
}

function pendingRow({ code, records, first, newest }: PendingAsset): PageRow {
  const { businessTime, value, qualityMessage } = newest ?? {};
  return [
    code,
    records,
    ...[first, businessTime].map((time) => (time ? formatTimestamp(time) : "")),
    value === undefined ? "" : formatDecimal(value),
    qualityMessage ?? "",
    `mazaneh pending list ${code}`,
  ];
}

function serverRows({ status, diskDays }: Overview): readonly PageRow[] {
  const { diskFreeBytes, newestRecord } = status;
  const disk =
    diskFreeBytes === null ? "unknown" : `${Math.round(diskFreeBytes / 1e6).toLocaleString("en-US")} MB left`;
  return [
    ["version", status.version],
    ["process", `${status.pid}, since ${status.startedAt}`],
    ["listens on", status.url ?? "nothing yet"],
    ["records", `${status.records?.toLocaleString("en-US") ?? "unknown"}, the newest of ${newestRecord ?? "never"}`],
    ["last good backup", status.lastBackup ?? "none is known"],
    ["damages", status.damages ?? "unknown"],
    [
      "disk",
      diskDays === undefined
        ? disk
        : `${disk}, for ${Math.floor(diskDays).toLocaleString("en-US")} days as since the start`,
    ],
    ["requests", status.requests ?? "not counted"],
    ["connections", status.connections],
    ["memory", `${Math.round(status.memoryBytes / 1e6)} MB`],
    ["log lines lost", status.linesLost],
  ];
}

function importRow({ imported, stored }: ImportEntry): PageRow {
  const { id, time, type, subjects, summary, undone } = imported;
  const state = summary ? "done" : "not finished";
  return [
    id,
    formatTimestamp(time),
    `${type} of ${subjects.join(", ")}`,
    summary ? storedBy(summary) : (stored ?? ""),
    undone ? "undone" : state,
  ];
}

function table(title: string, head: readonly string[], rows: readonly PageRow[], none = ""): string {
  const line = (cells: PageRow, tag: string): string =>
    `<tr>${cells.map((cell) => `<${tag}>${escaped(String(cell))}</${tag}>`).join("")}</tr>`;
  const body =
    rows.length === 0
      ? `<p>${none}</p>`
      : `<table>${head.join("") === "" ? "" : line(head, "th")}${rows.map((row) => line(row, "td")).join("")}</table>`;
  return `<h2>${title}</h2>${body}`;
}

/** A text as HTML; what would turn the direction of other text has no effect behind it. */
function escaped(text: string): string {
  return `<bdi>${text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)}</bdi>`;
}
