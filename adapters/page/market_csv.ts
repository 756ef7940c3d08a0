import type { Asset } from "../../core/mod.ts";
import type { MarketSummary } from "./market_summary.ts";

/** The market as a table that IMPORTDATA and Power Query read: values in the unit of each row, times in UTC, the change against the day before as a ratio. */
export function marketCsv({ assets }: MarketSummary, catalog: ReadonlyMap<string, Asset>): string {
  const rows = assets.map(({ code, value, businessTime, before }) => {
    const { labelEn, quoteUnit } = catalog.get(code)!;
    return [code, labelEn.split(" / ")[0]!, quoteUnit, value, businessTime, before === null || before.value === 0 ? "" : (value / before.value - 1).toFixed(6)];
  });
  return [["code", "name", "unit", "value", "time", "change"], ...rows].map((row) => row.map(cell).join(",") + "\r\n").join("");
}

/** A cell that no program takes for two, nor for a formula. */
function cell(value: string | number): string {
  if (typeof value === "number" || /^\w[\w.:-]*$|^$|^-[\d.]+$/.test(value)) return String(value);
  return `"${value.replace(/^(?=[=+@\t\r-])/, "'").replaceAll('"', '""')}"`;
}
