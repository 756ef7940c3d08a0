import { cleanText, nameKey } from "./clean_text.ts";
import { QUANTITIES } from "./column_names.ts";
import { unitOfValue } from "./detect_price_unit.ts";
import { parseNumber } from "./parse_numbers.ts";
import type { ColumnPlan } from "./plan_columns.ts";
import type { Cells } from "./record_columns.ts";

/** Finds a column of weights or counts that the values are proportional to. Such values are totals. */
export function findQuantity(plan: ColumnPlan, rows: readonly Cells[]): string | undefined {
  const [value, code] = [plan.columns.indexOf("value"), plan.columns.indexOf("code")];
  return plan.ignored.find((name) => {
    const at = plan.names.indexOf(name);
    const pairs = new Map<unknown, (readonly [total: number, one: number])[]>();
    for (const cells of rows) {
      const [total, count] = [logOf(cells[value]), logOf(cells[at])];
      const ofAsset = pairs.get(cells[code]) ?? [];
      if (Number.isFinite(total - count)) pairs.set(cells[code], [...ofAsset, [total, total - count]]);
    }
    const spreadOf = (which: 0 | 1): number =>
      [...pairs.values()].reduce((sum, one) => sum + spread(one.map((pair) => pair[which])), 0);
    return value !== -1 && QUANTITIES.test(nameKey(name)) && spreadOf(0) > 0.01 && spreadOf(1) < spreadOf(0) / 4;
  });
}

function logOf(cell: unknown): number {
  const text = String(cell ?? "");
  return Math.log(Number(parseNumber(unitOfValue(text)?.rest ?? cleanText(text))?.decimal));
}

function spread(numbers: readonly number[]): number {
  const mean = numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  return numbers.reduce((sum, one) => sum + (one - mean) ** 2, 0);
}
