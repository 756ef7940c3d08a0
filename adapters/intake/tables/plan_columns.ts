import { ok } from "../../../core/internal.ts";
import type { PriceService } from "../names/alias_table.ts";
import { assetColumns, assetQuestions } from "./asset_columns.ts";
import { assetOf, type NamedAsset, serviceOf } from "./asset_names.ts";
import { CANDLE_COLUMNS, type CandleColumns, findCandle, findCandleTime } from "./candle_columns.ts";
import { nameKey, quoted } from "./clean_text.ts";
import { findColumn, lack, NAMES_OF_CODE, NUMBERED, placeOf, suggested, withNames } from "./column_names.ts";
import { type DateParts, findDateAndClock, findDateParts, findGivenDay } from "./date_and_clock.ts";
import type { TableOptions } from "./detect_dialect.ts";
import { type Unit, unitOfHeader } from "./detect_price_unit.ts";
import { karatColumn } from "./gold_karats.ts";
import { type OpenQuestion, type ReadResult, unread } from "./open_questions.ts";
import { COLUMNS, type Column } from "./record_columns.ts";
import { timeName } from "./time_names.ts";

/** Facts about the source of a table. */
export interface SourceNotes {
  /** The original form in words, such as `sheet "Prices" of "Prices", "Notes"`. */
  form?: string;
  sheet?: string;
  /** The name of the only file in an archive. */
  entry?: string;
}

/** The meaning of each cell of a row. */
export interface ColumnPlan {
  readonly names: readonly string[];
  /** The import format's column for each cell of a row; `undefined` for a cell that is not imported. */
  readonly columns: readonly (Column | undefined)[];
  readonly isWide: boolean;
  /** The assets in the names of value columns. */
  readonly assets: readonly (NamedAsset | undefined)[];
  /** The known service whose names the table uses. */
  readonly service: PriceService | undefined;
  /** In wide tables, the asset of each cell that contains a value. */
  readonly codes: readonly (string | undefined)[];
  /** The cell with the hours, if `businessTime` has only the date. */
  readonly clock: number | undefined;
  /** The cells that together make `businessTime`, e.g. year, month and day. */
  readonly dateParts: DateParts | undefined;
  /** The cells of a candle, whose close is `value`. */
  readonly candle: CandleColumns | undefined;
  /** The units that the names of columns state. */
  readonly units: readonly (Unit | undefined)[];
  /** The cell with the unit of its row. */
  readonly unitColumn: number | undefined;
  /** Another cell with the asset's name, which must be the same in all rows if `code` is given. */
  readonly label: number | undefined;
  /** A row is read only if these cells have these texts. */
  readonly where: readonly (readonly [at: number, key: string])[];
  /** Names of columns that are not in the import format, each once. */
  readonly ignored: readonly string[];
  /** Columns of the import format that have other names in the file. */
  readonly renamed: readonly (readonly [column: Column, name: string])[];
  /** The open questions. The plan assumes their suggested answers. */
  readonly questions: readonly OpenQuestion[];
}

const UNIT_COLUMNS = "unit currency quote quoteunit quotecurrency quoteasset vscurrency واحد واحدپول".split(" ");

/** Plans the columns of a table by the names in its header. */
export function planColumns(given: readonly string[], options: TableOptions): ReadResult<ColumnPlan> {
  const { code, wide } = options;
  const byName = withNames(options.map, given);
  const dateParts = options.day === undefined ? findDateParts(given, byName) : findGivenDay(given, byName, options.day);
  const names = dateParts ? [...given, dateParts.name] : given;
  const map = dateParts ? new Map([...byName, ["businessTime", dateParts.name]]) : byName;
  const { service, questions: serviceQuestions } = serviceOf(names, options);
  const plain = names.map((name) => name.replace(NUMBERED, ""));
  // If a name with its unit means an asset, the unit is not split off.
  const stated = plain.map((name) => (assetOf(name, { ...options, service }) ? undefined : unitOfHeader(name)));
  const bare = plain.map((name, at) => stated[at]?.rest ?? timeName(name)?.rest ?? name);
  const assets = bare.map((name, at) => assetOf(name, { ...options, service, quote: stated[at]?.unit.quote }));
  const keys = bare.map(nameKey);
  const columns: (Column | undefined)[] = names.map(() => undefined);
  const renamed: [Column, string][] = [];
  const questions: OpenQuestion[] = [];
  const missing: Column[] = [];
  const isLong = !wide && code === undefined;
  const [date, clock] = findDateAndClock(plain, map) ?? [];
  const mapped = [...map.values()].map(nameKey);
  const candleKeys = [...keys];
  for (const column of CANDLE_COLUMNS) {
    const at = map.has(column) ? placeOf(map.get(column)!, names, keys) : undefined;
    if (at?.ok === false) return at;
    if (!at) continue;
    const other = candleKeys.indexOf(column);
    if (other !== -1) candleKeys[other] = "";
    candleKeys[at.value] = column;
  }
  let candle: CandleColumns | undefined;
  for (const column of COLUMNS) {
    if (wide && (column === "code" || column === "value")) continue;
    const isDate = column === "businessTime" && date !== undefined;
    const found = isDate
      ? ok({ at: date, question: undefined })
      : findColumn(column, { names, keys, map, takesSynonyms: column !== "code" || isLong });
    if (!found.ok) return found;
    if (column === "value") {
      candle = findCandle(candleKeys, { at: found.value.at, isMapped: map.has(column) });
      const other = CANDLE_COLUMNS.find((price) => price !== "close" && map.has(price));
      if (!candle && other) return unread(`it has no candles, and the column of their ${other} was given`);
    }
    let ofCandle: number | undefined;
    if (column === "value") ofCandle = candle?.prices.close;
    else if (column === "businessTime" && candle) ofCandle = findCandleTime(candleKeys);
    // If a candle has both start and end, a third time column is ignored.
    const hasBothEnds = ofCandle !== undefined && candle?.end !== undefined && candle.end !== ofCandle;
    const isBounded = hasBothEnds && !isDate && !map.has(column);
    const at = isBounded ? ofCandle : (found.value.at ?? ofCandle ?? fallback(column));
    if (found.value.question && !isBounded) questions.push(found.value.question);
    if (at !== undefined) {
      if (column === "code" && code !== undefined)
        return unread(`its header has ${column}, and ${code} was given for all rows`);
      if (columns[at] !== undefined)
        return unread(`its column "${names[at]!}" cannot be both ${columns[at]} and ${column}`);
      columns[at] = column;
      if (nameKey(column) !== keys[at]) renamed.push([column, names[at]!]);
    } else if (column === "code" ? isLong : column === "businessTime" || column === "value") {
      missing.push(column);
      const isFree = (other: number): boolean =>
        columns[other] === undefined && !mapped.includes(nameKey(names[other]!));
      const freeKeys = keys.map((key, other) => (isFree(other) ? key : ""));
      const guess = suggested(column, freeKeys);
      questions.push(lack(column, names, names[guess]));
      if (guess !== -1) columns[guess] = column;
    }
  }
  const isTwice = (column: Column): boolean => names.includes(`${names[columns.indexOf(column)] ?? ""} #2`);
  if (isTwice("code") && isTwice("value") && !map.has("code"))
    return unread("it has two tables side by side: save each in a separate file");
  const isNarrow = isLong && missing.includes("code") && missing.includes("value");
  const isOpen = (at: number): boolean => columns[at] === undefined || missing.includes(columns[at]);
  const assetCount = assets.filter((asset, at) => asset && isOpen(at)).length;
  if (isNarrow && (assetCount > 1 || (assetCount === 1 && columns.includes("businessTime")))) {
    const plan = planColumns(given, { ...options, wide: true });
    if (!plan.ok || assetCount > 1) return plan;
    const reason = `its only column of values is named after an asset: its header is ${quoted(names.join(","))}`;
    return ok({ ...plan.value, questions: [{ set: { wide: true }, reason }, ...plan.value.questions] });
  }
  const codes = wide ? assetColumns({ names, keys, assets }, columns, map) : ok(names.map(() => undefined));
  if (!codes.ok) return codes;
  const named = assets.map((asset, at) =>
    asset && (codes.value[at] === asset.code || columns[at] === "value") ? asset : undefined,
  );
  if (wide) {
    questions.push(...serviceQuestions, ...assetQuestions(names, codes.value, { ...options, service }));
    questions.push(...named.flatMap((asset) => asset?.question ?? []));
  }
  const prices = Object.values(candle?.prices ?? {});
  const unitColumn = keys.findIndex((key, at) => columns[at] === undefined && UNIT_COLUMNS.includes(key));
  const where: (readonly [number, string])[] = [];
  for (const [name, text] of options.where) {
    const at = placeOf(name, names, keys);
    if (!at.ok) return at;
    where.push([at.value, nameKey(text)]);
  }
  const karat = code === undefined ? karatColumn(names) : -1;
  const dateAndWhere = [...(dateParts?.places ?? []), ...where.map(([at]) => at)];
  const others = [clock, unitColumn, candle?.end, ...prices, ...dateAndWhere, karat];
  const isIgnored = (name: string, at: number): boolean =>
    name !== "" && columns[at] === undefined && codes.value[at] === undefined && !others.includes(at);
  const label = keys.findIndex((key, at) => columns[at] === undefined && NAMES_OF_CODE.includes(key));
  const units = names.map((_, at) => {
    const isPrice = prices.includes(at);
    if (columns[at] !== "value" && codes.value[at] === undefined && !isPrice) return undefined;
    // All prices of a candle have the unit of its close.
    return stated[at]?.unit ?? named[at]?.unit ?? (isPrice ? stated[candle!.prices.close]?.unit : undefined);
  });
  return ok({
    ...{ names, columns, isWide: wide, assets: named, service, codes: codes.value, clock, dateParts, candle },
    ...{ renamed, questions, where, units },
    ignored: [...new Set(names.filter(isIgnored))],
    label: label === -1 ? undefined : label,
    unitColumn: unitColumn === -1 ? undefined : unitColumn,
  });

  /** Finds a value column named after the asset of `code`, or an unnamed first column of times, as in data frames. */
  function fallback(column: Column): number | undefined {
    if (column === "businessTime" && keys[0] === "") return 0;
    if (column !== "value" || code === undefined) return undefined;
    const at = bare.findIndex((name) => options.names.find(name, service).codes.some((one) => one === code));
    return at === -1 || columns[at] !== undefined ? undefined : at;
  }
}
