import type { ColumnOptions, ColumnPlan } from "./columns.ts";
import type { Need } from "./needs.ts";
import { isMissing, parseNumber, unclearNumber } from "./numbers.ts";
import type { DecimalMark } from "./numbers.ts";
import { createTimeReader, parseWrittenTime, unclearOrder } from "./times.ts";
import type { DateOrder, TimeFault, TimeOptions } from "./times.ts";

/** What the caller says of a file. */
export interface FormatOptions extends ColumnOptions, TimeOptions {
  /** The unit of values of codes that end in `_RLS`; `undefined` stands for rial. */
  readonly unit?: "rial" | "toman";
  readonly decimal?: DecimalMark;
}

/** How the numbers and times of a file are written, as its first rows show. */
export interface Dialect {
  readonly decimal: DecimalMark | undefined;
  /** Whether commas were seen in values. */
  readonly hasCommas: boolean;
  readonly dateOrder: DateOrder | undefined;
  /** Whether values can be in rial: unless all codes are those of values in US dollars. */
  readonly hasRial: boolean;
  /** Whether there are dates without an hour. */
  readonly hasDates: boolean;
  /** Whether there are times without a zone that are read, as an option gives theirs. */
  readonly hasLocalTimes: boolean;
  /** Whether there are times with a zone. */
  readonly hasZonedTimes: boolean;
  /** What they leave open. The rest is as if the options of these needs were given. */
  readonly needs: readonly Need[];
}

/**
 * Finds out how numbers and times are written.
 *
 * @param isDotDecimal Whether `1.234` is a fraction if no other value tells: not where spreadsheets write a decimal comma.
 */
export function findDialect(plan: ColumnPlan, rows: readonly (readonly unknown[])[], options: FormatOptions, isDotDecimal: boolean): Dialect {
  const values = textsOf(rows, (at) => plan.columns[at] === "value" || plan.codes[at] !== undefined).filter((text) => !isMissing(text));
  const times = textsOf(rows, (at) => plan.columns[at] === "businessTime");
  const codes = options.wide ? plan.codes.flatMap((code) => code ?? []) : textsOf(rows, (at) => plan.columns[at] === "code");
  const decimal = options.decimal === undefined ? findDecimal(values, isDotDecimal) : { mark: options.decimal, needs: [] };
  const order = options.dateOrder === undefined ? findDateOrder(times) : { dateOrder: options.dateOrder, needs: [] };
  const { dateOrder } = order;
  const written = times.flatMap((text) => parseWrittenTime(text) ?? []);
  return {
    decimal: decimal.mark,
    hasCommas: values.some((text) => /[,\u060c]/.test(text)),
    dateOrder,
    hasRial: codes.length === 0 || codes.some((code) => !code.endsWith("_USD")),
    hasDates: written.some(({ timeOfDayMs }) => timeOfDayMs === undefined),
    hasLocalTimes: options.isZoneTold && written.some(({ timeOfDayMs, zone }) => timeOfDayMs !== undefined && zone === ""),
    hasZonedTimes: written.some(({ zone }) => zone !== ""),
    needs: [...decimal.needs, ...order.needs, ...timeNeeds(times, { ...options, ...(dateOrder && { dateOrder }) })],
  };
}

function findDecimal(values: readonly string[], isDotDecimal: boolean): { readonly mark: DecimalMark | undefined; readonly needs: readonly Need[] } {
  const numbers = values.flatMap((text) => ({ text, ...parseNumber(text) }));
  const point = numbers.find(({ evidence }) => evidence === ".");
  const comma = numbers.find(({ evidence }) => evidence === ",");
  if (point && comma) return { mark: ".", needs: [{ option: "--decimal .", reason: `values "${point.text}" and "${comma.text}" have different decimal marks` }] };
  if (point || comma) return { mark: point ? "." : ",", needs: [] };
  const unclear = numbers.find(({ ambiguous }) => ambiguous === "," || (ambiguous === "." && !isDotDecimal));
  return { mark: undefined, needs: unclear ? [unclearNumber(unclear.text)] : [] };
}

function findDateOrder(times: readonly string[]): { readonly dateOrder: DateOrder | undefined; readonly needs: readonly Need[] } {
  const yearLast = times.flatMap((text) => {
    const { date } = parseWrittenTime(text) ?? {};
    return date && date[0].length < 4 && date[2].length === 4 ? [{ text, first: +date[0], second: +date[1] }] : [];
  });
  const isDayFirst = yearLast.some(({ first }) => first > 12);
  const isMonthFirst = yearLast.some(({ second }) => second > 12);
  const [unclear] = yearLast;
  if (!unclear) return { dateOrder: undefined, needs: [] };
  if (isDayFirst !== isMonthFirst) return { dateOrder: isDayFirst ? "dmy" : "mdy", needs: [] };
  const { reason, need } = unclearOrder(unclear.text);
  return { dateOrder: "dmy", needs: [{ option: need.option, reason }] };
}

/** What is open of times of which none can be read, one after the other. */
function timeNeeds(times: readonly string[], options: TimeOptions): readonly Need[] {
  const fault = timeFault(times, options);
  return fault?.need ? [{ option: fault.need.option, reason: fault.reason }, ...timeNeeds(times, { ...options, ...fault.need.said })] : [];
}

/** Why no time can be read although all have the shape of one; `undefined` if an option would not help. */
function timeFault(times: readonly string[], options: TimeOptions): TimeFault | undefined {
  const read = createTimeReader(options);
  let found: TimeFault | undefined;
  for (const text of times) {
    if (parseWrittenTime(text) === undefined) continue;
    const time = read(text);
    if (time.ok) return undefined;
    if (time.error.need) found ??= time.error;
  }
  return found;
}

function textsOf(rows: readonly (readonly unknown[])[], isWanted: (at: number) => boolean): string[] {
  return rows.flatMap((cells) => cells.filter((cell, at): cell is string => typeof cell === "string" && isWanted(at)));
}
