import type { AssetNames } from "../names/find_asset.ts";
import { cleanText, nameKey } from "./clean_text.ts";
import { mapping, OTHER_THAN_PRICES } from "./column_names.ts";
import { dayQuestion } from "./days_and_years_left_out.ts";
import { unitOfValue } from "./detect_price_unit.ts";
import { parseEpoch } from "./epoch_and_serial_times.ts";
import { codeOfKarat, karatColumn } from "./gold_karats.ts";
import { isMissing, parseNumber } from "./parse_numbers.ts";
import type { ColumnPlan } from "./plan_columns.ts";
import { type Cells, COLUMNS, type Column } from "./record_columns.ts";
import { parseWrittenTime } from "./written_time.ts";

const CLOCK = /^\d\d?:\d\d(?::\d\d)?$/;
type Test = (texts: readonly string[], names: AssetNames) => boolean;
const areClocks: Test = (texts) => texts.every((text) => CLOCK.test(cleanText(text)));
/** Columns that can be recognized by their texts. */
const GUESSED: Readonly<Partial<Record<Column, Test>>> = {
  code: (texts, names) => texts.every((text) => names.find(text).codes.length > 0),
  value: areValues,
  businessTime: areTimes,
};

/** Guesses the missing columns of a plan by their texts, and suggests the guesses in the plan's questions. */
export function withGuesses(
  plan: ColumnPlan,
  rows: readonly Cells[],
  { names, titles }: { readonly names: AssetNames; readonly titles: readonly string[] },
): ColumnPlan {
  const columns = [...plan.columns];
  let { clock } = plan;
  const isOne = (at: number, isWanted: Test): boolean => {
    const texts = rows.flatMap((cells) => (cells[at] === undefined || isMissing(cells[at]) ? [] : [String(cells[at])]));
    const isFree = columns[at] === undefined && at !== clock && at !== plan.unitColumn;
    return isFree && texts.length > 0 && isWanted(texts, names);
  };
  const questions = plan.questions.map((question) => {
    const column = COLUMNS.find((one) => one === question.missing);
    const test = column && GUESSED[column];
    if (!column || !test) return question;
    const isFree = (name: string): boolean =>
      name !== "" && (column !== "value" || !OTHER_THAN_PRICES.test(nameKey(name)));
    const found = plan.names.flatMap((name, at) => (isFree(name) && isOne(at, test) ? [at] : []));
    const karat = karatColumn(plan.names);
    if (found.length === 0 && column === "code" && rows.some((cells) => codeOfKarat(cells[karat]))) found.push(karat);
    const [at] = found;
    if (at === undefined) return column === "businessTime" ? dayQuestion(question.reason, titles) : question;
    // Only the user can choose between several columns of prices or days.
    if (column !== "code" && found.length > 1) return question;
    columns[at] = column;
    if (column !== "businessTime") return { ...mapping(column, plan.names[at]!), reason: question.reason };
    const hours = plan.names.flatMap((name, other) => (name !== "" && isOne(other, areClocks) ? [other] : []));
    if (hours.length === 1) clock ??= hours[0];
    const parts = clock === undefined ? [at] : [at, clock];
    return { ...mapping(column, parts.map((part) => plan.names[part]!).join("+")), reason: question.reason };
  });
  return { ...plan, columns, clock, questions };
}

/** Whether texts are numbers, but neither row numbers nor times. */
function areValues(texts: readonly string[]): boolean {
  const isCounted = texts.every((text, at) => Number(text) === Number(texts[0]) + at);
  const isNumber = (text: string): boolean => parseNumber(unitOfValue(text)?.rest ?? text) !== undefined;
  return areMostly(texts, isNumber) && !isCounted && !areTimes(texts);
}

function areTimes(texts: readonly string[]): boolean {
  return areMostly(texts.map(cleanText), (text) => {
    // Prices have fewer digits than milliseconds since 1970.
    return parseWrittenTime(text) !== undefined || (/^\d{13,19}$/.test(text) && parseEpoch(text) !== undefined);
  });
}

/** Whether at least half of the texts match: some rows may have mistakes. */
function areMostly(texts: readonly string[], isWanted: (text: string) => boolean): boolean {
  return 2 * texts.filter(isWanted).length >= texts.length;
}
