import { formatDecimal, formatTimestamp } from "../../core/internal.ts";
import type { ValueChange } from "../stores/shared/imports.ts";
import { alignColumns } from "./text_table.ts";

/** A larger change is shown as a factor, a smaller one in percent. */
const FACTOR = 2;

/** A change of a value in percent or as a factor, such as `+3.2%`, `×10` or `÷10`. */
export function formatChange({ from, to }: Pick<ValueChange, "from" | "to">): string {
  if (to >= FACTOR * from) return `×${short(to / from)}`;
  if (from >= FACTOR * to) return `÷${short(from / to)}`;
  const percent = (to / from - 1) * 100;
  if (percent !== 0 && Math.abs(percent) < 0.01) return percent > 0 ? "<+0.01%" : ">-0.01%";
  return `${percent > 0 ? "+" : ""}${percent.toFixed(Math.abs(percent) < 1 ? 2 : 1)}%`;
}

/** The changes as lines of a table: asset, time, both values, and the change in percent or as a factor. */
export function changeLines(changes: readonly ValueChange[]): string[] {
  return alignColumns(
    changes.map(({ code, businessTime, from, to }) => {
      return [
        code,
        formatTimestamp(businessTime),
        formatDecimal(from),
        "->",
        formatDecimal(to),
        formatChange({ from, to }),
      ];
    }),
  );
}

function short(factor: number): string {
  return factor < 100 ? String(Number(factor.toPrecision(2))) : Math.round(factor).toLocaleString("en-US");
}
