import { createZone, dateOfDayNumber, dayNumber, joinCsv, quotaDayAt } from "../../../core/internal.ts";
import type { AccountBook, AccountId, CalendarDate } from "../../../core/mod.ts";
import { type AccountUsage, type DayUsage, KEPT_DAYS, type UsageQuery } from "../../stores/shared/store.ts";
import { defineCommand } from "../command.ts";
import { wrongUsage } from "../command_failure.ts";
import { demandOperands, readCount, switchOption, textOption } from "../parse_arguments.ts";
import { type Cell, table } from "../text_table.ts";
import { demandGregorian, readDay } from "../time_bounds.ts";

const DEFAULT_DAYS = 7;
/** Redis keeps counters for at least this many quota days. */
const REDIS_DAYS = 3;

const DETAILS = `Shows the units that each account used on each quota day, with its plan and limit as they were when
units were last reserved on that day. With ACCOUNT, also the keys that asked for units. Days begin
at midnight in the quota time zone. For the invoice of a month: --from 2026-11-01 --to 2026-11-30.

A running server reports its own counters, so units that are only reserved are not shown as used.
Numbers are exact after a clean stop. After a crash, reserved units count as used: up to 0.5 % of an
account's limit, none if the limit is below 400, and up to 5,000 units if there is no limit; also
units of requests that were in progress or had failed in the last second. The column "withheld"
shows units that restore or repair count as used although they were not served.

The last ${KEPT_DAYS} quota days are kept. Redis keeps units for about ${REDIS_DAYS} days, and no plans: plan and
limit are those of today.`;

/** The units of an account on a day. */
type UsageRow = ReturnType<typeof rowsOf>[number];

/** `usage`: shows the used units by account and quota day. */
export const usage = defineCommand({
  details: DETAILS,
  settings: ["data", "quotaTimeZone"],
  options: {
    days: textOption("COUNT", `Quota days to show, today included: 1 to ${KEPT_DAYS} [default ${DEFAULT_DAYS}]`),
    from: textOption("DATE", "The first day, YYYY-MM-DD; instead of --days"),
    to: textOption("DATE", "The last day, included"),
    csv: switchOption("Print CSV: day, account, units, dailyUnits, plan, withheld"),
  },
  async run(context, { options, operands, settings, withReader }) {
    const [only, ...more] = operands;
    demandOperands(more);
    if (options.csv && options.json) throw wrongUsage("--csv and --json exclude each other");
    const { quotaTimeZone, quota } = settings.values;
    const today = quotaDayAt(createZone(quotaTimeZone), context.clock()).date;
    const asked = readDays(options, today);
    const { book, days, isFiles } = await withReader(async (reader, { directory }) => {
      const book = await reader.book();
      if (only !== undefined && !book.accounts.some(({ id }) => id === only)) {
        throw wrongUsage(`There is no account "${only}"; mazaneh accounts list shows all`);
      }
      const days: DayUsage[] = [];
      for await (const day of reader.usage(asked)) days.push(day);
      return { book, days, isFiles: directory !== undefined };
    });
    const rows = rowsOf(days, book, only);
    const { terminal } = context;
    const firstKept = daysBefore(today, (quota === "store" ? KEPT_DAYS : REDIS_DAYS) - 1);
    if (options.from !== undefined && asked.from! < firstKept)
      terminal.note(`Units of days before ${firstKept} may be missing: counters are not kept longer.`);
    for (const { day, damaged, accounts } of days) {
      if (!damaged) continue;
      if (isFiles)
        terminal.note(`The file of ${day} is damaged, so units of that day may be missing: see mazaneh verify.`);
      // After a loss, the day before is marked, too, in case a clock is slow. It needs a note only if units were used.
      else if (day === today || accounts.length > 0)
        terminal.note(
          `Counters of ${day} were lost: all units count as used until the next quota day. Known units are shown.`,
        );
    }
    return { json: usageJson(rows, asked), text: options.csv ? csvText(rows) : peopleText(rows, only) };
  },
});

/** The days from `--from` to `--to`, or the last `--days` days. Throws a usage failure for a wrong range. */
function readDays(
  { days, from, to }: Partial<Record<"days" | "from" | "to", string>>,
  today: CalendarDate,
): UsageQuery {
  if (from === undefined && to === undefined)
    return { from: daysBefore(today, readCount("--days", days ?? String(DEFAULT_DAYS), KEPT_DAYS) - 1) };
  if (days !== undefined) throw wrongUsage("--days counts back from today: leave --from and --to out");
  demandGregorian({ from, to });
  const asked = {
    from: from === undefined ? undefined : readDay("--from", from),
    to: to === undefined ? undefined : readDay("--to", to),
  };
  if (asked.from && asked.to && asked.to < asked.from) throw wrongUsage("--to must not be before --from");
  return asked;
}

function daysBefore(day: CalendarDate, count: number): CalendarDate {
  return dateOfDayNumber(dayNumber(day) - count);
}

/** The rows, newest day first. Within a day, accounts with more units come first. */
function rowsOf(days: readonly DayUsage[], book: AccountBook, only: string | undefined) {
  return days.flatMap(({ day, accounts }) => {
    const rows = accounts
      .filter(({ account }) => only === undefined || account === only)
      .map((used) => ({ withheld: 0, ...used, day, ...planOf(used, book) }));
    return rows.sort((a, b) => b.units - a.units || (a.account < b.account ? -1 : 1));
  });
}

/** The plan on that day or, if it was not recorded, today's plan; `-` if a restored store lacks the account. */
function planOf({ account, plan }: AccountUsage, { accounts, plans }: AccountBook) {
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
  const lines = rows.map(({ day, account, units, withheld, keys, plan, dailyUnits }): Cell[] => {
    const limit = dailyUnits === undefined ? "-" : (dailyUnits ?? "unlimited");
    const used = [day, account, units, ...(showsWithheld ? [withheld] : []), limit, plan];
    return only === undefined ? used : [...used, keys.join(" ") || "-"];
  });
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
