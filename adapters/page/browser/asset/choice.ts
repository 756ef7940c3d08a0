// What the visitor has chosen to see of an asset, as the address keeps it.
import type { CalendarDate, Interval } from "../../../../core/mod.ts";
import { parseDate } from "../../../../core/internal.ts";
import { isInterval, isRange } from "./ranges.ts";
import type { RangeName } from "./ranges.ts";

/** The choices of the view. */
export interface Choice {
  readonly interval: Interval;
  readonly range: RangeName;
  /** `undefined`: what fits the bars. */
  readonly kind: "line" | "candles" | undefined;
  readonly isLog: boolean;
  /** The code of an asset that is compared in percent. */
  readonly compare: string | undefined;
  /** Days of the history, both included; `undefined` for the latest ones. */
  readonly days: { readonly from: CalendarDate; readonly to: CalendarDate } | undefined;
}

const FIRST_CHOICE = { interval: "1d", range: "3m" } as const;

/** Reads the choices from the query of an address. What is missing or makes no sense there becomes the first choice. */
export function parseChoice(query: URLSearchParams): Choice {
  const [interval, range, kind] = ["interval", "range", "kind"].map((name) => query.get(name) ?? "");
  const [from, to] = [parseDate(query.get("from") ?? ""), parseDate(query.get("to") ?? "")];
  return {
    interval: isInterval(interval!) ? interval : FIRST_CHOICE.interval,
    range: isRange(range!) ? range : FIRST_CHOICE.range,
    kind: kind === "line" || kind === "candles" ? kind : undefined,
    isLog: query.get("scale") === "log",
    compare: query.get("compare") ?? undefined,
    days: from !== undefined && to !== undefined && from <= to ? { from, to } : undefined,
  };
}

/** The address of an asset's view with these choices, e.g. `#/asset/USD_RLS?interval=1h&range=1w`. */
export function choiceAddress(code: string, { interval, range, kind, isLog, compare, days }: Choice): string {
  const query = new URLSearchParams({ interval, range, ...(kind && { kind }), ...(isLog && { scale: "log" }), ...(compare !== undefined && { compare }), ...days });
  return `#/asset/${encodeURIComponent(code)}?${query}`;
}
