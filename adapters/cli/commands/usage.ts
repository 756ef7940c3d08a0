import { createZone, dateOfDayNumber, dayNumber, joinCsv, quotaDayAt } from "../../../core/internal.ts";
import type { AccountBook, AccountId, CalendarDate, KeyId, UtcMillis } from "../../../core/mod.ts";
import type { DayUsage } from "../../stores/shared/store.ts";
import { defineCommand } from "../command.ts";
import { wrongUsage } from "../command_failure.ts";
import { settingOptions, settingsInForce } from "../settings_sources.ts";
import { type Cell, table } from "../text_table.ts";
import { withReader } from "../with_store.ts";

const DEFAULT_DAYS = 7;
const MAX_DAYS = 35;

const DETAILS = `Shows the units that each account has used on each quota day, beside its plan and limit as they are
now. With ACCOUNT, also the keys that asked for units. Days begin at midnight in the quota time
zone. A running server tells its own counters: what it has only reserved is not shown as used.

Numbers are exact after a clean stop. A crash may leave up to 0.5 % of an account's limit too many,
nothing where the limit is below 400, and up to 5,000 units where there is none: these were
reserved, and count as used. So do units that restore and repair have taken from a day. Files of
the last ${MAX_DAYS} quota days are kept.`;

/** The units of an account on a day. */
interface UsageRow {
  readonly day: CalendarDate;
  readonly account: AccountId;
  readonly units: number;
  readonly keys: readonly KeyId[];
}

/** `usage`: what was used, by account and quota day. */
export const usage = defineCommand({
  name: "usage",
  operands: "[ACCOUNT]",
  summary: "Show the units used by account and quota day, also while a server runs",
  details: DETAILS,
  options: {
    days: {
      kind: "text",
      placeholder: "COUNT",
      summary: `Quota days to show, today included: 1 to ${MAX_DAYS} [default ${DEFAULT_DAYS}]`,
    },
    csv: { kind: "switch", summary: "Print CSV: day, account, units, dailyUnits, plan" },
    ...settingOptions(["data", "quotaTimeZone"]),
  },
  async run(context, { options, operands }) {
    const [only] = operands;
    if (operands.length > 1) throw wrongUsage(`There is one argument too many: "${operands[1]}"`);
    if (options.csv && options.json) throw wrongUsage("--csv and --json exclude each other");
    const count = readDays(options.days ?? String(DEFAULT_DAYS));
    const settings = await settingsInForce(options, context.environment);
    const { quotaTimeZone } = settings.values;
    const from = firstDay(quotaTimeZone, context.clock(), count);
    const { book, days, isFiles } = await withReader({ options, context, settings }, async (reader, { files }) => {
      const book = await reader.book();
      if (only !== undefined && !book.accounts.some(({ id }) => id === only)) {
        throw wrongUsage(`There is no account "${only}"; accounts list shows them all`);
      }
      const days: DayUsage[] = [];
      for await (const day of reader.usage({ from })) days.push(day);
      return { book, days, isFiles: files !== undefined };
    });
    const rows = rowsOf(days, only);
    const { terminal } = context;
    const today = firstDay(quotaTimeZone, context.clock(), 1);
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
      json: usageJson(rows, book, from),
      text: options.csv ? csvText(rows, book) : peopleText(rows, book, only),
    };
  },
});

function readDays(text: string): number {
  const days = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > MAX_DAYS)
    throw wrongUsage(`--days must be a whole number from 1 to ${MAX_DAYS}: received "${text}"`);
  return days;
}

function firstDay(zone: string, now: UtcMillis, count: number): CalendarDate {
  return dateOfDayNumber(dayNumber(quotaDayAt(createZone(zone), now).date) - (count - 1));
}

/** The newest day first; within a day, whoever used most. */
function rowsOf(days: readonly DayUsage[], only: string | undefined): UsageRow[] {
  return days.flatMap(({ day, accounts }) => {
    const rows = accounts
      .filter(({ account }) => only === undefined || account === only)
      .map((used) => ({ day, ...used }));
    return rows.sort((a, b) => b.units - a.units || (a.account < b.account ? -1 : 1));
  });
}

/** The plan of an account as it is now. An account that the book does not have is one of a book before a restore or a repair. */
function planOf(
  { accounts, plans }: AccountBook,
  account: AccountId,
): { name: string; dailyUnits: number | null | undefined } {
  const name = accounts.find(({ id }) => id === account)?.plan;
  return { name: name ?? "-", dailyUnits: plans.find((plan) => plan.name === name)?.dailyUnits };
}

function totalsOf(rows: readonly UsageRow[]): ReadonlyMap<AccountId, number> {
  const totals = new Map<AccountId, number>();
  for (const { account, units } of rows) totals.set(account, (totals.get(account) ?? 0) + units);
  return totals;
}

function peopleText(rows: readonly UsageRow[], book: AccountBook, only: string | undefined): string {
  const lines = rows.map(({ day, account, units, keys }): Cell[] => {
    const { name, dailyUnits } = planOf(book, account);
    return [
      day,
      account,
      units,
      dailyUnits === undefined ? "-" : (dailyUnits ?? "unlimited"),
      name,
      ...(only === undefined ? [] : [keys.join(" ") || "-"]),
    ];
  });
  const totals = totalsOf(rows);
  const sums = [...totals].sort(([, a], [, b]) => b - a).map(([account, units]) => ["total", account, units]);
  const all = totals.size > 1 ? [["total", "", [...totals.values()].reduce((sum, units) => sum + units, 0)]] : [];
  const heading = ["day", "account", "units", "limit", "plan", ...(only === undefined ? [] : ["keys"])];
  return table(heading, [...lines, ...sums, ...all], "No units were used on these days.");
}

function usageJson(rows: readonly UsageRow[], book: AccountBook, from: CalendarDate): object {
  const known = (account: AccountId): object => ({
    plan: planOf(book, account).name,
    dailyUnits: planOf(book, account).dailyUnits ?? null,
  });
  const totals = [...totalsOf(rows)].map(([account, units]) => ({ account, units }));
  return { from, usage: rows.map((row) => ({ ...row, ...known(row.account) })), totals };
}

function csvText(rows: readonly UsageRow[], book: AccountBook): string {
  const lines = rows.map(({ day, account, units }) => {
    const { name, dailyUnits } = planOf(book, account);
    return joinCsv([day, account, String(units), String(dailyUnits ?? ""), name]);
  });
  return `${["day,account,units,dailyUnits,plan", ...lines].join("\n")}\n`;
}
