import { ok } from "../../../core/internal.ts";
import type { UtcMillis } from "../../../core/mod.ts";
import { cleanText } from "./clean_text.ts";
import { mapping } from "./column_names.ts";
import { timeText } from "./date_and_clock.ts";
import type { TableOptions } from "./detect_dialect.ts";
import { type OpenQuestion, type ReadResult, unread } from "./open_questions.ts";
import { createTimeReader } from "./parse_times.ts";
import type { ColumnPlan } from "./plan_columns.ts";
import type { Cells } from "./record_columns.ts";
import { isDateName } from "./time_names.ts";

/** The question which column has the dates, if a second column of dates has other days. */
export function dateQuestions(
  plan: ColumnPlan,
  rows: readonly Cells[],
  options: TableOptions,
): ReadResult<readonly OpenQuestion[]> {
  const { names, columns, clock } = plan;
  const at = columns.indexOf("businessTime");
  const read = createTimeReader({ ...options, isZoneKnown: true, dayAtMs: 0 });
  const dayOf = (cell: unknown): string | undefined => {
    const time = read(timeText([cell], 0) ?? "");
    const millis = time.ok ? Date.parse(time.value) : NaN;
    return Number.isNaN(millis) ? undefined : options.zone.dateAt(millis as UtcMillis);
  };
  const rowWithTwoDays = (other: number): Cells | undefined =>
    rows.find((cells) => {
      const [day, same] = [dayOf(cells[at]), dayOf(cells[other])];
      return day !== undefined && same !== undefined && day !== same;
    });
  const hasTwoTables = names.some((_, other) => {
    const row = mayBeOfOtherTable(other, plan) ? rowWithTwoDays(other) : undefined;
    // A price may look like a compact date.
    return row !== undefined && Number.isNaN(Number(cleanText(String(row[other]))));
  });
  if (hasTwoTables) return unread("it has two tables side by side: save each in a separate file");
  if (options.map.has("businessTime") || !isDateName(names[at] ?? "")) return ok([]);
  for (const [other, name] of names.entries()) {
    const row = other === at || !isDateName(name) ? undefined : rowWithTwoDays(other);
    if (!row) continue;
    const reason = `its columns "${names[at]!}" and "${name}" have different days: "${String(row[at])}" and "${String(row[other])}"`;
    const own = clock === undefined ? names[at]! : `${names[at]!}+${names[clock]!}`;
    return ok([{ ...mapping("businessTime", own), reason }]);
  }
  return ok([]);
}

/** Whether an ignored column may have a second table's dates: some prices are between it and the times, others not. */
function mayBeOfOtherTable(at: number, { names, columns, codes, isWide, ignored }: ColumnPlan): boolean {
  if (!isWide || columns[at] !== undefined || codes[at] !== undefined || !ignored.includes(names[at]!)) return false;
  const time = columns.indexOf("businessTime");
  const [start, end] = [Math.min(at, time), Math.max(at, time)];
  const prices = codes.flatMap((code, place) => (code === undefined ? [] : [place]));
  return prices.some((place) => place > start && place < end) && prices.some((place) => place < start || place > end);
}
