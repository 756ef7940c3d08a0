import { DAY_MS, dayNumber, REQUEST_DAYS } from "../../../core/internal.ts";
import type { AssetCode } from "../../../core/mod.ts";
import { MAX_WISHED_DAYS, type MirrorDay, type MirrorStatus } from "../../feeds/mirror/mod.ts";
import type { Engine, Records } from "../../stores/shared/engine.ts";
import { defineCommand } from "../command.ts";
import { CommandFailure, EXIT, wrongUsage } from "../command_failure.ts";
import { assetOf } from "../market/find_asset_code.ts";
import { mirrorText } from "../mirror_text.ts";
import { demandOperands, readCount, textOption } from "../parse_arguments.ts";
import { alignColumns, type Cell, countOf, formatCount, table } from "../text_table.ts";
import { demandGregorian, readDay } from "../time_bounds.ts";
import { statusOfServer } from "./status.ts";

const STATUS_DETAILS = `Shows the state of the mirror of the server that owns the data directory: running, resting, failing
or late, why, and until when; units spent and left; the last refresh and the newest value; how far
the archive of each asset reaches; refused records and pending values. The exit code is 0 while the
mirror runs, and 75 otherwise, also when there is no mirror.`;

/** `mirror status`: shows the state of the mirror in a running server. */
export const mirrorStatus = defineCommand({
  details: STATUS_DETAILS,
  async run(context, { findEngine }) {
    const engine = await findEngine();
    const server = await statusOfServer(engine);
    const mirror = server?.mirror ?? null;
    return {
      json: { running: server !== undefined, mirror },
      text: mirror ? mirrorText(mirror, context.program) : `${absenceOf(engine)}.\n`,
      exitCode: mirror?.state === "running" ? EXIT.done : EXIT.notReady,
    };
  },
});

/** `mirror again`: tells the mirror of a running server to request some days again. */
export const mirrorAgain = defineCommand({
  details: `Use this for days that the upstream has corrected or added. The running server requests them at once
if it has more units than its refreshes need, else after an hour, with one request per 32 days.`,
  options: {
    from: textOption("DATE", "The first day, YYYY-MM-DD"),
    to: textOption("DATE", "The last day, included"),
  },
  async run(context, { options, operands, settings, findEngine }) {
    const { CODE } = demandOperands(operands, "CODE");
    const { code } = assetOf(CODE, settings.assets);
    demandGregorian(options);
    const [from, to] = [dayNumber(readDay("--from", options.from)), dayNumber(readDay("--to", options.to))];
    if (to < from) throw wrongUsage("--to must not be before --from");
    if (to - from >= MAX_WISHED_DAYS)
      throw wrongUsage(
        `At most ${MAX_WISHED_DAYS} days can be requested again at a time, because requests for other history wait until these days have arrived`,
      );
    if (from > context.clock() / DAY_MS + 1) throw wrongUsage("--from must not be in the future");
    const engine = await findEngine();
    if (!engine.mirrorAgain) throw wrongUsage(`Several servers may share "${engine.name}", so it has no mirror`);
    const asked = await engine.mirrorAgain(code, { from, to });
    if (!asked) throw new CommandFailure(absenceOf(engine), EXIT.notReady);
    const requests = Math.ceil((to - from + 1) / REQUEST_DAYS);
    return {
      json: { code, from: options.from, to: options.to, requests },
      text: `${code} is requested again, in ${countOf(requests, "request")}: mirror status shows the progress.\n`,
    };
  },
});

function absenceOf({ name }: Pick<Engine, "name">): string {
  return `No running server is a mirror for "${name}": start its server with --mirror URL`;
}

const REPORT_DETAILS = `Shows for each asset how many values arrived in these days, how old they were on arrival, the longest
time between two values, nights and holidays included, and the days with a value. If the mirror runs,
also its units and refreshes, and what to expect from 50, 100 and 500 units a day. Days are in UTC.`;

const [MAX_DAYS, DEFAULT_DAYS] = [100, 30];

const HEADINGS = ["asset", "values", "age: median", "worst", "longest gap", "days with a value"];

/** `mirror report`: shows how old the values of the last days were on arrival, and how many units were spent. */
export const mirrorReport = defineCommand({
  details: REPORT_DETAILS,
  options: {
    days: textOption("DAYS", `Days up to now: 1 to ${MAX_DAYS} [default ${DEFAULT_DAYS}]`),
  },
  async run(context, { options, withReader }) {
    const days = readCount("--days", options.days ?? String(DEFAULT_DAYS), MAX_DAYS);
    const now = context.clock();
    const { assets, mirror } = await withReader(async (reader, engine) => ({
      assets: await agesOf((await reader.market()).observations.records(), now - days * DAY_MS, now),
      mirror: engine.status ? (await statusOfServer(engine))?.mirror : undefined,
    }));
    const log = (mirror?.days ?? []).filter(({ day }) => day > now / DAY_MS - days);
    const { estimates = [], year = null } = mirror ?? {};
    const rows = assets.map((one) => {
      const times = [one.medianAgeSeconds, one.worstAgeSeconds, one.longestGapSeconds].map(duration);
      return [one.code, one.values, ...times, one.daysWithValue];
    });
    return {
      json: { days, assets, mirror: mirror ? { days: log, year, estimates } : null },
      text: `${table(HEADINGS, rows, "No values arrived in these days.")}\n${mirror ? spendingText(mirror, log) : "No mirror runs on this data, so its units are not known.\n"}`,
    };
  },
});

/**
 * The ages of each asset's accepted values with a business time from `since` on. Values older than a day on arrival
 * count only in `daysWithValue`.
 */
async function agesOf(records: Records, since: number, now: number) {
  const found = new Map<AssetCode, { came: number[]; ages: number[]; days: Set<number> }>();
  for await (const { code, businessTime, insertTime, qualityStatus } of records) {
    if (qualityStatus !== "ACCEPTED" || businessTime < since) continue;
    const one = found.get(code) ?? { came: [], ages: [], days: new Set() };
    found.set(code, one);
    one.days.add(Math.floor(businessTime / DAY_MS));
    if (insertTime - businessTime >= DAY_MS) continue;
    one.came.push(insertTime);
    one.ages.push(Math.max(0, insertTime - businessTime));
  }
  return [...found].map(([code, { came, ages, days }]) => {
    const [inOrder, byAge] = [came, ages].map((list) => list.sort((a, b) => a - b)) as [number[], number[]];
    const longest = [...inOrder, now].reduce((most, time, i) => Math.max(most, time - (inOrder[i - 1] ?? time)), 0);
    return {
      code,
      values: ages.length,
      medianAgeSeconds: Math.round((byAge[Math.floor(byAge.length / 2)] ?? 0) / 1_000),
      worstAgeSeconds: Math.round((byAge.at(-1) ?? 0) / 1_000),
      longestGapSeconds: Math.round(longest / 1_000),
      daysWithValue: days.size,
    };
  });
}

function spendingText({ year, estimates, units, lastRefreshAgeSeconds }: MirrorStatus, log: readonly MirrorDay[]) {
  // The last entry is for today, which is not over yet.
  const whole = log.length > 1 ? log.slice(0, -1) : log;
  const most = (of: (day: MirrorDay) => number): number => Math.max(0, ...log.map(of));
  const mean = whole.reduce((sum, day) => sum + day.units, 0) / Math.max(1, whole.length);
  const rests = log.filter(({ refusals }) => refusals > 0).length;
  const used = `${mean.toFixed(1)} a day, at most ${formatCount(most((day) => day.units))}`;
  const longestGap = Math.max(most((day) => day.longestGapMs) / 1_000, lastRefreshAgeSeconds ?? 0);
  const rows: Cell[][] = [
    ["days logged", `${log.length}`],
    ["units", `${used}; ${formatCount(units.allowed)} are allowed`],
    ["longest time between refreshes", duration(longestGap)],
    ["days on which the upstream refused requests", `${rests}`],
    ["assets with a year of history", `${year.complete}${year.allOn === null ? "" : `, all by about ${year.allOn}`}`],
  ];
  const plans = estimates.map(({ unitsADay, openSeconds, closedSeconds, yearOn }) => {
    return [unitsADay, duration(openSeconds), duration(closedSeconds), yearOn ?? "-"];
  });
  const headings = ["units a day", "refresh while the rial market trades", "else", "a year of all assets"];
  return `${alignColumns(rows).join("\n")}\n\n${table(headings, plans, "")}`;
}

function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`;
}
