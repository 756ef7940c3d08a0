import { ok } from "../../../core/internal.ts";
import type { UtcMillis } from "../../../core/mod.ts";
import type { NamedAsset } from "./asset_names.ts";
import { findCandleWidth, nextStart } from "./candles.ts";
import type { CandleOptions, CandleWidth } from "./candles.ts";
import { cleanText, nameKey } from "./clean_text.ts";
import { mapping } from "./column_names.ts";
import type { ColumnOptions, ColumnPlan } from "./columns.ts";
import { isDateName, timeText } from "./date_and_clock.ts";
import { unread } from "./needs.ts";
import type { Need, Reading } from "./needs.ts";
import { isMissing, parseNumber, unclearNumber } from "./numbers.ts";
import type { DecimalMark } from "./numbers.ts";
import { surveyTimes } from "./time_survey.ts";
import type { TimeSurvey } from "./time_survey.ts";
import { createTimeReader } from "./times.ts";
import type { TimeOptions } from "./times.ts";
import { statedUnit, unitOfValue } from "./units.ts";
import type { StatedUnit } from "./units.ts";

/** What the caller says of a file. */
export interface FormatOptions extends ColumnOptions, TimeOptions, CandleOptions {
  readonly decimal?: DecimalMark;
  /** The sheet of a workbook; `undefined` for the first. */
  readonly sheet: string | undefined;
}

/** How the numbers and times of a file are written, as its first rows show. */
export interface Dialect extends TimeSurvey {
  readonly decimal: DecimalMark | undefined;
  /** Whether commas were seen in values. */
  readonly hasCommas: boolean;
  /** Whether a point before three digits may separate thousands in values in rial, as none of them shows what it is. */
  readonly isPointOpen: boolean;
  /** The unit of each cell that is a value, where all values of its column have one. */
  readonly units: readonly (StatedUnit | undefined)[];
  /** Whether units were seen beside values. */
  readonly hasUnits: boolean;
  /** Whether values can be in rial: unless all codes are those of values in US dollars. */
  readonly hasRial: boolean;
  /** How long candles are; 0 in other tables. */
  readonly candleMs: number;
  /** What they leave open. The rest is as if the options of these needs were given. */
  readonly needs: readonly Need[];
}

/** What of a table is known before its rows. */
export interface TableKind {
  /** The lines above the header. */
  readonly titles: readonly string[];
  /** Whether `1.234` US dollars are a fraction if no other value tells: not where spreadsheets write a decimal comma. */
  readonly isDotDecimal: boolean;
  /** What the codes in its first rows mean. */
  readonly named: ReadonlyMap<string, NamedAsset>;
}

/** Finds out how numbers and times are written, and in which unit values are. */
export function findDialect(plan: ColumnPlan, rows: readonly (readonly unknown[])[], options: FormatOptions & TableKind): Reading<Dialect> {
  const prices = Object.values(plan.candle?.prices ?? {});
  const isValue = (at: number): boolean => plan.columns[at] === "value" || plan.codes[at] !== undefined || prices.includes(at);
  const codeAt = plan.columns.indexOf("code");
  const codeOf = (text: unknown): string => options.named.get(cleanText(String(text)))?.code ?? String(text);
  const values = rows.flatMap((cells) => cells.flatMap((cell, at) => {
    const isText = typeof cell === "string" && isValue(at) && !isMissing(cell);
    return isText ? [{ text: cell, isRial: !(plan.codes[at] ?? options.code ?? codeOf(cells[codeAt])).endsWith("_USD") }] : [];
  }));
  const [time, sourceTime] = [plan.columns.indexOf("businessTime"), plan.columns.indexOf("sourceTime")];
  const times = rows.flatMap((cells) => [timeText(cells, time, plan.clock) ?? [], timeText(cells, sourceTime) ?? []].flat());
  const codes = plan.isWide ? plan.codes.flatMap((code) => code ?? []) : textsOf(rows, (at) => plan.columns[at] === "code").map(codeOf);
  const decimal = findDecimal(values, options);
  if (!decimal.ok) return decimal;
  const units: (StatedUnit | undefined)[] = [];
  for (const [at, name] of plan.names.entries()) {
    const option = plan.codes[at]?.endsWith("_USD") ? undefined : options.unit; // --unit is about rial.
    const stated = isValue(at) ? statedUnit({ name, unit: plan.units[at], titles: options.titles, option }) : ok(undefined);
    if (!stated.ok) return stated;
    units.push(stated.value);
  }
  const survey = surveyTimes(times, plan.candle ? { dayAtMs: 0, ...options } : options);
  if (!survey.ok) return survey;
  const { dateOrder, hasDates } = survey.value;
  const width = findWidth(plan, rows, { ...options, ...(dateOrder && { dateOrder }), hasDates });
  if (!width.ok) return width;
  return ok({
    ...survey.value,
    decimal: decimal.value.mark,
    isPointOpen: decimal.value.isPointOpen,
    hasCommas: values.some(({ text }) => /[,\u060c]/.test(text)),
    units,
    hasUnits: values.some(({ text }) => unitOfValue(text) !== undefined),
    hasRial: codes.length === 0 || codes.some((code) => !code.endsWith("_USD")),
    candleMs: width.value.widthMs,
    needs: [...dateNeeds(plan, rows, options), ...unitNeeds(plan, units), ...decimal.value.needs, ...survey.value.needs, ...width.value.needs],
  });
}

/** Where another column of dates says other days. */
function dateNeeds({ names, columns, clock }: ColumnPlan, rows: readonly (readonly unknown[])[], options: FormatOptions): readonly Need[] {
  const at = columns.indexOf("businessTime");
  if (options.map.has("businessTime") || !isDateName(names[at] ?? "")) return [];
  const read = createTimeReader({ ...options, isZoneTold: true, dayAtMs: 0 });
  const dayOf = (cell: unknown): string | undefined => {
    const time = read(timeText([cell], 0) ?? "");
    const millis = time.ok ? Date.parse(time.value) : NaN;
    return Number.isNaN(millis) ? undefined : options.zone.dateAt(millis as UtcMillis);
  };
  for (const [other, name] of names.entries()) {
    const row = other === at || !isDateName(name) ? undefined : rows.find((cells) => {
      const [day, same] = [dayOf(cells[at]), dayOf(cells[other])];
      return day !== undefined && same !== undefined && day !== same;
    });
    if (!row) continue;
    const reason = `its columns "${names[at]!}" and "${name}" say different days: "${String(row[at])}" and "${String(row[other])}"`;
    return [{ option: mapping("businessTime", [at, clock ?? []].flat().map((place) => names[place]).join("+")), reason }];
  }
  return [];
}

/** Where the names of some columns say toman, the others may be in toman, too; a code says its unit itself. */
function unitNeeds({ codes, names, unitColumn }: ColumnPlan, units: Dialect["units"]): readonly Need[] {
  const said = units.filter((one) => one?.unit.quote === "RLS");
  const silent = codes.findIndex((code, at) => code?.endsWith("_RLS") && units[at] === undefined && nameKey(code) !== nameKey(names[at]!));
  if (silent === -1 || unitColumn !== undefined || said.length === 0 || said.some((one) => one?.unit.name !== "toman")) return [];
  return [{ option: "--unit toman", reason: `${said[0]!.by} says toman, and column "${names[silent]!}" says nothing` }];
}

interface Value {
  readonly text: string;
  readonly isRial: boolean;
}

interface Decimal {
  readonly mark: DecimalMark | undefined;
  readonly isPointOpen: boolean;
  readonly needs: readonly Need[];
}

/** What a point marks in values in rial is told by these alone: beside them, those in dollars may have a fraction where these have thousands. */
function findDecimal(values: readonly Value[], { decimal, isDotDecimal }: FormatOptions & TableKind): Reading<Decimal> {
  if (decimal !== undefined) return ok({ mark: decimal, isPointOpen: false, needs: [] });
  const numbers = values.map(({ text, isRial }) => ({ text, isRial, ...parseNumber(unitOfValue(text)?.rest ?? text) }));
  const point = numbers.find(({ evidence }) => evidence === ".");
  const comma = numbers.find(({ evidence }) => evidence === ",");
  if (point && comma) return unread(`its values "${point.text}" and "${comma.text}" have different decimal marks: write them alike`);
  const isPointOpen = !comma && !numbers.some(({ evidence, isRial }) => isRial && evidence === ".");
  const unclear = numbers.find(({ ambiguous, isRial }) => {
    return ambiguous === "." ? (isRial ? isPointOpen : !point && !comma && !isDotDecimal) : ambiguous === "," && !point && !comma;
  });
  return ok({ mark: point ? "." : comma ? "," : undefined, isPointOpen, needs: unclear ? [unclearNumber(unclear.text)] : [] });
}

/** How long the candles of a table are, by the times of each asset. A row with start and end tells by itself. */
function findWidth({ candle, columns, clock }: ColumnPlan, rows: readonly (readonly unknown[])[], options: FormatOptions & Pick<Dialect, "hasDates">): Reading<CandleWidth> {
  const { intervalMs, hasDates } = options;
  if (!candle || intervalMs !== undefined) return ok({ widthMs: intervalMs ?? 0, needs: [] });
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
