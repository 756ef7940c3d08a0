import { ok } from "../../../core/internal.ts";
import { plainText } from "./clean_text.ts";
import { type ReadResult, unread } from "./open_questions.ts";

/** The unit of prices in a file. */
export interface Unit {
  /** As messages have it, e.g. `thousand toman`. */
  readonly name: string;
  /** The quote unit that it is a multiple of; for a currency that no code is quoted in, that. */
  readonly quote: "RLS" | "USD" | (typeof OTHERS)[number][0];
  /** How many places its values move to be in the quote unit: 1 for toman. */
  readonly places: number;
}

/** A text, and the unit that stood with it. */
export interface WithUnit {
  readonly rest: string;
  readonly unit: Unit;
}

const TOMAN: Unit = { name: "toman", quote: "RLS", places: 1 };
const RIAL: Unit = { name: "rial", quote: "RLS", places: 0 };
/** Other currencies, in which no price is taken. */
const OTHERS = [
  ["EUR", "euros", "eur euro euros € یورو"],
  ["GBP", "pounds", "gbp £ پوند"],
  ["AED", "dirhams", "aed درهم"],
  ["TRY", "liras", "try لیر"],
  ["CNY", "yuan", "cny یوان"],
] as const;
const DOLLAR: Unit = { name: "US dollars", quote: "USD", places: 0 };

const WORDS: Readonly<Record<string, Unit>> = {
  toman: TOMAN,
  tomans: TOMAN,
  tmn: TOMAN,
  irt: TOMAN,
  تومان: TOMAN,
  تومن: TOMAN,
  تومانی: TOMAN,
  rial: RIAL,
  rials: RIAL,
  irr: RIAL,
  rls: RIAL,
  ریال: RIAL,
  ریالی: RIAL,
  "﷼": RIAL,
  usd: DOLLAR,
  usdt: DOLLAR,
  us$: DOLLAR,
  $: DOLLAR,
  dollar: DOLLAR,
  dollars: DOLLAR,
  دلار: DOLLAR,
  ...Object.fromEntries(
    OTHERS.flatMap(([quote, name, words]) =>
      words.split(" ").map((word): [string, Unit] => [word, { name, quote, places: 0 }]),
    ),
  ),
};
const SCALES: Readonly<Record<string, readonly [name: string, places: number]>> = {
  thousand: ["thousand ", 3],
  هزار: ["thousand ", 3],
  million: ["million ", 6],
  میلیون: ["million ", 6],
  billion: ["billion ", 9],
  میلیارد: ["billion ", 9],
};

const UNIT = `(?:(${Object.keys(SCALES).join("|")})\\s*)?(${Object.keys(WORDS)
  .map((word) => word.replace("$", "\\$"))
  .join("|")})`;
const AT_END = new RegExp(`^(.*?)(^|(?<![\\s_:/([–-])[\\s_:/([–-]+)${UNIT}\\s*[)\\]]?$`);
const ANYWHERE = new RegExp(
  `(?<![\\p{L}\\d]|(?:omani|qatari|saudi|yemeni) )${UNIT}(?![\\p{L}\\d]| (?:عمان|قطر|عربستان|سعودی))`,
  "gu",
);
const WHOLE = new RegExp(`^${UNIT}$`);
/** Behind a unit may stand what is priced: `ریال/دلار`. */
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

/** What says a unit that the caller gives. */
export const GIVEN = "the answer";

/** A unit, and what says it, e.g. `column "قیمت (تومان)"`. */
export interface StatedUnit {
  readonly unit: Unit;
  readonly by: string;
}

/** What may say the unit of all values of a column. */
export interface UnitSources {
  /** The column's name. */
  readonly name: string;
  /** The unit in it. */
  readonly unit: Unit | undefined;
  /** The lines above the header. */
  readonly titles: readonly string[];
  /** What the caller says. */
  readonly answer: UnitAnswer | undefined;
}

/** The unit of a column of values, as its name, a title or the caller says; these must agree. */
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

/** The unit that a cell names: `toman`, `تومان ایران`. */
export function unitOfWord(text: string): Unit | undefined {
  const units = unitsOfTitle(text);
  return unitOf(WHOLE.exec(folded(text)), 1) ?? (units.length === 1 ? units[0] : undefined);
}

/** A number, and the unit beside it: `190500 تومان`, `$12.5`. */
export function unitOfValue(text: string): WithUnit | undefined {
  const match = BESIDE_NUMBER.exec(folded(text));
  const [before, after] = [unitOf(match, 1), unitOf(match, 4)];
  const unit = before ?? after;
  return match && unit && (!before || !after) ? { rest: match[3]!, unit } : undefined;
}

/**
 * The name of a column without the unit that it ends with: `قیمت (تومان)`, `price_toman`. A dollar is an asset as well, and
 * a unit only in brackets or after a word that says so.
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

/** The units of rial that a title names, each once. */
export function unitsOfTitle(text: string): readonly Unit[] {
  const units = [...folded(text).matchAll(ANYWHERE)]
    .flatMap((match) => unitOf(match, 1) ?? [])
    .filter(({ quote }) => quote === "RLS");
  return units.filter(({ name }, at) => units.findIndex((other) => other.name === name) === at);
}

function unitOf(match: readonly (string | undefined)[] | null, at: number): Unit | undefined {
  const [scale, unit] = [SCALES[match?.[at] ?? ""], WORDS[match?.[at + 1] ?? ""]];
  return scale && unit ? { ...unit, name: scale[0] + unit.name, places: scale[1] + unit.places } : unit;
}

function folded(text: string): string {
  return plainText(text).toLowerCase().replaceAll("ي", "ی").replaceAll("ك", "ک");
}
