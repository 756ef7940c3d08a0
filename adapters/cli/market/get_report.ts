import { createZone } from "../../../core/internal.ts";
import type { Asset, PriceCandle, UtcMillis } from "../../../core/mod.ts";
import { fitColumns, formatCount } from "../table.ts";
import type { FoundPrices } from "./asked_prices.ts";
import { formatChange } from "../change_text.ts";
import { formatValue, sparkline, unitName } from "./price_text.ts";

/** How prices are shown: the asset, the zone of market days, and the width of the terminal where it is one. */
export interface PriceView {
  readonly asset: Asset;
  readonly marketTimeZone: string;
  readonly columns: number | undefined;
}

const USUAL_COLUMNS = 80;

/** Prices as text: names, unit, a line of bars and a table. */
export function pricesText(found: FoundPrices, view: PriceView): string {
  const { asset } = view;
  const head = `${asset.code}  ${asset.labelEn}  ${asset.labelFa}`;
  return `${[head, ...body(found, view)].join("\n")}\n`;
}

function body(found: FoundPrices, view: PriceView): string[] {
  const unit = unitName(view.asset.quoteUnit);
  const dateAt = dates(view.marketTimeZone);
  if (found.kind === "candles") {
    const closes = found.candles.map(({ close }) => close);
    const rows = found.candles.map(candleCells);
    const isNarrow = fitColumns(CANDLE_HEADING, rows, view.columns).hidden.length > 0;
    const order = isNarrow ? CLOSE_FIRST : CANDLE_HEADING.map((_, column) => column);
    const [heading, ...cells] = [CANDLE_HEADING, ...rows].map((row) => order.map((column) => row[column]!));
    return [...bars(`close of each ${found.interval} in ${unit}`, closes, view), "", ...rightAligned(heading!, cells, { numbers: 5, ...view })];
  }
  if (found.kind === "history") {
    if (found.values.length === 0) return [found.absence];
    const rows = found.values.map(({ value, businessTime }, at) => {
      const before = found.values[at - 1];
      return [dateAt(businessTime), formatValue(value), before ? formatChange({ from: before.value, to: value }) : "", businessTime];
    });
    return [
      ...bars(`${formatCount(found.values.length)} days in ${unit}`, found.values.map(({ value }) => value), view),
      "",
      ...rightAligned(["day", unit, "change", "time (UTC)"], rows, { numbers: 2, ...view }),
    ];
  }
  const { value, businessTime } = found.value;
  const before = found.before.at(-2);
  const change = before ? `, ${formatChange({ from: before.value, to: value })} since ${dateAt(before.businessTime)}` : "";
  return [
    `${formatValue(value)} ${unit}${change}`,
    `${businessTime}, on ${dateAt(businessTime)} in ${view.marketTimeZone}`,
    ...(found.before.length > 1 ? bars(`days to ${dateAt(businessTime)}`, found.before.map((one) => one.value), view) : []),
  ];
}

/** Prices as CSV: values in the columns that `import` reads. */
export function pricesCsv(found: FoundPrices): string {
  if (found.kind === "candles") {
    const rows = found.candles.map(({ start, end, open, high, low, close, observationCount, complete }) => {
      return [start, end, ...[open, high, low, close].map(plain), observationCount, complete].join();
    });
    return `${["start,end,open,high,low,close,observationCount,complete", ...rows].join("\n")}\n`;
  }
  const values = found.kind === "history" ? found.values : [found.value];
  const rows = values.map(({ code, value, businessTime }) => [code, plain(value), businessTime].join());
  return `${["code,value,businessTime", ...rows].join("\n")}\n`;
}

/** Prices as the routes of the API give them. */
export function pricesJson(found: FoundPrices): string {
  return `${JSON.stringify(found.kind === "candles" ? found.candles : found.kind === "history" ? found.values : found.value)}\n`;
}

function bars(name: string, values: readonly number[], { columns = USUAL_COLUMNS }: PriceView): string[] {
  const ends = `${formatValue(Math.min(...values))} to ${formatValue(Math.max(...values))}`;
  return [sparkline(values, Math.max(10, columns - 1)), `${name}, ${ends}`];
}

const CANDLE_HEADING = ["start (UTC)", "open", "high", "low", "close", "records", ""];
/** Where not all columns have room, the close matters most. */
const CLOSE_FIRST = [0, 4, 1, 2, 3, 5, 6];

function candleCells({ start, open, high, low, close, observationCount, complete }: PriceCandle): string[] {
  const values = [open, high, low, close].map(formatValue);
  return [start.replace(":00.000Z", "Z"), ...values, String(observationCount), complete ? "" : "not complete"];
}

/** A table whose columns after the first are aligned on the right, as many as there are `numbers`. */
function rightAligned(heading: readonly string[], rows: readonly (readonly string[])[], { numbers, columns }: { readonly numbers: number } & PriceView): string[] {
  const all = [heading, ...rows];
  const widths = heading.map((_, column) => all.reduce((width, row) => Math.max(width, row[column]!.length), 0));
  const [head, ...padded] = all.map((row) => row.map((text, column) => (column >= 1 && column <= numbers ? text.padStart(widths[column]!) : text)));
  const { text, hidden } = fitColumns(head!, padded, columns);
  const names = hidden.map((name) => name.trim()).filter((name) => name !== "");
  return names.length === 0 ? [...text] : [...text, "", `Left out, as the terminal is narrow: ${names.join(", ")}. --csv has all.`];
}

function dates(marketTimeZone: string): (businessTime: string) => string {
  const zone = createZone(marketTimeZone);
  return (businessTime) => zone.dateAt(Date.parse(businessTime) as UtcMillis);
}

/** A value without commas and without an exponent. */
function plain(value: number): string {
  return formatValue(value).replaceAll(",", "");
}
