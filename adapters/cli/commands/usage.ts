import { createZone, dateOfDayNumber, dayNumber, joinCsv, parseDate, quotaDayAt } from "../../../core/internal.ts";
import type { AccountBook, AccountId, CalendarDate, KeyId } from "../../../core/mod.ts";
import { type AccountUsage, type DayUsage, KEPT_DAYS, type UsageQuery } from "../../stores/shared/store.ts";
import { defineCommand } from "../command.ts";
import { wrongUsage } from "../command_failure.ts";
import { type Cell, table } from "../text_table.ts";
import { demandGregorian } from "../time_bounds.ts";
import { withReader } from "../with_store.ts";

const DEFAULT_DAYS = 7;
/** Quota days of which Redis surely has the units. */
const REDIS_DAYS = 3;

const DETAILS = `Shows the units that each account was served on each quota day, with its plan and limit as they
were when units were last reserved on that day. With ACCOUNT, also the keys that asked for units.
Days begin at midnight in the quota time zone. The invoice of a month needs
--from 2026-11-01 --to 2026-11-30.

A running server reports its own counters: units that are only reserved are not shown as used.
Numbers are exact after a clean stop. A crash may leave up to 0.5 % of an account's limit too many,
nothing where the limit is below 400, and up to 5,000 units where there is none: these were
reserved, and count as used. The column "withheld" shows units that restore or repair count as used
although they were not served.

The last ${KEPT_DAYS} quota days are kept. Redis keeps units for about ${REDIS_DAYS} days, and no plans: with it, the
plan and the limit are those of today.`;

/** The units of an account on a day. */
interface UsageRow {
  readonly day: CalendarDate;
  readonly account: AccountId;
  readonly units: number;
  readonly withheld: number;
  readonly keys: readonly KeyId[];
  readonly plan: string;
  /** `undefined` where nobody knows the plan. */
  readonly dailyUnits: number | null | undefined;
}

/** `usage`: what was used, by account and quota day. */
export const usage = defineCommand({
  details: DETAILS,
  settings: ["data", "quotaTimeZone"],
  options: {
    days: {
      kind: "text",
      placeholder: "COUNT",
      summary: `Quota days to show, today included: 1 to ${KEPT_DAYS} [default ${DEFAULT_DAYS}]`,
    },
    from: { kind: "text", placeholder: "DATE", summary: "In place of --days: the first day, YYYY-MM-DD" },
    to: { kind: "text", placeholder: "DATE", summary: "The last day, included" },
    csv: { kind: "switch", summary: "Print CSV: day, account, units, dailyUnits, plan, withheld" },
  },
  async run(context, { options, operands, settings }) {
    const [only] = operands;
    if (operands.length > 1) throw wrongUsage(`There is one argument too many: "${operands[1]}"`);
    if (options.csv && options.json) throw wrongUsage("--csv and --json exclude each other");
    const { quotaTimeZone, quota } = settings.values;
    const today = quotaDayAt(createZone(quotaTimeZone), context.clock()).date;
    const asked = readDays(options, today);
    const { book, days, isFiles } = await withReader({ options, context, settings }, async (reader, { directory }) => {
      const book = await reader.book();
      if (only !== undefined && !book.accounts.some(({ id }) => id === only)) {
        throw wrongUsage(`There is no account "${only}"; accounts list shows them all`);
      }
      const days: DayUsage[] = [];
      for await (const day of reader.usage(asked)) days.push(day);
      return { book, days, isFiles: directory !== undefined };
    });
    const rows = rowsOf(days, book, only);
    const { terminal } = context;
    const firstKept = daysBefore(today, (quota === "store" ? KEPT_DAYS : REDIS_DAYS) - 1);
    if (options.from !== undefined && asked.from! < firstKept)
      terminal.note(`Units of days before ${firstKept} may be gone: they are kept no longer.`);
    for (const { day, damaged, accounts } of days) {
      if (!damaged) continue;
      if (isFiles)
        terminal.note(`The file of ${day} is damaged, so that units of that day may be missing; verify says more.`);
      // The day before a loss is marked as well, for servers whose clock is behind.
      else if (day === today || accounts.length > 0)
        terminal.note(
          `Counters of ${day} were lost: all units count as used until the next quota day. Shown is what is known.`,
        );
    }
    return {
      json: usageJson(rows, asked),
      text: options.csv ? csvText(rows) : peopleText(rows, only),
    };
  },
});

/** The days to show: from `--from` to `--to`, or the last `--days`. Throws a usage failure for others. */
function readDays(
  { days, from, to }: Readonly<Record<"days" | "from" | "to", string | undefined>>,
  today: CalendarDate,
): UsageQuery {
  if (from === undefined && to === undefined) return { from: daysBefore(today, readCount(days) - 1) };
  if (days !== undefined) throw wrongUsage("--days counts back from today: leave --from and --to out");
  demandGregorian({ from, to });
  const asked = { from: readDay("--from", from), to: readDay("--to", to) };
  if (asked.from && asked.to && asked.to < asked.from) throw wrongUsage("--to must not be before --from");
  return asked;
}

function readCount(text = String(DEFAULT_DAYS)): number {
  const days = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > KEPT_DAYS)
    throw wrongUsage(`--days must be a whole number from 1 to ${KEPT_DAYS}: received "${text}"`);
  return days;
}

function readDay(option: string, text: string | undefined): CalendarDate | undefined {
  if (text === undefined) return undefined;
  const day = parseDate(text);
  if (!day) throw wrongUsage(`${option} must be a day, e.g. 2026-01-31: received "${text}"`);
  return day;
}

function daysBefore(day: CalendarDate, count: number): CalendarDate {
  return dateOfDayNumber(dayNumber(day) - count);
}

/** The newest day first; within a day, whoever used most. */
function rowsOf(days: readonly DayUsage[], book: AccountBook, only: string | undefined): UsageRow[] {
  return days.flatMap(({ day, accounts }) => {
    const rows = accounts
      .filter(({ account }) => only === undefined || account === only)
      .map((used) => ({ withheld: 0, ...used, day, ...planOf(used, book) }));
    return rows.sort((a, b) => b.units - a.units || (a.account < b.account ? -1 : 1));
  });
}

/** The plan of the day or, where that was not noted, of now. An account that the book does not have is one of a book before a restore or a repair. */
function planOf(
  { account, plan }: AccountUsage,
  { accounts, plans }: AccountBook,
): Pick<UsageRow, "plan" | "dailyUnits"> {
  const name = plan?.name ?? accounts.find(({ id }) => id === account)?.plan;
  return { plan: name ?? "-", dailyUnits: (plan ?? plans.find((plan) => plan.name === name))?.dailyUnits };
}

function totalsOf(rows: readonly UsageRow[]): ReadonlyMap<AccountId, number> {
  const totals = new Map<AccountId, number>();
  for (const { account, units } of rows) totals.set(account, (totals.get(account) ?? 0) + units);
  return totals;
}

function peopleText(rows: readonly UsageRow[], only: string | undefined): string {
  const showsWithheld = rows.some(({ withheld }) => withheld > 0);
  const lines = rows.map(({ day, account, units, withheld, keys, plan, dailyUnits }): Cell[] => [
    ...[day, account, units, ...(showsWithheld ? [withheld] : [])],
    ...[dailyUnits === undefined ? "-" : (dailyUnits ?? "unlimited"), plan],
    ...(only === undefined ? [] : [keys.join(" ") || "-"]),
  ]);
  const totals = totalsOf(rows);
  const sums = [...totals].sort(([, a], [, b]) => b - a).map(([account, units]) => ["total", account, units]);
  const all = totals.size > 1 ? [["total", "", [...totals.values()].reduce((sum, units) => sum + units, 0)]] : [];
  const heading = ["day", "account", "units", ...(showsWithheld ? ["withheld"] : []), "limit", "plan"];
  if (only !== undefined) heading.push("keys");
  return table(heading, [...lines, ...sums, ...all], "No units were used on these days.");
}

function usageJson(rows: readonly UsageRow[], { from, to }: UsageQuery): object {
  const totals = [...totalsOf(rows)].map(([account, units]) => ({ account, units }));
  const usage = rows.map((row) => ({ ...row, dailyUnits: row.dailyUnits ?? null }));
  return { from: from ?? null, to: to ?? null, usage, totals };
}

function csvText(rows: readonly UsageRow[]): string {
  const lines = rows.map(({ day, account, units, withheld, plan, dailyUnits }) =>
    joinCsv([day, account, String(units), String(dailyUnits ?? ""), plan, String(withheld)]),
  );
  return `${["day,account,units,dailyUnits,plan,withheld", ...lines].join("\n")}\n`;
}
