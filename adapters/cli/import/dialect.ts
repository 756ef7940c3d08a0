import { findCandleWidth, nextStart } from "./candles.ts";
import type { CandleOptions, CandleWidth } from "./candles.ts";
import type { ColumnOptions, ColumnPlan } from "./columns.ts";
import { timeText } from "./date_and_clock.ts";
import type { Need } from "./needs.ts";
import { isMissing, parseNumber, unclearNumber } from "./numbers.ts";
import type { DecimalMark } from "./numbers.ts";
import { surveyTimes } from "./time_survey.ts";
import type { TimeSurvey } from "./time_survey.ts";
import { createTimeReader } from "./times.ts";
import type { TimeOptions } from "./times.ts";

/** What the caller says of a file. */
export interface FormatOptions extends ColumnOptions, TimeOptions, CandleOptions {
  /** The unit of values of codes that end in `_RLS`; `undefined` stands for rial. */
  readonly unit?: "rial" | "toman";
  readonly decimal?: DecimalMark;
  /** The sheet of a workbook; `undefined` for the first. */
  readonly sheet: string | undefined;
}

/** How the numbers and times of a file are written, as its first rows show. */
export interface Dialect extends TimeSurvey {
  readonly decimal: DecimalMark | undefined;
  /** Whether commas were seen in values. */
  readonly hasCommas: boolean;
  /** Whether values can be in rial: unless all codes are those of values in US dollars. */
  readonly hasRial: boolean;
  /** How long candles are; 0 in other tables. */
  readonly candleMs: number;
  /** What they leave open. The rest is as if the options of these needs were given. */
  readonly needs: readonly Need[];
}

/**
 * Finds out how numbers and times are written.
 *
 * @param isDotDecimal Whether `1.234` is a fraction if no other value tells: not where spreadsheets write a decimal comma.
 */
export function findDialect(plan: ColumnPlan, rows: readonly (readonly unknown[])[], options: FormatOptions, isDotDecimal: boolean): Dialect {
  const prices = Object.values(plan.candle?.prices ?? {});
  const values = textsOf(rows, (at) => plan.columns[at] === "value" || plan.codes[at] !== undefined || prices.includes(at)).filter((text) => !isMissing(text));
  const [time, sourceTime] = [plan.columns.indexOf("businessTime"), plan.columns.indexOf("sourceTime")];
  const times = rows.flatMap((cells) => [timeText(cells, time, plan.clock) ?? [], timeText(cells, sourceTime) ?? []].flat());
  const codes = options.wide ? plan.codes.flatMap((code) => code ?? []) : textsOf(rows, (at) => plan.columns[at] === "code");
  const decimal = options.decimal === undefined ? findDecimal(values, isDotDecimal) : { mark: options.decimal, needs: [] };
  const survey = surveyTimes(times, plan.candle ? { dayAtMs: 0, ...options } : options);
  const width = findWidth(plan, rows, { ...options, ...(survey.dateOrder && { dateOrder: survey.dateOrder }), hasDates: survey.hasDates });
  return {
    ...survey,
    decimal: decimal.mark,
    hasCommas: values.some((text) => /[,\u060c]/.test(text)),
    hasRial: codes.length === 0 || codes.some((code) => !code.endsWith("_USD")),
    candleMs: width.widthMs,
    needs: [...decimal.needs, ...survey.needs, ...width.needs],
    fault: survey.fault ?? width.fault,
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

/** How long the candles of a table are, by the times of each asset. A row with start and end tells by itself. */
function findWidth({ candle, columns, clock }: ColumnPlan, rows: readonly (readonly unknown[])[], options: FormatOptions & Pick<Dialect, "hasDates">): CandleWidth {
  const { intervalMs, hasDates } = options;
  if (!candle || intervalMs !== undefined) return { widthMs: intervalMs ?? 0, needs: [], fault: undefined };
  const [code, start] = [columns.indexOf("code"), columns.indexOf("businessTime")];
  const read = createTimeReader({ ...options, isZoneTold: true, dayAtMs: 0 });
  const times = new Map<unknown, number[]>();
  for (const [row, cells] of rows.entries()) {
    const end = candle.end === undefined || candle.end === start ? undefined : timeText(cells, candle.end);
    const key = end === undefined ? cells[code] : row;
    const found = [timeText(cells, start, clock), end].flatMap((text) => {
      const time = text === undefined ? undefined : read(text);
      const millis = time?.ok ? Date.parse(time.value) : NaN;
      return Number.isNaN(millis) ? [] : [text === end ? nextStart(millis) : millis];
    });
    const known = times.get(key);
    if (known) known.push(...found);
    else times.set(key, found);
  }
  return findCandleWidth(times.values(), hasDates);
}

function textsOf(rows: readonly (readonly unknown[])[], isWanted: (at: number) => boolean): string[] {
  return rows.flatMap((cells) => cells.filter((cell, at): cell is string => typeof cell === "string" && isWanted(at)));
}
