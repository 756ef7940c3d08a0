import { ok } from "../../../core/internal.ts";
import type { CalendarDate } from "../../../core/mod.ts";
import type { PriceService } from "../names/alias_table.ts";
import type { AssetNames } from "../names/find_asset.ts";
import { assetOf, type NameContext, type NamedAsset, serviceOf } from "./asset_names.ts";
import { CANDLE_COLUMNS, type CandleColumns, findCandle, findCandleTime } from "./candle_columns.ts";
import { nameKey } from "./clean_text.ts";
import {
  findColumn,
  headerInWords,
  lack,
  mapping,
  NAMES_OF_CODE,
  NUMBERED,
  placeOf,
  suggested,
  withNames,
} from "./column_names.ts";
import { type DateParts, findDateAndClock, findDateParts, findGivenDay } from "./date_and_clock.ts";
import { type Unit, type UnitAnswer, unitOfHeader } from "./detect_price_unit.ts";
import { karatColumn } from "./gold_karats.ts";
import { type OpenQuestion, type ReadResult, unread } from "./open_questions.ts";
import { COLUMNS, type Column } from "./record_columns.ts";
import { timeName } from "./time_names.ts";

/** What is known of the source of a table, besides its rows. */
export interface SourceNotes {
  /** What it was before it was text, in words: `sheet "Prices" of "Prices", "Notes"`. */
  form?: string;
  /** The name of the sheet that is read. */
  sheet?: string;
  /** The name of the only file in an archive. */
  entry?: string;
}

/** What the caller says of the columns of a file. */
export interface ColumnOptions {
  /** The text that rows must have in a column to be read, by its name in the file. */
  readonly where: ReadonlyMap<string, string>;
  /** Names of columns in the file, by the import format's name or, in wide tables, by the asset code. */
  readonly map: ReadonlyMap<string, string>;
  /** The asset of all records of a file without a code column. */
  readonly code: string | undefined;
  /** Whether each asset has a column of its own. */
  readonly wide: boolean;
  /** What names of assets mean. */
  readonly names: AssetNames;
  /** The unit of values of codes that end in `_RLS`; `undefined` stands for rial. */
  readonly unit?: UnitAnswer;
  /** The day of all rows. */
  readonly day?: CalendarDate;
  /** The name of the file, which may be that of its asset. */
  readonly file?: string;
  /** What is said about the file. */
  readonly notes?: Readonly<SourceNotes>;
}

/** Which cell of a row is what. */
export interface ColumnPlan {
  readonly names: readonly string[];
  /** The column of the import format that each cell belongs to; `undefined` for cells that are not read, and values of wide tables. */
  readonly columns: readonly (Column | undefined)[];
  /** Whether each asset has a column of its own. */
  readonly isWide: boolean;
  /** The assets that columns of values are named by. */
  readonly assets: readonly (NamedAsset | undefined)[];
  /** The service of the table, if its names are of one that is known. */
  readonly service: PriceService | undefined;
  /** In wide tables, the asset of each cell that is a value. */
  readonly codes: readonly (string | undefined)[];
  /** The cell with the hours of `businessTime`, whose own cell is the date. */
  readonly clock: number | undefined;
  /** The cells of which the last one is joined, that of `businessTime`. */
  readonly dateParts: DateParts | undefined;
  /** The cells of a candle, whose close is `value`. */
  readonly candle: CandleColumns | undefined;
  /** The unit that the name of a column says. */
  readonly units: readonly (Unit | undefined)[];
  /** The cell that says the unit of its row. */
  readonly unitColumn: number | undefined;
  /** The cell that names the asset as well. With `code` given, it must be the same in all rows. */
  readonly label: number | undefined;
  /** The cells that a row must have to be read, and their texts as they are compared. */
  readonly where: readonly (readonly [at: number, key: string])[];
  /** Names that are not part of the import format, each once. */
  readonly ignored: readonly string[];
  /** Columns that were found by another name than the import format's: the format's name, and the file's. */
  readonly renamed: readonly (readonly [column: Column, name: string])[];
  /** What the header leaves open. The rest is as if the options of these needs were given, as far as they can be guessed. */
  readonly questions: readonly OpenQuestion[];
}

const UNIT_COLUMNS: readonly string[] = [
  ...["unit", "currency", "quote", "quoteunit", "quotecurrency", "quoteasset", "vscurrency"],
  ...["واحد", "واحدپول"],
];

/** What the name of a column of buying prices ends with; those of selling prices name the asset. */
const BUYING = /(?<![\s_(-])[\s_(-]+(?:buy|bid|kharid|خرید)\)?$/i;
/** Finds the columns of a table by the names in its header. What these leave open is part of the plan. */
export function planColumns(given: readonly string[], options: ColumnOptions): ReadResult<ColumnPlan> {
  const { code, wide } = options;
  const byName = withNames(options.map, given);
  const dateParts = options.day === undefined ? findDateParts(given, byName) : findGivenDay(given, byName, options.day);
  const names = dateParts ? [...given, dateParts.name] : given;
  const map = dateParts ? new Map([...byName, ["businessTime", dateParts.name]]) : byName;
  const { service, questions: serviceQuestions } = serviceOf(names, options);
  const plain = names.map((name) => name.replace(NUMBERED, ""));
  // The name of an asset tells its unit itself.
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
    // Beside start and end of a candle, another time says neither.
    const isBounded =
      ofCandle !== undefined && candle?.end !== undefined && candle.end !== ofCandle && !isDate && !map.has(column);
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
      const guess = suggested(
        column,
        keys.map((key, other) => (isFree(other) ? key : "")),
      );
      questions.push(lack(column, names, names[guess]));
      if (guess !== -1) columns[guess] = column;
    }
  }
  const isTwice = (column: Column): boolean => names.includes(`${names[columns.indexOf(column)] ?? ""} #2`);
  if (isTwice("code") && isTwice("value") && !map.has("code"))
    return unread("it has two tables side by side: save each as a file of its own");
  const assetCount = assets.filter(
    (asset, at) => asset && (columns[at] === undefined || missing.includes(columns[at])),
  ).length;
  const isNarrow = isLong && missing.includes("code") && missing.includes("value");
  if (isNarrow && assetCount > 1) return planColumns(given, { ...options, wide: true });
  if (isNarrow && assetCount === 1 && columns.includes("businessTime"))
    return withWide(planColumns(given, { ...options, wide: true }), names);
  const codes = wide ? assetColumns(names, columns, { map, assets, bare }) : ok(names.map(() => undefined));
  if (!codes.ok) return codes;
  const named = assets.map((asset, at) =>
    asset && (codes.value[at] === asset.code || columns[at] === "value") ? asset : undefined,
  );
  if (wide)
    questions.push(
      ...serviceQuestions,
      ...assetQuestions(names, codes.value, { ...options, service }),
      ...named.flatMap((asset) => asset?.question ?? []),
    );
  const prices = Object.values(candle?.prices ?? {});
  const unitColumn = keys.findIndex((key, at) => columns[at] === undefined && UNIT_COLUMNS.includes(key));
  const where: (readonly [number, string])[] = [];
  for (const [name, text] of options.where) {
    const at = placeOf(name, names, keys);
    if (!at.ok) return at;
    where.push([at.value, nameKey(text)]);
  }
  const karat = code === undefined ? karatColumn(names) : -1;
  const others = [
    clock,
    unitColumn,
    candle?.end,
    ...prices,
    ...(dateParts?.places ?? []),
    ...where.map(([at]) => at),
    karat,
  ];
  const isIgnored = (name: string, at: number): boolean =>
    name !== "" && columns[at] === undefined && codes.value[at] === undefined && !others.includes(at);
  const label = keys.findIndex((key, at) => columns[at] === undefined && NAMES_OF_CODE.includes(key));
  // All prices of a candle have the unit of its close.
  const unitOf = (at: number): Unit | undefined =>
    stated[at]?.unit ??
    named[at]?.unit ??
    (candle && prices.includes(at) ? stated[candle.prices.close]?.unit : undefined);
  return ok({
    ...{
      names,
      columns,
      isWide: wide,
      assets: named,
      service,
      codes: codes.value,
      clock,
      dateParts,
      candle,
      renamed,
      questions,
      where,
    },
    ignored: [...new Set(names.filter(isIgnored))],
    units: names.map((_, at) =>
      columns[at] === "value" || codes.value[at] !== undefined || prices.includes(at) ? unitOf(at) : undefined,
    ),
    label: label === -1 ? undefined : label,
    unitColumn: unitColumn === -1 ? undefined : unitColumn,
  });

  /** A column of values that is named by the asset of `code`; a first column without a name, as the index of a data frame has none. */
  function fallback(column: Column): number | undefined {
    if (column === "businessTime" && keys[0] === "") return 0;
    const at =
      column === "value" && code !== undefined
        ? bare.findIndex((name) => options.names.find(name, service).codes.some((one) => one === code))
        : -1;
    return at === -1 || columns[at] !== undefined ? undefined : at;
  }
}

function assetColumns(
  names: readonly string[],
  columns: readonly (Column | undefined)[],
  {
    map,
    assets,
    bare,
  }: Pick<ColumnOptions, "map"> & {
    readonly assets: readonly (NamedAsset | undefined)[];
    readonly bare: readonly string[];
  },
): ReadResult<readonly (string | undefined)[]> {
  const keys = bare.map(nameKey);
  const codes = assets.map((asset, at) =>
    asset && columns[at] === undefined && !map.has(asset.code) ? asset.code : undefined,
  );
  for (const [code, name] of map) {
    if ([...COLUMNS, ...CANDLE_COLUMNS].some((column) => column === code)) continue;
    const at = placeOf(name, names, keys);
    if (!at.ok) return at;
    codes[at.value] = code;
  }
  return ok(codes);
}

/** What a header without asset columns, or with several of one asset, leaves open. */
function assetQuestions(
  names: readonly string[],
  codes: readonly (string | undefined)[],
  options: ColumnOptions & NameContext,
): readonly OpenQuestion[] {
  if (codes.every((code) => code === undefined))
    return [
      { set: {}, missing: "asset", reason: `no column of its header is an asset: it is ${headerInWords(names)}` },
    ];
  return codes.flatMap((code, at) => {
    const isTwice = code !== undefined && codes.indexOf(code) === at && codes.lastIndexOf(code) !== at;
    const buying = names.find(
      (name) => code !== undefined && BUYING.test(name) && assetOf(name.replace(BUYING, ""), options)?.code === code,
    );
    const isOpen = isTwice || (buying !== undefined && buying !== names[at] && !options.map.has(code!));
    return isOpen
      ? [
          {
            ...mapping(code!, names[at]!),
            reason: `its header has two columns of ${code}${buying === undefined ? "" : `: "${buying}" as well`}`,
          },
        ]
      : [];
  });
}

/** A plan of a table in which each asset has a column, which the caller has not said. */
function withWide(plan: ReadResult<ColumnPlan>, names: readonly string[]): ReadResult<ColumnPlan> {
  const question = {
    set: { wide: true },
    reason: `its only column of values is named by an asset: its header is ${headerInWords(names)}`,
  };
  return plan.ok ? ok({ ...plan.value, questions: [question, ...plan.value.questions] }) : plan;
}
