import { createZone, DAY_MS, dayNumber, HOUR_MS, MINUTE_MS } from "../../../core/internal.ts";
import type { Asset, AssetValue, CalendarDate, GoldWorth, PriceCandle, UtcMillis } from "../../../core/mod.ts";
import { formatChange } from "../describe_value_changes.ts";
import { formatCount } from "../text_table.ts";
import type { MarketSource } from "./market_source.ts";

const UNITS = [
  [DAY_MS, "days"],
  [HOUR_MS, "hours"],
  [MINUTE_MS, "minutes"],
] as const;

/** Puts prices into sentences, with unit, time and age. Days and hours are in the market's time zone. */
export function createWords({ clock, marketTimeZone: timeZone }: Pick<MarketSource, "clock" | "marketTimeZone">) {
  const zone = createZone(timeZone);
  const clockTime = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" });
  const jalali = new Intl.DateTimeFormat("fa-IR-u-nu-latn", {
    timeZone: "UTC",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });

  function day(date: CalendarDate): string {
    return `${date} (Jalali ${jalali.format(dayNumber(date) * DAY_MS)})`;
  }

  function price(of: Asset, record: AssetValue<string> | undefined): string {
    if (record === undefined) return `${asset(of)}: no record yet`;
    const time = Date.parse(record.businessTime) as UtcMillis;
    return `${asset(of)}: ${amount(of, record.value)}, at ${clockTime.format(time)} on ${day(zone.dateAt(time))} in ${timeZone}, ${age(clock() - time)}`;
  }

  return { asset, day, price, change, sum, extremes, gold };
}

function asset({ code, labelEn, labelFa }: Asset): string {
  return `${code}, ${labelEn} (${labelFa})`;
}

/** A value with its unit. A value in rial is also given in toman. */
function amount({ quoteUnit }: Asset, value: number): string {
  return quoteUnit === "USD"
    ? `${formatCount(value)} US dollars`
    : `${formatCount(value)} rial = ${formatCount(Number((value / 10).toPrecision(15)))} toman`;
}

function age(millis: number): string {
  const [width, unit] = UNITS.find(([width]) => millis >= width) ?? [MINUTE_MS, "minutes"];
  return millis < 0 ? "later than this machine's clock" : `age ${Math.floor(millis / width)} ${unit}`;
}

function change(of: Asset, from: number, to: number): string {
  return `changed by ${formatChange({ from, to })}: ${amount(of, Number((to - from).toPrecision(12)))}`;
}

/** The sentence that sums up all records; only `listed` of them are shown. */
function sum(of: Asset, records: readonly AssetValue<string>[], listed: number): string {
  const values = records.map(({ value }) => value);
  if (values.length === 0) return "";
  const lowest = amount(of, Math.min(...values));
  const days = `${values.length} days have a record${listed < values.length ? `, of which ${listed} are listed` : ""}`;
  return `${days}; lowest ${lowest}; highest ${amount(of, Math.max(...values))}; ${change(of, values[0]!, values.at(-1)!)}\n`;
}

/** The sentence about the extremes of all candles, if only the last candles are shown. */
function extremes(of: Asset, candles: readonly PriceCandle[], listed: number): string {
  if (candles.length <= listed) return "";
  const [low, high] = [Math.min(...candles.map(({ low }) => low)), Math.max(...candles.map(({ high }) => high))];
  return `These are the last ${listed} of ${candles.length} candles; of all candles, the lowest price is ${amount(of, low)} and the highest is ${amount(of, high)}\n`;
}

function gold(of: Asset, { gold, bubble, ratio, impliedDollar }: GoldWorth): string {
  const [worth, above, dollar] = [gold, bubble, impliedDollar].map((rial) => amount(of, Math.round(rial)));
  return `; its gold is worth ${worth}; the bubble is ${above}, ${(ratio * 100).toFixed(1)} %; it implies a dollar of ${dollar}`;
}
