import { createZone, DAY_MS, ok } from "../../../core/internal.ts";
import type { AssetNames } from "../names/find_asset.ts";
import type { AnswerContext, TableAnswers } from "./answers.ts";
import type { NamedAsset } from "./asset_names.ts";
import { type CandleWidth, findCandleWidth, nextStart } from "./candle_columns.ts";
import { cleanText, nameKey } from "./clean_text.ts";
import { dateQuestions, timeText } from "./date_and_clock.ts";
import { GIVEN, type StatedUnit, statedUnit, UNIT_ANSWERS, type UnitAnswer, unitOfValue } from "./detect_price_unit.ts";
import { surveyTimes, type TimeSurvey } from "./detect_time_format.ts";
import { otherCurrencyOf } from "./find_other_currency.ts";
import { type OpenQuestion, type ReadResult, unread } from "./open_questions.ts";
import { type DecimalMark, findDecimal, isMissing, type Marks } from "./parse_numbers.ts";
import { createTimeReader, type TimeOptions } from "./parse_times.ts";
import type { ColumnPlan, SourceNotes } from "./plan_columns.ts";
import type { Cells } from "./record_columns.ts";
import { OTHER_ZONE, timeName, zoneOf } from "./time_names.ts";

/** All options of a table. For those without a description, see `TableAnswers`. */
export interface TableOptions extends TimeOptions {
  readonly where: ReadonlyMap<string, string>;
  /** Names of columns in the file, by the name in the import format or, in wide tables, by the asset code. */
  readonly map: ReadonlyMap<string, string>;
  readonly code: string | undefined;
  readonly wide: boolean;
  readonly names: AssetNames;
  readonly unit?: UnitAnswer | undefined;
  readonly decimal?: DecimalMark | undefined;
  readonly ohlc: boolean;
  readonly intervalMs?: number | undefined;
  /** The name of the file, which may name its asset. */
  readonly file?: string | undefined;
  readonly notes?: Readonly<SourceNotes> | undefined;
  /** The answers that these options were made from, so that further answers can be added. */
  readonly answers: TableAnswers;
  readonly context: AnswerContext;
}

/** How the numbers and times of a file are written, according to its first rows. */
export interface Dialect extends TimeSurvey {
  readonly marks: Marks;
  readonly hasSlashes: boolean;
  /** The stated unit of each column of values. */
  readonly units: readonly (StatedUnit | undefined)[];
  readonly hasUnits: boolean;
  /** Whether the file states the unit of values in rial. Answers cannot change a stated unit. */
  readonly saysUnit: boolean;
  /** Whether any code may be quoted in rial. */
  readonly hasRial: boolean;
  /** The length of candles; 0 for a table without candles. */
  readonly candleMs: number;
}

const ZONE_COLUMNS = ["zone", "timezone", "tz", "منطقهزمانی"];

/** A pair such as `market: BTC-USDT` beside the rows names a market, which may have another unit than the prices. */
const PAIR_BESIDE = /^[\w .]+: [^\W_]+[-/_][^\W_]+$/;
const MAX_TEXTS = 20;

/** Facts about a table besides its columns. */
export interface TableKind {
  /** The lines above the header. */
  readonly titles: readonly string[];
  /** Texts beside or below the rows, such as `market: EUR`. */
  readonly beside: readonly string[];
  /** Whether the point in `1.234` dollars marks a fraction by default: yes, unless a spreadsheet has decimal commas. */
  readonly isDotDecimal: boolean;
  /** The meanings of the codes in the first rows. */
  readonly named: ReadonlyMap<string, NamedAsset>;
}

/** Detects how numbers and times are written, and the unit of values. */
export function findDialect(
  plan: ColumnPlan,
  rows: readonly Cells[],
  options: TableOptions & TableKind,
): ReadResult<Dialect> {
  const prices = Object.values(plan.candle?.prices ?? {});
  const isValue = (at: number): boolean =>
    plan.columns[at] === "value" || plan.codes[at] !== undefined || prices.includes(at);
  const codeAt = plan.columns.indexOf("code");
  const codeOf = (text: unknown): string => options.named.get(cleanText(String(text)))?.code ?? String(text);
  const values = rows.flatMap((cells) =>
    cells.flatMap((cell, at) => {
      if (typeof cell !== "string" || !isValue(at) || isMissing(cell)) return [];
      const code = plan.codes[at] ?? options.code ?? codeOf(cells[codeAt]);
      return [{ text: cell, isRial: !code.endsWith("_USD") }];
    }),
  );
  const [time, sourceTime] = [plan.columns.indexOf("businessTime"), plan.columns.indexOf("sourceTime")];
  const times = rows.flatMap((cells) =>
    [timeText(cells, time, plan.clock) ?? [], timeText(cells, sourceTime) ?? []].flat(),
  );
  const codes = plan.isWide
    ? plan.codes.flatMap((code) => code ?? [])
    : textsOf(rows, codeAt).flatMap((text) => (text.trim() === "" ? [] : codeOf(text)));
  const beside = [...options.beside, ...textsBeside(plan, rows)];
  const assets = options.code === undefined ? codes : [options.code];
  const currency = otherCurrencyOf({ ...options, beside, codes: assets });
  if (currency !== undefined) return unread(currency);
  const decimal = findDecimal(values, options);
  if (!decimal.ok) return decimal;
  const titles = [...options.titles, ...options.beside.filter((text) => !PAIR_BESIDE.test(text))];
  const units: (StatedUnit | undefined)[] = [];
  for (const [at, name] of plan.names.entries()) {
    const answer = plan.codes[at]?.endsWith("_USD") ? undefined : options.unit; // `unit` applies only to rial.
    const stated = isValue(at) ? statedUnit({ name, unit: plan.units[at], titles, answer }) : ok(undefined);
    if (!stated.ok) return stated;
    units.push(stated.value);
  }
  const isDayAtWanted = options.dayAtMs !== undefined || options.notes?.sheet !== undefined;
  const survey = surveyTimes(times, {
    mayWriteDaysAsMidnights: isDayAtWanted && !options.isZoneKnown && !plan.candle,
    today: options.context.today,
    isAbroad: assets.every((code) => code.endsWith("_USD")),
    ...options,
    dayAtMs: options.dayAtMs ?? (plan.candle && 0),
    ...statedTimes(plan, rows, titles),
  });
  if (!survey.ok) return survey;
  const width = findWidth(plan, rows, { ...options, ...survey.value.times, hasDates: survey.value.hasDates });
  if (!width.ok) return width;
  const dates = dateQuestions(plan, rows, options);
  if (!dates.ok) return dates;
  const said = [...units.filter((one) => one?.by !== GIVEN), ...values.map(({ text }) => unitOfValue(text))];
  return ok({
    ...survey.value,
    marks: decimal.value.marks,
    hasSlashes: values.some(({ text }) => /\d\/\d/.test(cleanText(text))),
    units,
    hasUnits: values.some(({ text }) => unitOfValue(text) !== undefined),
    saysUnit:
      plan.unitColumn !== undefined ||
      said.some((one) => one && (one.unit.quote === "RLS" || options.code?.endsWith("_RLS"))),
    hasRial: codes.length === 0 || codes.some((code) => !code.endsWith("_USD")),
    candleMs: width.value.widthMs,
    questions: [
      ...dates.value,
      ...unitQuestions(plan, units),
      ...decimal.value.questions,
      ...survey.value.questions,
      ...width.value.questions,
    ],
  });
}

/** Returns the texts of ignored columns in the first rows, and the name of the value column if it states no unit. */
function textsBeside({ names, columns, codes, units, unitColumn }: ColumnPlan, rows: readonly Cells[]) {
  const cells = names.flatMap((name, at) => {
    const isRead = columns[at] !== undefined || codes[at] !== undefined || at === unitColumn;
    const texts = isRead ? [] : textsOf(rows, at).filter((text) => /\p{L}/u.test(text));
    return [...new Set(texts)].slice(0, MAX_TEXTS).map((text) => `${name}: ${text}`);
  });
  const value = columns.indexOf("value");
  return units[value] ? cells : [...cells, `column: ${names[value] ?? ""}`];
}

/** Returns the zone and the calendar that names of time columns state, or the zone of a title or a column of zones. */
function statedTimes({ names, columns, clock }: ColumnPlan, rows: readonly Cells[], titles: readonly string[]) {
  const own = [columns.indexOf("businessTime"), clock ?? -1]
    .flatMap((at) => names[at] ?? [])
    .map((name) => ({ by: `column "${name}"`, zone: zoneOf(name), ...timeName(name) }));
  const [zoned] = own.flatMap(({ zone, by }) => (zone === undefined ? [] : [{ zone: createZone(zone), by }]));
  const [dated] = own.flatMap(({ calendar, by }) => (calendar === undefined ? [] : [{ calendar, by }]));
  const zoneAt = names.findIndex((name) => ZONE_COLUMNS.includes(nameKey(name)));
  const [nearZone] = [...textsOf(rows, zoneAt), ...titles].flatMap((text) => zoneOf(text) ?? []);
  const unknown = own.find(({ zone, by }) => zone === undefined && OTHER_ZONE.test(cleanText(by)));
  const isPersian = own.some(({ by }) => /\p{Script=Arabic}/u.test(by));
  return { isPersian, statedZone: zoned, statedCalendar: dated, nearZone, unknownZone: unknown?.by };
}

/** If the names of some columns state toman, others may also be in toman, except columns whose name is a code. */
function unitQuestions({ codes, names, unitColumn }: ColumnPlan, units: Dialect["units"]): readonly OpenQuestion[] {
  const said = units.filter((one) => one?.unit.quote === "RLS");
  const unit = UNIT_ANSWERS.find((answer) => said.every((one) => one?.unit.name === answer));
  const silent = codes.findIndex(
    (code, at) => code?.endsWith("_RLS") && units[at] === undefined && nameKey(code) !== nameKey(names[at]!),
  );
  if (silent === -1 || unitColumn !== undefined || said.length === 0 || unit === undefined || unit === "rial")
    return [];
  return [{ set: { unit }, reason: `${said[0]!.by} says ${unit}, and column "${names[silent]!}" says nothing` }];
}

/** Finds the length of candles from the times of each asset, or from the start and the end in each row. */
function findWidth(
  { candle, columns, clock }: ColumnPlan,
  rows: readonly Cells[],
  options: TableOptions & Pick<Dialect, "hasDates">,
): ReadResult<CandleWidth> {
  const { intervalMs, hasDates } = options;
  if (!candle || intervalMs !== undefined) return ok({ widthMs: intervalMs ?? 0, questions: [] });
  const [code, start] = [columns.indexOf("code"), columns.indexOf("businessTime")];
  const read = createTimeReader({ ...options, isZoneKnown: true, dayAtMs: 0 });
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
    // Distances are not measured across a row with an unreadable time.
    if (found.length === 0) times.set({}, known ?? []).delete(key);
    else if (known) known.push(...found);
    else times.set(key, found);
  }
  // If the caller gives `dayAt` and all times are midnights, the file has dates without an hour.
  const areDays =
    options.answers.dayAt !== undefined && [...times.values()].flat().every((time) => time % DAY_MS === 0);
  return findCandleWidth(times.values(), hasDates || areDays);
}

/** The texts of a column. */
export function textsOf(rows: readonly Cells[], at: number): readonly string[] {
  return rows.flatMap((cells) => (typeof cells[at] === "string" ? [cells[at]] : []));
}
