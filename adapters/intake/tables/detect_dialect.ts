import { createZone, DAY_MS, ok } from "../../../core/internal.ts";
import type { UtcMillis } from "../../../core/mod.ts";
import type { AnswerContext, TableAnswers } from "./answers.ts";
import type { NamedAsset } from "./asset_names.ts";
import { type CandleOptions, type CandleWidth, findCandleWidth, nextStart } from "./candle_columns.ts";
import { cleanText, nameKey } from "./clean_text.ts";
import { mapping } from "./column_names.ts";
import { timeText } from "./date_and_clock.ts";
import { findDecimal } from "./detect_decimal_mark.ts";
import { GIVEN, type StatedUnit, statedUnit, UNIT_ANSWERS, unitOfValue } from "./detect_price_unit.ts";
import { type StatedTimes, surveyTimes, type TimeSurvey } from "./detect_time_format.ts";
import { otherCurrencyOf } from "./find_other_currency.ts";
import { type OpenQuestion, type ReadResult, unread } from "./open_questions.ts";
import { type DecimalMark, isMissing, type Marks } from "./parse_numbers.ts";
import { createTimeReader, type TimeOptions } from "./parse_times.ts";
import type { ColumnOptions, ColumnPlan } from "./plan_columns.ts";
import { isDateName, timeName, zoneOf } from "./time_names.ts";

/** What the caller says of a file. */
export interface TableOptions extends ColumnOptions, TimeOptions, CandleOptions {
  readonly decimal?: DecimalMark;
  /** What it is made of, to which further answers can be added. */
  readonly answers: TableAnswers;
  readonly context: AnswerContext;
}

/** How the numbers and times of a file are written, as its first rows show. */
export interface Dialect extends TimeSurvey {
  /** How times are read: as the options say, and the names of their columns. */
  readonly times: TimeOptions;
  /** How values in rial are read. */
  readonly marks: Marks;
  /** Whether commas, and whether slashes were seen in values. */
  readonly hasCommas: boolean;
  readonly hasSlashes: boolean;
  /** The unit of each cell that is a value, where all values of its column have one. */
  readonly units: readonly (StatedUnit | undefined)[];
  /** Whether units were seen beside values. */
  readonly hasUnits: boolean;
  /** Whether the file says itself what its values in rial are in, which no answer changes. */
  readonly saysUnit: boolean;
  /** Whether values can be in rial: unless all codes are those of values in US dollars. */
  readonly hasRial: boolean;
  /** How long candles are; 0 in other tables. */
  readonly candleMs: number;
  /** What they leave open. The rest is as if the options of these needs were given. */
  readonly questions: readonly OpenQuestion[];
}

const ZONE_COLUMNS = ["zone", "timezone", "tz", "منطقهزمانی"];

/** A pair names the unit in which its market trades, which may be another than that of the prices. */
const PAIR_BESIDE = /^[\w .]+: [^\W_]+[-/_][^\W_]+$/;
/** So many texts of a column are looked at. */
const MAX_TEXTS = 20;

/** What of a table is known before its rows. */
export interface TableKind {
  /** The lines above the header. */
  readonly titles: readonly string[];
  /** What stands beside the rows or below them: `market: EUR`. */
  readonly beside: readonly string[];
  /** Whether `1.234` US dollars are a fraction if no other value tells: not where spreadsheets write a decimal comma. */
  readonly isDotDecimal: boolean;
  /** What the codes in its first rows mean. */
  readonly named: ReadonlyMap<string, NamedAsset>;
}

/** Finds out how numbers and times are written, and in which unit values are. */
export function findDialect(
  plan: ColumnPlan,
  rows: readonly (readonly unknown[])[],
  options: TableOptions & TableKind,
): ReadResult<Dialect> {
  const prices = Object.values(plan.candle?.prices ?? {});
  const isValue = (at: number): boolean =>
    plan.columns[at] === "value" || plan.codes[at] !== undefined || prices.includes(at);
  const codeAt = plan.columns.indexOf("code");
  const codeOf = (text: unknown): string => options.named.get(cleanText(String(text)))?.code ?? String(text);
  const values = rows.flatMap((cells) =>
    cells.flatMap((cell, at) => {
      const isText = typeof cell === "string" && isValue(at) && !isMissing(cell);
      return isText
        ? [{ text: cell, isRial: !(plan.codes[at] ?? options.code ?? codeOf(cells[codeAt])).endsWith("_USD") }]
        : [];
    }),
  );
  const [time, sourceTime] = [plan.columns.indexOf("businessTime"), plan.columns.indexOf("sourceTime")];
  const times = rows.flatMap((cells) =>
    [timeText(cells, time, plan.clock) ?? [], timeText(cells, sourceTime) ?? []].flat(),
  );
  const codes = plan.isWide
    ? plan.codes.flatMap((code) => code ?? [])
    : textsOf(rows, (at) => plan.columns[at] === "code").flatMap((text) => (text.trim() === "" ? [] : codeOf(text)));
  const beside = [...options.beside, ...textsBeside(plan, rows)];
  const assets = options.code === undefined ? codes : [options.code];
  const currency = otherCurrencyOf({ ...options, beside, codes: assets });
  if (currency !== undefined) return unread(currency);
  const decimal = findDecimal(values, options);
  if (!decimal.ok) return decimal;
  const titles = [...options.titles, ...options.beside.filter((text) => !PAIR_BESIDE.test(text))];
  const units: (StatedUnit | undefined)[] = [];
  for (const [at, name] of plan.names.entries()) {
    const answer = plan.codes[at]?.endsWith("_USD") ? undefined : options.unit; // That is about rial.
    const stated = isValue(at) ? statedUnit({ name, unit: plan.units[at], titles, answer }) : ok(undefined);
    if (!stated.ok) return stated;
    units.push(stated.value);
  }
  const isDayAtWanted = options.dayAtMs !== undefined || options.notes?.sheet !== undefined;
  const survey = surveyTimes(times, {
    mayWriteDaysAsMidnights: isDayAtWanted && !options.isZoneKnown && !plan.candle,
    today: options.context.today,
    isAbroad: assets.every((code) => code.endsWith("_USD")),
    ...(plan.candle && { dayAtMs: 0 }),
    ...options,
    ...statedTimes(plan, rows, titles),
  });
  if (!survey.ok) return survey;
  const width = findWidth(plan, rows, { ...options, ...survey.value.times, hasDates: survey.value.hasDates });
  if (!width.ok) return width;
  const said = [...units.filter((one) => one?.by !== GIVEN), ...values.map(({ text }) => unitOfValue(text))];
  return ok({
    ...survey.value,
    marks: decimal.value.marks,
    hasCommas: values.some(({ text }) => /[,\u060c]/.test(text)),
    hasSlashes: values.some(({ text }) => /\d\/\d/.test(cleanText(text))),
    units,
    hasUnits: values.some(({ text }) => unitOfValue(text) !== undefined),
    saysUnit:
      plan.unitColumn !== undefined ||
      said.some((one) => one && (one.unit.quote === "RLS" || options.code?.endsWith("_RLS"))),
    hasRial: codes.length === 0 || codes.some((code) => !code.endsWith("_USD")),
    candleMs: width.value.widthMs,
    questions: [
      ...dateQuestions(plan, rows, options),
      ...unitQuestions(plan, units),
      ...decimal.value.questions,
      ...survey.value.questions,
      ...width.value.questions,
    ],
  });
}

/** What the first rows say in columns that are not read, and the name of the column of values where that says no unit. */
function textsBeside(
  { names, columns, codes, units, unitColumn }: ColumnPlan,
  rows: readonly (readonly unknown[])[],
): readonly string[] {
  const cells = names.flatMap((name, at) => {
    const isRead = columns[at] !== undefined || codes[at] !== undefined || at === unitColumn;
    const texts = isRead ? [] : textsOf(rows, (other) => other === at).filter((text) => /\p{L}/u.test(text));
    return [...new Set(texts)].slice(0, MAX_TEXTS).map((text) => `${name}: ${text}`);
  });
  const value = columns.indexOf("value");
  return units[value] ? cells : [...cells, `column: ${names[value] ?? ""}`];
}

/** What the names of the columns of times say; and what else may name their zone: a title, or a column of zones. */
function statedTimes(
  { names, columns, clock }: ColumnPlan,
  rows: readonly (readonly unknown[])[],
  titles: readonly string[],
): StatedTimes {
  const own = [columns.indexOf("businessTime"), clock ?? -1]
    .flatMap((at) => names[at] ?? [])
    .map((name) => ({ by: `column "${name}"`, zone: zoneOf(name), ...timeName(name) }));
  const [zoned] = own.flatMap(({ zone, by }) => (zone === undefined ? [] : [{ zone: createZone(zone), by }]));
  const [dated] = own.flatMap(({ calendar, by }) => (calendar === undefined ? [] : [{ calendar, by }]));
  const zoneAt = names.findIndex((name) => ZONE_COLUMNS.includes(nameKey(name)));
  const [nearZone] = [...textsOf(rows, (at) => at === zoneAt), ...titles].flatMap((text) => zoneOf(text) ?? []);
  const isPersian = own.some(({ by }) => /\p{Script=Arabic}/u.test(by));
  return {
    isPersian,
    ...(zoned && { statedZone: zoned }),
    ...(dated && { statedCalendar: dated }),
    ...(nearZone !== undefined && { nearZone }),
  };
}

/** Where another column of dates says other days. */
function dateQuestions(
  { names, columns, clock }: ColumnPlan,
  rows: readonly (readonly unknown[])[],
  options: TableOptions,
): readonly OpenQuestion[] {
  const at = columns.indexOf("businessTime");
  if (options.map.has("businessTime") || !isDateName(names[at] ?? "")) return [];
  const read = createTimeReader({ ...options, isZoneKnown: true, dayAtMs: 0 });
  const dayOf = (cell: unknown): string | undefined => {
    const time = read(timeText([cell], 0) ?? "");
    const millis = time.ok ? Date.parse(time.value) : NaN;
    return Number.isNaN(millis) ? undefined : options.zone.dateAt(millis as UtcMillis);
  };
  for (const [other, name] of names.entries()) {
    const row =
      other === at || !isDateName(name)
        ? undefined
        : rows.find((cells) => {
            const [day, same] = [dayOf(cells[at]), dayOf(cells[other])];
            return day !== undefined && same !== undefined && day !== same;
          });
    if (!row) continue;
    const reason = `its columns "${names[at]!}" and "${name}" say different days: "${String(row[at])}" and "${String(row[other])}"`;
    return [
      {
        ...mapping(
          "businessTime",
          [at, clock ?? []]
            .flat()
            .map((place) => names[place])
            .join("+"),
        ),
        reason,
      },
    ];
  }
  return [];
}

/** Where the names of some columns say toman, the others may be in toman, too; a code says its unit itself. */
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

/** How long the candles of a table are, by the times of each asset. A row with start and end tells by itself. */
function findWidth(
  { candle, columns, clock }: ColumnPlan,
  rows: readonly (readonly unknown[])[],
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
    // Over a row whose time cannot be read, there is no distance.
    if (found.length === 0) times.set({}, known ?? []).delete(key);
    else if (known) known.push(...found);
    else times.set(key, found);
  }
  // An hour for days says that midnights are days.
  const areDays =
    options.answers.dayAt !== undefined && [...times.values()].flat().every((time) => time % DAY_MS === 0);
  return findCandleWidth(times.values(), hasDates || areDays);
}

function textsOf(rows: readonly (readonly unknown[])[], isWanted: (at: number) => boolean): string[] {
  return rows.flatMap((cells) => cells.filter((cell, at): cell is string => typeof cell === "string" && isWanted(at)));
}
