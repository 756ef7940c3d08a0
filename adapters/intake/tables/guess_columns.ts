import type { AssetNames } from "../names/find_asset.ts";
import { cleanText, nameKey } from "./clean_text.ts";
import { mapping, OTHER_THAN_PRICES } from "./column_names.ts";
import { dayQuestion } from "./days_and_years_left_out.ts";
import { unitOfValue } from "./detect_price_unit.ts";
import { parseEpoch } from "./epoch_and_serial_times.ts";
import { codeOfKarat, karatColumn } from "./gold_karats.ts";
import type { MissingPart } from "./open_questions.ts";
import { isMissing, parseNumber } from "./parse_numbers.ts";
import type { ColumnPlan } from "./plan_columns.ts";
import type { Column } from "./record_columns.ts";
import { parseWrittenTime } from "./written_time.ts";

const CLOCK = /^\d\d?:\d\d(?::\d\d)?$/;
/** How columns look, of which no name tells what they are; what is missing where nothing looks so. */
const GUESSED: readonly (readonly [
  column: Column,
  missing: MissingPart,
  isOne: (texts: readonly string[], names: AssetNames) => boolean,
])[] = [
  ["code", "code", (texts, names) => texts.every((text) => names.find(text).codes.length > 0)],
  // The numbers of rows are no values.
  [
    "value",
    "value",
    (texts) => {
      const isCounted = texts.every((text, at) => Number(text) === Number(texts[0]) + at);
      return (
        areMostly(texts, (text) => parseNumber(unitOfValue(text)?.rest ?? text) !== undefined) &&
        !isCounted &&
        !areTimes(texts)
      );
    },
  ],
  ["businessTime", "businessTime", areTimes],
];

/** A plan whose missing columns are guessed by what stands in them. That is only suggested: the needs stay. */
export function withGuesses(
  plan: ColumnPlan,
  rows: readonly (readonly unknown[])[],
  { names, titles }: { readonly names: AssetNames; readonly titles: readonly string[] },
): ColumnPlan {
  const columns = [...plan.columns];
  let { clock } = plan;
  const isOne = (at: number, isWanted: (typeof GUESSED)[number][2]): boolean => {
    const texts = rows.flatMap((cells) => (cells[at] === undefined || isMissing(cells[at]) ? [] : [String(cells[at])]));
    const isFree = columns[at] === undefined && at !== clock && at !== plan.unitColumn;
    return isFree && texts.length > 0 && isWanted(texts, names);
  };
  const questions = plan.questions.map((question) => {
    const column = GUESSED.find(([, missing]) => question.missing === missing);
    const isFree = (name: string): boolean =>
      name !== "" && (column?.[0] !== "value" || !OTHER_THAN_PRICES.test(nameKey(name)));
    const found = column ? plan.names.flatMap((name, at) => (isFree(name) && isOne(at, column[2]) ? [at] : [])) : [];
    const karat = karatColumn(plan.names);
    if (found.length === 0 && column?.[0] === "code" && rows.some((cells) => codeOfKarat(cells[karat])))
      found.push(karat);
    const [at] = found;
    if (question.missing === "businessTime" && at === undefined) return dayQuestion(question.reason, titles);
    // Of several prices, or days, only a person knows the one.
    if (!column || at === undefined || (question.missing !== "code" && found.length > 1)) return question;
    columns[at] = column[0];
    if (question.missing === "businessTime" && clock === undefined) clock = clockBeside(at);
    const parts = question.missing === "businessTime" && clock !== undefined ? [at, clock] : [at];
    return { ...mapping(column[0], parts.map((part) => plan.names[part]!).join("+")), reason: question.reason };
  });
  return { ...plan, columns, clock, questions };

  /** The only column of hours, where there is one. */
  function clockBeside(date: number): number | undefined {
    const hours = plan.names.flatMap((name, at) => (name !== "" && at !== date && isOne(at, areClocks) ? [at] : []));
    return hours.length === 1 ? hours[0] : undefined;
  }
}

function areClocks(texts: readonly string[]): boolean {
  return texts.every((text) => CLOCK.test(cleanText(text)));
}

function areTimes(texts: readonly string[]): boolean {
  return areMostly(texts.map(cleanText), (text) => {
    // Prices have fewer digits than milliseconds since 1970.
    return parseWrittenTime(text) !== undefined || (/^\d{13,19}$/.test(text) && parseEpoch(text) !== undefined);
  });
}

/** Whether at least half of the texts are as wanted: some rows may have mistakes. */
function areMostly(texts: readonly string[], isWanted: (text: string) => boolean): boolean {
  return 2 * texts.filter(isWanted).length >= texts.length;
}
