import { DAY_MS, HOUR_MS, utf8 } from "../../../core/internal.ts";
import { nameKey } from "./clean_text.ts";
import { CHANGES, OTHER_THAN_PRICES } from "./column_names.ts";
import type { OpenQuestion } from "./open_questions.ts";
import { parseNumber } from "./parse_numbers.ts";
import type { ColumnPlan } from "./plan_columns.ts";
import type { Cells } from "./record_columns.ts";
import { textOf } from "./utf8_text.ts";

/** An accepted price, and its line. */
export interface PriceOnLine {
  readonly code: string;
  readonly businessTime: number;
  readonly value: number;
  readonly line: number;
}

/** Finds ignored columns whose texts tell several prices of one asset apart, such as `buy` and `sell`. */
export type DistinguishingColumns = ReturnType<typeof watchColumns>;

type TextColumn = ReturnType<typeof createColumn>;

const [MAX_COLUMNS, MAX_TEXTS, LISTED_TEXTS] = [30, 48, 5];
const BUYING = /خرید|^(?:buy|bid|purchase|b$)/;
const SELLING = /فروش|^(?:sell|sale|ask|offer|s$)/;
/** The texts to suggest: for selling prices, else for closing prices. */
const LIKELIEST = [SELLING, /close|پایانی|final|نهایی/];
/** With fewer prices that have two neighbours, it is unclear whether rows with a certain text have higher prices. */
const LEAST_PRICES = 8;
/** In lists of trades, a smaller spread between buying and selling is usual. */
const LEAST_SPREAD = 0.001;
/** In a short list, two prices within an hour that differ by more than this come from different markets. */
const LEAST_GAP = 0.02;
/** With fewer pairs of buying and selling prices, moves of the price may hide the spread. */
const FEW_PAIRS = 30;

/** Watches the ignored columns of a table. */
export function watchColumns({ names, ignored }: Pick<ColumnPlan, "names" | "ignored">) {
  const columns = ignored.slice(0, MAX_COLUMNS).map((name) => createColumn(name, names.indexOf(name)));
  const watched = new Set(columns);
  /** The number of conflicts, by the columns in which the two lines differ. The key has a bit for each column. */
  const conflicts = new Map<number, number>();

  function see(line: number, cells: Cells): void {
    for (const column of watched) {
      const number = numberOf(column, String(cells[column.at] ?? ""));
      if (number === undefined) {
        watched.delete(column);
        column.ofLine = new Uint8Array(0);
        continue;
      }
      if (line >= column.ofLine.length) {
        const grown = new Uint8Array(2 * line);
        grown.set(column.ofLine);
        column.ofLine = grown;
      }
      column.ofLine[line] = number;
      column.rows++;
    }
  }

  /** Records that two lines have different values for one asset and time. */
  function conflict(line: number, other: number): void {
    const bits = columns.reduce((all, { ofLine }, at) => (ofLine[line] === ofLine[other] ? all : all | (1 << at)), 0);
    if (bits !== 0) conflicts.set(bits, (conflicts.get(bits) ?? 0) + 1);
  }

  /** The open questions. Prices must be sorted by asset and time. */
  function questions(prices: Iterable<PriceOnLine>): readonly OpenQuestion[] {
    const few = [...watched].filter(hasFewTexts);
    const found: OpenQuestion[] = [];
    for (const open = new Map(conflicts); open.size > 0; ) {
      const explains = (column: TextColumn, bits: number): boolean => (bits & (1 << columns.indexOf(column))) !== 0;
      const countOf = (column: TextColumn): number =>
        [...open].reduce((sum, [bits, count]) => sum + (explains(column, bits) ? count : 0), 0);
      const [best] = few.toSorted((a, b) => countOf(b) - countOf(a) || a.texts.size - b.texts.size);
      if (!best || countOf(best) === 0) break;
      for (const bits of [...open.keys()]) if (explains(best, bits)) open.delete(bits);
      found.push(whereQuestion(best));
    }
    if (found.length > 0 || few.length === 0) return found;
    const levels = findLevels(prices, few);
    return levels ? [whereQuestion(levels)] : [];
  }

  return { see, conflict, questions };
}

/** A column, and for each line the number of its text. */
function createColumn(name: string, at: number) {
  return {
    ...{ name, at, ofLine: new Uint8Array(1_024), rows: 0 },
    /** The number that stands for each text, by the text's exact spelling. */
    numbers: new Map<string, number>(),
    /** The first spelling of each text, by its `nameKey`. */
    texts: new Map<string, string>(),
  };
}

/** The number of a text, from 1; `undefined` if there are too many texts. */
function numberOf({ numbers, texts }: TextColumn, text: string): number | undefined {
  const known = numbers.get(text);
  if (known !== undefined) return known;
  if (numbers.size >= MAX_TEXTS) return undefined;
  const copy = textOf(utf8(text)) ?? text; // A substring would keep its whole chunk of the file in memory.
  const key = nameKey(copy);
  if (!texts.has(key)) texts.set(key, copy.trim());
  const number = [...texts.keys()].indexOf(key) + 1;
  numbers.set(copy, number);
  return number;
}

/** Whether a column has few different texts, or repeats them. Columns of row numbers or amounts are excluded. */
function hasFewTexts(column: TextColumn): boolean {
  const { name, texts, rows } = column;
  if (texts.size < 2 || (isNumeric(column) && OTHER_THAN_PRICES.test(nameKey(name)))) return false;
  return rows >= 2 * texts.size || texts.size <= 4;
}

function isNumeric({ texts }: TextColumn): boolean {
  return [...texts.values()].every((text) => text === "" || parseNumber(text) !== undefined);
}

/** Finds a column in which different texts have different prices on the same days. */
function findLevels(prices: Iterable<PriceOnLine>, few: readonly TextColumn[]): TextColumn | undefined {
  const judged = few
    .filter((column) => !isNumeric(column) && !CHANGES.test(nameKey(column.name)))
    .map((column) => {
      const keys = ["", ...column.texts.keys()];
      const sides = keys.map((key) => Number(SELLING.test(key)) - Number(BUYING.test(key)));
      const zeros = { spread: 0, moves: 0, pairs: 0, gaps: 0, neighbours: 0 };
      return { column, sides, sums: keys.map(() => 0), counts: keys.map(() => 0), ...zeros };
    });
  let [squares, count] = [0, 0];
  let [before, price]: (PriceOnLine | undefined)[] = [];
  for (const after of judged.length > 0 ? prices : []) {
    const step = price?.code === after.code ? Math.log(after.value / price.value) : NaN;
    const isNear = before?.code === after.code && after.businessTime - before.businessTime < 2 * DAY_MS;
    // The price relative to both neighbours, so that a trend does not matter.
    const height = isNear ? (Math.log(price!.value / before!.value) - step) / 2 : NaN;
    if (Number.isFinite(height)) [squares, count] = [squares + height * height, count + 1];
    for (const one of Number.isFinite(step) ? judged : []) {
      const [number, next] = [one.column.ofLine[price!.line] ?? 0, one.column.ofLine[after.line] ?? 0];
      if (one.sides[number]! * one.sides[next]! < 0) {
        one.spread += step * one.sides[next]!;
        // A move counts as 1. Within an hour, a move may come from trades, so only its size counts.
        one.moves += step !== 0 && after.businessTime - price!.businessTime >= HOUR_MS ? 1 : Math.abs(step);
        one.pairs++;
      }
      if (number !== next && after.businessTime - price!.businessTime < HOUR_MS) {
        one.gaps += Math.abs(step);
        one.neighbours++;
      }
      if (!Number.isFinite(height)) continue;
      one.sums[number]! += height;
      one.counts[number]!++;
    }
    [before, price] = [price, after];
  }
  return judged.find(({ spread, moves, pairs, gaps, neighbours, sums, counts }) => {
    if (count < LEAST_PRICES && gaps > LEAST_GAP * neighbours) return true;
    const groups = counts.filter((of) => of > 0).length;
    const explained = sums.reduce((all, sum, at) => all + (sum * sum) / Math.max(counts[at]!, 1), 0);
    // If there are many groups with few prices each, the groups can seem to explain the prices by mere chance.
    const isExplained = groups > 1 && count >= LEAST_PRICES && explained > (0.5 + groups / count) * squares;
    return isExplained || (pairs < FEW_PAIRS ? moves : Math.abs(spread)) > LEAST_SPREAD * pairs;
  })?.column;
}

function whereQuestion({ name, texts }: TextColumn): OpenQuestion {
  const all = [...texts].filter(([key]) => key !== "");
  const likeliest = LIKELIEST.flatMap((likely) => all.filter(([key]) => likely.test(key) && !BUYING.test(key)))[0];
  const listed = all.slice(0, LISTED_TEXTS).map(([, text]) => `"${text}"`);
  const more = all.length > LISTED_TEXTS ? ` and ${all.length - LISTED_TEXTS} more` : "";
  const reason = `its column "${name}" distinguishes different prices: ${listed.join(", ")}${more}`;
  return likeliest
    ? { set: { where: { [name]: likeliest[1] } }, reason }
    : { set: {}, missing: { where: name }, reason };
}
