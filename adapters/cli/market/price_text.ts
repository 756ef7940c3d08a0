import { formatDecimal } from "../../../core/internal.ts";
import type { QuoteUnit } from "../../../core/mod.ts";

const UNITS: Readonly<Record<QuoteUnit, string>> = { RLS: "rial", USD: "US dollar" };

/** The name of a quote unit for people. */
export function unitName(unit: QuoteUnit): string {
  return UNITS[unit];
}

/** A value with commas between the thousands, and all its digits: `1,903,482`, `0.00000098`. */
export function formatValue(value: number): string {
  const [whole = "", fraction] = formatDecimal(value).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

const BARS = "▁▂▃▄▅▆▇█";

/** A line of bars, one for each value or, where they are more than `width`, for the last of each equal share of them. */
export function sparkline(values: readonly number[], width: number): string {
  const shown = values.length <= width ? values : Array.from({ length: width }, (_, at) => values[Math.ceil(((at + 1) * values.length) / width) - 1]!);
  const low = Math.min(...shown);
  const span = Math.max(...shown) - low;
  return shown.map((value) => BARS[span === 0 ? 3 : Math.round(((value - low) / span) * (BARS.length - 1))]).join("");
}

/** A length in bytes for people: `87.2 MB`. */
export function formatBytes(bytes: number): string {
  const steps = [["GB", 1e9], ["MB", 1e6], ["kB", 1e3]] as const;
  const [unit, size] = steps.find(([, step]) => bytes >= step) ?? ["bytes", 1];
  return `${size === 1 ? bytes : (bytes / size).toFixed(1)} ${unit}`;
}
