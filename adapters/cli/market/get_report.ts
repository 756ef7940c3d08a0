import { createZone, formatDecimal } from "../../../core/internal.ts";
import type { Asset, UtcMillis } from "../../../core/mod.ts";
import { formatChange } from "../describe_value_changes.ts";
import { countOf, formatCount, table } from "../text_table.ts";
import type { FoundPrices } from "./find_prices.ts";

/** How prices are shown: the asset, the time zone of market days, and the width of the terminal, if any. */
export interface PriceView {
  readonly asset: Asset;
  readonly marketTimeZone: string;
  readonly columns?: number | undefined;
}

const USUAL_COLUMNS = 80;
const UNITS = { RLS: "rial", USD: "US dollar" } as const;

/** Prices as text: names, unit, a line of bars and a table. */
export function pricesText(found: FoundPrices, view: PriceView): string {
  const { code, labelEn, labelFa } = view.asset;
  return `${code}  ${labelEn}  ${labelFa}\n${body(found, view)}`;
}

function body(found: FoundPrices, view: PriceView): string {
  const unit = UNITS[view.asset.quoteUnit];
  const zone = createZone(view.marketTimeZone);
  const dateAt = (businessTime: string) => zone.dateAt(Date.parse(businessTime) as UtcMillis);
  if (found.kind === "candles") {
    const rows = found.candles.map(({ start, open, high, low, close, observationCount, complete }) => {
      return [start.replace(":00.000Z", "Z"), open, high, low, close, observationCount, complete ? "" : "not complete"];
    });
    const closes = found.candles.map(({ close }) => close);
    const line = bars(`close of each ${found.interval} in ${unit}`, closes, view);
    return `${line}\n${table(["start (UTC)", "open", "high", "low", "close", "records"], rows, "")}`;
  }
  if (found.kind === "history") {
    if (found.values.length === 0) return `${found.absence}\n`;
    const rows = found.values.map(({ value, businessTime }, at) => {
      const before = found.values[at - 1];
      return [dateAt(businessTime), value, before ? formatChange({ from: before.value, to: value }) : "", businessTime];
    });
    const line = bars(`${countOf(rows.length, "day")} in ${unit}`, valuesOf(found.values), view);
    return `${line}\n${table(["day", unit, "change", "time (UTC)"], rows, "")}`;
  }
  const { value, businessTime } = found.value;
  const before = found.before.at(-2);
  const time = `${businessTime}, on ${dateAt(businessTime)} in ${view.marketTimeZone}`;
  if (!before) return `${formatCount(value)} ${unit}\n${time}\n`;
  const change = `${formatChange({ from: before.value, to: value })} since ${dateAt(before.businessTime)}`;
  const line = bars(`days to ${dateAt(businessTime)}`, valuesOf(found.before), view);
  return `${formatCount(value)} ${unit}, ${change}\n${time}\n${line}`;
}

function valuesOf(records: readonly { readonly value: number }[]): readonly number[] {
  return records.map(({ value }) => value);
}

/** Prices as CSV. Values, unlike candles, have the columns of the import format. */
export function pricesCsv(found: FoundPrices): string {
  if (found.kind === "candles") {
    const rows = found.candles.map(({ start, end, open, high, low, close, observationCount, complete }) => {
      return [start, end, ...[open, high, low, close].map(formatDecimal), observationCount, complete].join();
    });
    return `${["start,end,open,high,low,close,observationCount,complete", ...rows].join("\n")}\n`;
  }
  const values = found.kind === "history" ? found.values : [found.value];
  const rows = values.map(({ code, value, businessTime }) => [code, formatDecimal(value), businessTime].join());
  return `${["code,value,businessTime", ...rows].join("\n")}\n`;
}

/** Prices as JSON, in the shapes of the API. */
export function pricesJson(found: FoundPrices): string {
  if (found.kind === "candles") return `${JSON.stringify(found.candles)}\n`;
  return `${JSON.stringify(found.kind === "history" ? found.values : found.value)}\n`;
}

function bars(name: string, values: readonly number[], { columns = USUAL_COLUMNS }: PriceView): string {
  const ends = `${formatCount(Math.min(...values))} to ${formatCount(Math.max(...values))}`;
  return `${sparkline(values, Math.max(10, columns - 1))}\n${name}, ${ends}\n`;
}

const BARS = "▁▂▃▄▅▆▇█";

/** A line of bars, one for each value. If there are more than `width` values, shows `width` of them. */
export function sparkline(values: readonly number[], width: number): string {
  const shown =
    values.length <= width
      ? values
      : Array.from({ length: width }, (_, at) => values[Math.ceil(((at + 1) * values.length) / width) - 1]!);
  const low = Math.min(...shown);
  const span = Math.max(...shown) - low;
  return shown.map((value) => BARS[span === 0 ? 3 : Math.round(((value - low) / span) * (BARS.length - 1))]).join("");
}
