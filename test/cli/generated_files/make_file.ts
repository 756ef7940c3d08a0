import { DAY, HOUR, MINUTE } from "../../support/generators.ts";
import { createRandom, type Random } from "../../support/seeded_random.ts";
import { serial } from "../../support/xlsx.ts";
import { record } from "../odd_files/odd_file.ts";
import { ASSETS, type Dialect, KINDS, SHARES, UNITS, wordIn } from "./dialects.ts";
import { type Cell, type Table, writeTables } from "./write_tables.ts";

/** A file with known prices, and what its owner knows about it. */
export interface GeneratedFile {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** The file as readable text. */
  readonly text: string;
  /** The options that the owner gives from the start. */
  readonly options: readonly string[];
  /** The right records, in the form of `record`. */
  readonly truth: readonly string[];
  /** Records that are also right: gold of another karat. */
  readonly others: readonly string[];
  readonly isWhole: boolean;
  /** The owner's answers by option; for `--map`, `--names` and `--where`, by option and name, e.g. `map value`. */
  readonly answers: Readonly<Record<string, string | undefined>>;
  /** The options whose right value the file itself shows. */
  readonly tells: readonly string[];
}

type Code = Dialect["code"];

/** The prices at a time. The file shows this time as `shown`, which may be the start of a candle. */
interface Moment {
  readonly at: number;
  readonly time: number;
  readonly shown: number;
  readonly prices: ReadonlyMap<Code, number>;
}

/** A row. `isOther` means that the row is of the kind that does not count. */
type Row = Moment & { readonly code: Code; readonly isOther: boolean };

/** A column. A row of totals has the sum of the column's amounts. */
interface Column {
  readonly name: string;
  readonly amount?: (row: Row) => number;
  readonly cell: (row: Row, at: number) => Cell;
}

const TEHRAN = 3.5 * HOUR;
const [FIRST_KNOWN, LAST_KNOWN] = [Date.parse("2024-01-15"), Date.parse("2026-08-21")];
const COUNTED: Readonly<Record<string, number>> = { seconds: 1_000, milliseconds: 1, microseconds: 0.001 };

/** Makes a file in a dialect, with prices that depend on the seed. */
export function makeFile(d: Dialect, seed: number): GeneratedFile {
  const [isWide, isCandle] = [d.table === "a column for each asset", d.table === "candles"];
  const [isOfAssets, hasHours] = [d.container.endsWith("of assets"), d.clock !== "none" || d.day in COUNTED];
  const isMany = isWide || isOfAssets || d.table === "a column of assets";
  const alike = (Object.keys(ASSETS) as Code[]).filter((code) => code.slice(-3) === d.code.slice(-3));
  const codes = isMany ? [d.code, alike[(alike.indexOf(d.code) + 1) % alike.length]!] : [d.code];
  const own = d.code.endsWith("_RLS") ? "rial" : "dollar";
  const [english, persian, unitLetters, divisor] = UNITS[d.unit === "its own" ? own : d.unit];
  const unit = d.language === "persian" ? persian : english;
  const word = (name: string): string => wordIn(d.language, name);
  const nameOf = (code: Code): string => {
    const [letters, persian] = ASSETS[code];
    return { code, letters, persian, pair: unitLetters === "" ? letters : `${letters}-${unitLetters}` }[d.assetNames];
  };
  const moments = momentsOf(d, codes, createRandom(seed));
  const { number, day, clock } = cellsOf(d);
  const price = (value: number): Cell => number(value / divisor, d.unitIn === "cells" ? ` ${unit}` : "");

  // The columns.
  const kindName = d.kinds === "type in turn" ? "type" : d.kinds;
  const kind = kindName === "none" ? undefined : KINDS[kindName];
  const priceOf = ({ prices, code, isOther }: Row): number => prices.get(code)! * (isOther && kind ? kind[2] : 1);
  const unitInHeader = d.unitIn === "header" ? ` (${unit})` : "";
  const priced = (name: string, amount: (row: Row) => number): Column => {
    return { name: name + unitInHeader, amount, cell: (row) => price(amount(row)) };
  };
  const column = (name: string): Column => {
    const cells: Readonly<Record<string, Column["cell"]>> = {
      date: ({ shown }) => day(shown),
      time: ({ shown }) => clock(shown),
      symbol: ({ code }) => nameOf(code),
      unit: () => unit,
      "no.": (_, at) => at + 1,
      "item code": ({ code }) => 24_513 + codes.indexOf(code),
      code: () => 24_513,
      count: ({ at }) => number(at + 2),
      volume: ({ at }) => number(1_234.5 + at),
      "change %": ({ at }) => number(0.52 + at / 10, "%"),
      "entry date": ({ shown }) => day(shown + 5 * DAY),
      [kindName]: ({ isOther }) => word(kind?.[isOther ? 1 : 0] ?? ""),
    };
    if (cells[name]) return { name: word(name), cell: cells[name] };
    return priced(
      word(name),
      (row) => priceOf(row) * (name === "total" || name === "value" ? row.at + 2 : (SHARES[name] ?? 1)),
    );
  };
  const date = { ...column("date"), name: word("date") + (d.clock === "in UTC by the header" ? " (UTC)" : "") };
  const valueName = d.extra === "buying price" ? "selling price" : "price";
  let values = (isCandle ? d.candle.split(", ") : [valueName]).map(column);
  if (isWide) values = codes.map((code) => priced(nameOf(code), ({ prices }) => prices.get(code)!));
  const extrasAt = (at: Dialect["extraAt"]): readonly Column[] =>
    d.extra === "none" || d.extraAt !== at ? [] : d.extra.split(", ").map(column);
  const columns: readonly Column[] = [
    ...extrasAt("first"),
    date,
    ...(d.clock === "in a column" ? [column("time")] : []),
    ...(d.table === "a column of assets" ? [column("symbol")] : []),
    ...(kind ? [column(kindName)] : []),
    ...[...extrasAt("before the value"), ...values],
    ...(d.unitIn === "column" ? [column("unit")] : []),
    ...extrasAt("last"),
  ];

  // The rows.
  const isBad = ({ at }: Moment): boolean => d.noise.startsWith("bad") && at === 1;
  const isOtherAt = ({ at }: Moment): boolean => d.kinds === "type in turn" && at % 2 === 1;
  const tableOf = (name: string, some: readonly Moment[], ofCodes = codes): Table => {
    const rows = some.flatMap((moment) =>
      (isWide ? [d.code] : ofCodes).flatMap((code): Row[] => {
        const row = { ...moment, code, isOther: isOtherAt(moment) };
        return kind && d.kinds !== "type in turn" ? [row, { ...row, isOther: true }] : [row];
      }),
    );
    const body: Cell[][] = rows.map((row, at) =>
      columns.map((one) => {
        if (isBad(row) && d.noise === "bad value" && values.includes(one)) return "19o5?";
        return isBad(row) && d.noise === "bad time" && one === date ? "yesterday" : one.cell(row, at);
      }),
    );
    const summary = (label: string, upTo: number, parts = 1): Cell[] =>
      columns.map(({ name, amount }) => {
        const isDated = d.noise === "dated total";
        if (name === date.name) return isDated ? day(rows[0]!.shown) : word(label);
        if (name === word("symbol") && isDated) return word(label);
        return amount ? price(rows.slice(0, upTo).reduce((sum, row) => sum + amount(row), 0) / parts) : "";
      });
    const [half, header] = [Math.ceil(rows.length / 2), columns.map((one) => one.name)];
    if (d.noise === "sub-totals") body.splice(half, 0, summary("Total", half));
    if (d.noise === "blank lines") body.splice(half, 0, []);
    if (d.noise === "header again") body.splice(half, 0, header);
    if (d.noise === "average") body.push(summary("Average", rows.length, rows.length));
    if (d.noise.includes("total")) body.push(summary("Total", rows.length));
    const statement = d.language === "persian" ? `قیمت‌ها به ${unit} است` : `Prices in ${unit}`;
    const top = d.language === "no header" ? [] : [header];
    if (d.unitIn === "title") top.unshift([statement]);
    if (d.unitIn === "row below the header") top.push(columns.map((one) => (values.includes(one) ? unit : "")));
    const lines = [...top, ...body, ...(d.unitIn === "footer" ? [[`* ${statement}`]] : [])];
    return { name, header: d.language === "no header" ? undefined : header, body, lines };
  };
  const half = Math.ceil(moments.length / 2);
  let tables = [tableOf(d.unitIn === "sheet name" ? unit : "Sheet1", moments)];
  if (isOfAssets) tables = codes.map((code) => tableOf(nameOf(code), moments, [code]));
  if (d.container.endsWith("of parts"))
    tables = [tableOf("1", moments.slice(0, half)), tableOf("2", moments.slice(half))];

  // What is known.
  const isNamedByPair = unitLetters !== "" && nameOf(d.code).endsWith(`-${unitLetters}`) && !isMany;
  const base = (d.fileName === "asset" || d.unitIn === "file name") && !isMany ? nameOf(d.code) : "prices";
  const order = d.day.replaceAll(/j|onth|on|[^YyMmD]/g, "").toLowerCase();
  // Only the names of columns can tell that a time is the start of a candle: there is no option for it.
  const isStart = isCandle && hasHours && (d.language === "unknown" || d.language === "no header");
  // The columns of a table without a header have these names.
  const headed = (name: string): string =>
    d.language === "no header" ? `column ${columns.findIndex((one) => one.name === name) + 1}` : name;
  const right = moments.filter((moment) => d.unit !== "euro" && !isBad(moment) && !isOtherAt(moment));
  return {
    ...writeTables(d, d.unitIn === "file name" && !isNamedByPair ? `${base}-${unit}` : base, tables),
    options: ["--yes", "--day-at", "16:30", ...(!isMany && d.given === "code" ? ["--code", d.code] : [])],
    truth: right.flatMap(({ time, prices }) => codes.map((code) => record(code, prices.get(code)!, time))),
    others:
      d.kinds === "karat"
        ? right.map(({ time, prices }) =>
            record("GOLD_24_RLS", Number((prices.get(d.code)! * KINDS.karat[2]).toPrecision(9)), time),
          )
        : [],
    isWhole: d.unit !== "euro" && !moments.some((moment) => isBad(moment) && !isOtherAt(moment)),
    answers: {
      code: codes.length === 1 || isOfAssets ? codes.join(",") : undefined,
      unit: { rial: "rial", toman: "toman" }[d.unit === "its own" ? own : (d.unit as string)],
      decimal: d.decimal === "٫" ? undefined : d.decimal,
      calendar: d.day.startsWith("j") ? "jalali" : "gregorian",
      "date-order": order.length === 3 ? order : undefined,
      zone: d.clock.startsWith("in UTC") ? "UTC" : "Asia/Tehran",
      interval: hasHours ? "1h" : "1d",
      wide: isWide ? "" : undefined,
      "map businessTime": headed(date.name) + (d.clock === "in a column" ? `+${headed(word("time"))}` : ""),
      "map value": isStart ? undefined : headed(word(isCandle ? "close" : valueName) + unitInHeader),
      "map code": headed(word("symbol")),
      [`where ${headed(word(kindName))}`]: kind && word(kind[0]),
      ...(isCandle && d.language === "no header"
        ? Object.fromEntries(d.candle.split(", ").map((name) => [`map ${name}`, headed(name + unitInHeader)]))
        : {}),
      ...Object.fromEntries(codes.map((code) => [`map ${code}`, isWide ? nameOf(code) + unitInHeader : undefined])),
      ...Object.fromEntries(codes.map((code) => [`names ${nameOf(code)}`, code])),
    },
    tells: [...(d.unitIn === "nothing" ? [] : ["unit"]), ...(d.clock.startsWith("in UTC") ? ["zone"] : [])],
  };
}

/** The prices at each time: roughly true prices, with random changes of a few percent. */
function momentsOf(d: Dialect, codes: readonly Code[], { below }: Random): readonly Moment[] {
  const [hasHours, last] = [d.clock !== "none" || d.day in COUNTED, Date.parse(d.lastDay) - TEHRAN];
  const isHourly = d.table === "candles" && hasHours;
  const moves = new Map<Code, number>();
  const moments = Array.from({ length: d.rows }, (_, at): Moment => {
    const ofDay = hasHours ? 9 * HOUR + below(100) * 5 * MINUTE : 16.5 * HOUR;
    const time = last + (isHourly ? (at + 1) * HOUR : ofDay - (d.rows - 1 - at) * d.daysApart * DAY);
    const prices = codes.map((code): [Code, number] => {
      const [, , then, now] = ASSETS[code];
      moves.set(code, (moves.get(code) ?? 1) * (1 + (below(41) - 20) / 1_000));
      const level = then * (now / then) ** ((time - FIRST_KNOWN) / (LAST_KNOWN - FIRST_KNOWN));
      return [code, Number((level * moves.get(code)!).toPrecision(code.endsWith("_RLS") ? 4 : 6))];
    });
    return { at, time, shown: isHourly ? time - HOUR : time, prices: new Map(prices) };
  });
  return d.order === "descending" ? moments.reverse() : moments;
}

/** Functions that write numbers and times as cells. */
function cellsOf(d: Dialect): {
  number(value: number, behind?: string): Cell;
  day(time: number): Cell;
  clock(time: number): string;
} {
  const digits = (text: string): string => {
    const zero = { latin: 0x30, persian: 0x6f0, arabic: 0x660 }[d.digits];
    return text.replace(/\d/g, (digit) => String.fromCharCode(zero + Number(digit)));
  };
  const local = (time: number): string => new Date(time + (d.clock.startsWith("in UTC") ? 0 : TEHRAN)).toISOString();
  return {
    number(value, behind = "") {
      const rounded = Number(value.toPrecision(9));
      if (behind + d.thousands === "" && d.digits === "latin" && d.decimal === ".") return rounded;
      const [whole = "", fraction] = String(rounded).split(".");
      const grouped = whole.replace(/\B(?=(\d{3})+$)/g, d.thousands);
      return digits(fraction === undefined ? grouped : grouped + d.decimal + fraction) + behind;
    },
    day(time) {
      if (d.day in COUNTED) return time / COUNTED[d.day]!;
      const [date, minutes] = [local(time).slice(0, 10), local(time).slice(11, 16)];
      if (d.day === "excel") return { date: serial(d.clock === "beside the day" ? `${date}T${minutes}Z` : date) };
      const clocks = {
        "in UTC": `T${minutes}:00Z`,
        "with +03:30": `T${minutes}:00+03:30`,
        none: "",
        "in a column": "",
      };
      return digits(dayText(date, d.day) + ((clocks as Record<string, string>)[d.clock] ?? ` ${minutes}`));
    },
    clock: (time) => digits(local(time).slice(11, 16)),
  };
}

/** A day in one of the forms of `CHOICES.day`. */
function dayText(day: string, template: string): string {
  const locale = template.startsWith("j") ? "fa-u-ca-persian-nu-latn" : "en";
  const part = (options: Intl.DateTimeFormatOptions): string => {
    const parts = new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" }).formatToParts(Date.parse(day));
    return parts.find(({ type }) => type in options)!.value.padStart(2, "0");
  };
  const year = part({ year: "numeric" });
  const parts: Readonly<Record<string, string>> = {
    ...{ Y: year, y: year.slice(2), M: part({ month: "numeric" }), D: part({ day: "numeric" }) },
    ...{ month: part({ month: "long" }), mon: part({ month: "short" }) },
  };
  return template.replace(/j?(month|mon|Y|M|D|y)/g, (_, token: string) => parts[token]!);
}
