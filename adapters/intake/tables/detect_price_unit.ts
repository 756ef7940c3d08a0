import { ok } from "../../../core/internal.ts";
import { keysByWord } from "../names/words.ts";
import { persianLetters, plainText } from "./clean_text.ts";
import { type ReadResult, unread } from "./open_questions.ts";

/** The unit of prices in a file. */
export interface Unit {
  /** The name in messages, such as `thousand toman`. */
  readonly name: string;
  /** The quote unit, or a currency in which no asset is quoted. */
  readonly quote: "RLS" | "USD" | "EUR" | "GBP" | "AED" | "TRY" | "CNY";
  /** By how many places the decimal point moves to convert to the quote unit: 1 for toman. */
  readonly places: number;
}

type WithUnit = { readonly rest: string; readonly unit: Unit };

const UNITS: readonly (readonly [words: string, unit: Unit])[] = [
  ["toman tomans tmn irt تومان تومن تومانی", { name: "toman", quote: "RLS", places: 1 }],
  ["rial rials irr rls ریال ریالی ﷼", { name: "rial", quote: "RLS", places: 0 }],
  ["usd usdt us$ $ dollar dollars دلار", { name: "US dollars", quote: "USD", places: 0 }],
  ["eur euro euros € یورو", { name: "euros", quote: "EUR", places: 0 }],
  ["gbp £ پوند", { name: "pounds", quote: "GBP", places: 0 }],
  ["aed درهم", { name: "dirhams", quote: "AED", places: 0 }],
  ["try لیر", { name: "liras", quote: "TRY", places: 0 }],
  ["cny یوان", { name: "yuan", quote: "CNY", places: 0 }],
];
const WORDS = new Map(UNITS.flatMap(([words, unit]) => words.split(" ").map((word) => [word, unit])));
const PLACES = { thousand: 3, million: 6, billion: 9 };
const SCALES = keysByWord({ thousand: "thousand هزار", million: "million میلیون", billion: "billion میلیارد" });

const ANY_WORD = [...WORDS.keys()].join("|").replaceAll("$", "\\$");
const UNIT = `(?:(${[...SCALES.keys()].join("|")})\\s*)?(${ANY_WORD})`;
const AT_END = new RegExp(`^(.*?)(^|(?<![\\s_:/([–-])[\\s_:/([–-]+)${UNIT}\\s*[)\\]]?$`);
const ANYWHERE = new RegExp(
  `(?<![\\p{L}\\d]|(?:omani|qatari|saudi|yemeni) )${UNIT}(?![\\p{L}\\d]| (?:عمان|قطر|عربستان|سعودی))`,
  "gu",
);
const WHOLE = new RegExp(`^${UNIT}$`);
/** The asset may follow the unit, as in `ریال/دلار`. */
const BESIDE_NUMBER = new RegExp(
  `^(?:${UNIT}\\s*)?([+\\p{Nd}](?:.*?[\\p{Nd}.][-–—]?)?)\\s*(?:${UNIT}(?:\\s*/\\s*[\\p{L}$][\\p{L}$ ]*)?)?$`,
  "u",
);
const JOINED = /(?:^|\s)(?:به|in)$/;

/** The units that a caller may give for values of codes that end in `_RLS`. */
export const UNIT_ANSWERS = [
  "rial",
  "toman",
  "thousand rial",
  "thousand toman",
  "million rial",
  "million toman",
] as const;
export type UnitAnswer = (typeof UNIT_ANSWERS)[number];

/** The source of a unit that the caller gives. */
export const GIVEN = "the answer";

/** A unit and its source, such as `column "قیمت (تومان)"`. */
export type StatedUnit = { readonly unit: Unit; readonly by: string };

/** Sources of the unit of a column: its name, the unit in that name, the lines above the header, and the caller. */
type UnitSources = Readonly<{
  name: string;
  unit: Unit | undefined;
  titles: readonly string[];
  answer: UnitAnswer | undefined;
}>;

/** Returns the unit of a column of values; fails if its sources contradict each other. */
export function statedUnit({ name, unit, titles, answer }: UnitSources): ReadResult<StatedUnit | undefined> {
  const [first, ...others] = [
    ...(unit ? [{ unit, by: `column "${name}"` }] : []),
    ...titles.flatMap((title) => unitsOfTitle(title).map((said) => ({ unit: said, by: `title "${title}"` }))),
    ...(answer ? [{ unit: unitOfWord(answer)!, by: GIVEN }] : []),
  ];
  const other = others.find((said) => said.unit.name !== first?.unit.name);
  if (!first || !other) return ok(first);
  const contrary = other.by === GIVEN ? `${other.unit.name} was given` : `${other.by} ${other.unit.name}`;
  return unread(`${first.by} says ${first.unit.name}, and ${contrary}`);
}

/** The unit of a cell such as `toman` or `تومان ایران`. */
export function unitOfWord(text: string): Unit | undefined {
  const units = unitsOfTitle(text);
  return unitOf(WHOLE.exec(folded(text)), 1) ?? (units.length === 1 ? units[0] : undefined);
}

/** Whether a unit is the asset's own name. In a table of euro prices, for example, `Euro` names the asset. */
export function isOwnName({ quote }: Unit, code: unknown): boolean {
  return typeof code === "string" && code.startsWith(`${quote}_`);
}

/** Splits a number and its unit, as in `190500 تومان` and `$12.5`. */
export function unitOfValue(text: string): WithUnit | undefined {
  const match = BESIDE_NUMBER.exec(folded(text));
  const [before, after] = [unitOf(match, 1), unitOf(match, 4)];
  const unit = before ?? after;
  return match && unit && (!before || !after) ? { rest: match[3]!, unit } : undefined;
}

/**
 * Splits the name of a column and its unit, as in `قیمت (تومان)` and `price_toman`. A dollar may be the asset, so it
 * counts as a unit only in brackets, or after another word and a separator.
 */
export function unitOfHeader(name: string): WithUnit | undefined {
  const match = AT_END.exec(folded(name));
  const unit = unitOf(match, 3);
  if (!match || !unit) {
    const [first] = unitsOfTitle(name);
    return first && { rest: name, unit: first };
  }
  const rest = match[1]!.replace(JOINED, "").trim();
  const isUnit = unit.quote === "RLS" || (rest !== "" && (rest !== match[1] || /[_([]/.test(match[2]!)));
  return isUnit ? { rest: rest === "" ? "price" : rest, unit } : undefined;
}

/** Returns the units that a title names, each once, if they are rial or multiples of rial. */
export function unitsOfTitle(text: string): readonly Unit[] {
  const units = [...folded(text).matchAll(ANYWHERE)]
    .flatMap((match) => unitOf(match, 1) ?? [])
    .filter(({ quote }) => quote === "RLS");
  return units.filter(({ name }, at) => units.findIndex((other) => other.name === name) === at);
}

function unitOf(match: readonly (string | undefined)[] | null, at: number): Unit | undefined {
  const [scale, unit] = [SCALES.get(match?.[at] ?? ""), WORDS.get(match?.[at + 1] ?? "")];
  return scale && unit ? { ...unit, name: `${scale} ${unit.name}`, places: PLACES[scale] + unit.places } : unit;
}

function folded(text: string): string {
  return persianLetters(plainText(text));
}
