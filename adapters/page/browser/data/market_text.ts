// Prices as a text, for spreadsheets and for messages.
import type { Format } from "./format.ts";
import type { Entry } from "./market_entries.ts";

/** Lines of fields between tabs, with plain numbers in the chosen unit: a spreadsheet takes them as numbers. Times are ISO 8601 in UTC. */
export function tableText(entries: readonly Entry[], heads: readonly string[], { amount, unitName }: Format): string {
  const lines = entries.flatMap(({ asset, name, unit, latest, ratio }) => {
    if (latest === undefined) return [];
    const change = ratio === undefined ? "" : String(Math.round(ratio * 10_000) / 100);
    return [[asset.code, name, String(amount(latest.value, unit)), unitName(unit), change, latest.businessTime]];
  });
  return [heads, ...lines].map((fields) => fields.join("\t")).join("\n");
}

/** A line for each price, below a title: `US Dollar: 1,985,528 rial (−1.11%)`. */
export function messageText(entries: readonly Entry[], title: string, { price, percent }: Format): string {
  const lines = entries.flatMap(({ name, unit, latest, ratio }) => {
    const change = ratio === undefined ? "" : ` (${percent(ratio)})`;
    return latest === undefined ? [] : [`${name}: ${price(latest.value, unit)}${change}`];
  });
  return [title, ...lines].join("\n");
}
