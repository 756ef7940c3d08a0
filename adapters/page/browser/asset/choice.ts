// What the visitor has chosen to see of an asset, as the address keeps it.
import type { CalendarDate, Interval } from "../../../../core/mod.ts";
import { parseDate } from "../../../../core/internal.ts";
import { isInterval, isRange } from "./ranges.ts";
import type { RangeName } from "./ranges.ts";

/** The choices of the view. */
export interface Choice {
  readonly interval: Interval;
  readonly range: RangeName;
  /** Days of the history, both included; `undefined` for the latest ones. */
  readonly days: { readonly from: CalendarDate; readonly to: CalendarDate } | undefined;
}

const FIRST_CHOICE: Choice = { interval: "1d", range: "1m", days: undefined };

/** Reads the choices from the query of an address. What is missing or makes no sense there becomes the first choice. */
export function parseChoice(query: URLSearchParams): Choice {
  const [interval, range] = [query.get("interval") ?? "", query.get("range") ?? ""];
  const [from, to] = [parseDate(query.get("from") ?? ""), parseDate(query.get("to") ?? "")];
  return {
    interval: isInterval(interval) ? interval : FIRST_CHOICE.interval,
    range: isRange(range) ? range : FIRST_CHOICE.range,
    days: from !== undefined && to !== undefined && from <= to ? { from, to } : undefined,
  };
}

/** The address of an asset's view with these choices, e.g. `#/asset/USD_RLS?interval=1h&range=1w`. */
export function choiceAddress(code: string, { interval, range, days }: Choice): string {
  const query = new URLSearchParams({ interval, range, ...days });
  return `#/asset/${encodeURIComponent(code)}?${query}`;
}
