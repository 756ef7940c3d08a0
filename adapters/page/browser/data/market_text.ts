// Prices as text, for spreadsheets and messages.
import { formatDecimal } from "../../../../core/internal.ts";
import type { Format } from "./format.ts";
import type { Entry } from "./market_entries.ts";

/** Tab-separated lines for spreadsheets: plain numbers in the chosen unit, and ISO 8601 times in UTC. */
export function tableText(entries: readonly Entry[], heads: readonly string[], { amount, unitName }: Format): string {
  const lines = entries.flatMap(({ asset, name, unit, latest, ratio }) => {
    if (latest === undefined) return [];
    const change = ratio === undefined ? "" : String(Math.round(ratio * 10_000) / 100);
    const price = Number(amount(latest.value, unit).toPrecision(15)); // spreadsheets keep no more digits
    return [[asset.code, name, formatDecimal(price), unitName(unit), change, latest.businessTime]];
  });
  return [heads, ...lines].map((fields) => fields.join("\t")).join("\n");
}

/** A title, then a line for each price: `US Dollar: 1,985,528 rial (−1.11%)`. */
export function messageText(entries: readonly Entry[], title: string, { price, percent }: Format): string {
  const lines = entries.flatMap(({ name, unit, latest, ratio }) => {
    const change = ratio === undefined ? "" : ` (${percent(ratio)})`;
    return latest === undefined ? [] : [`${name}: ${price(latest.value, unit)}${change}`];
  });
  return [title, ...lines].join("\n");
}
