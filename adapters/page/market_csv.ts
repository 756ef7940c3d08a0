import { csvRecord } from "../../core/internal.ts";
import type { Asset } from "../../core/mod.ts";
import type { MarketSummary } from "./market_summary.ts";

/** The market as a table that IMPORTDATA and Power Query read: values in the unit of each row, times in UTC, the change against the day before as a ratio. */
export function marketCsv({ assets }: MarketSummary, catalog: ReadonlyMap<string, Asset>): string {
  const rows = assets.map(({ code, value, businessTime, before }) => {
    const { labelEn, quoteUnit } = catalog.get(code)!;
    const change = before === null || before.value === 0 ? null : Math.round((value / before.value - 1) * 1e6) / 1e6;
    return [code, labelEn.split(" / ")[0]!, quoteUnit, value, businessTime, change];
  });
  return [["code", "name", "unit", "value", "time", "change"], ...rows].map((row) => `${csvRecord(row)}\n`).join("");
}
