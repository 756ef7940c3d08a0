// The jeweller's calculator: the fields in its address, and the receipt that is calculated from these fields.
import {
  affordableJewellery,
  gramOfFineness,
  type JewelleryReceipt,
  type JewelleryTerms,
  KARAT_FINENESS,
  priceJewellery,
} from "../../../../core/internal.ts";
import { amountOf } from "./conversion.ts";

const NAMES = ["grams", "pay", "karat", "fineness", "gram", "wage", "wagePerGram", "profit", "tax", "extras"] as const;

/**
 * The fields as texts in the address. Money is in rial. `pay` is the money to spend, instead of `grams`. `gram` is a
 * typed price of 18-karat gold. `fineness` replaces `karat`. Invalid numbers become empty texts.
 */
export type GoldFields = Readonly<Partial<Record<(typeof NAMES)[number], string>>>;
/** The fields to change; `undefined` removes a field. */
export type FieldChanges = Readonly<Partial<Record<(typeof NAMES)[number], string | undefined>>>;

const KARATS = ["18", "21", "22", "24"] as const;
/** Up to this total, the page can show all numbers of a receipt exactly. */
const MOST_TOMAN = 1e15;

/** Reads the fields of an address. `rates` are the percentages that the visitor used last. */
export function parseGold(query: URLSearchParams, rates: Pick<GoldFields, "profit" | "tax"> = {}): GoldFields {
  const given = NAMES.flatMap((name) => (query.has(name) ? [[name, query.get(name)!] as const] : []));
  return {
    ...(!query.has("pay") && { grams: "1" }),
    ...(!query.has("fineness") && { karat: "18" }),
    ...(!query.has("wagePerGram") && { wage: "17" }),
    profit: rates.profit ?? "7",
    tax: rates.tax ?? "10",
    ...Object.fromEntries(given),
  };
}

/** The fields after a change, in the order of the page's address. */
export function changedGold(fields: GoldFields, change: FieldChanges): GoldFields {
  const all: FieldChanges = { ...fields, ...change };
  return Object.fromEntries(NAMES.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])));
}

/** Calculates the receipt in whole toman. If no price was typed, uses `market`: rial per gram of 18-karat gold. */
export function calculateGold(fields: GoldFields, market: number | undefined) {
  const number = (name: keyof GoldFields): number | undefined => amountOf(fields[name] ?? "");
  const toman = (name: keyof GoldFields, round = Math.round): number | undefined => {
    const rial = number(name);
    return rial === undefined ? undefined : round(rial / 10);
  };
  const karat = KARATS.find((known) => known === fields.karat) ?? "18";
  const fineness = fields.fineness === undefined ? KARAT_FINENESS[karat] : number("fineness");
  const quote = fields.gram === undefined ? market : number("gram");
  const gram18 = quote === undefined ? undefined : gramOfFineness(quote, KARAT_FINENESS[18]);
  const isAlloy = fineness !== undefined && fineness >= 1 && fineness <= 1_000;
  // Uses the displayed, rounded price of a gram of 18 karats, so that a reader can check the calculation.
  const gram = gram18 && isAlloy ? gramOfFineness(gram18 * 10, fineness) : undefined;
  const perGram = toman("wagePerGram");
  const percent = number("wage");
  const shared = { profitPercent: number("profit"), taxPercent: number("tax"), extras: toman("extras") ?? 0 };
  const wage = fields.wagePerGram === undefined ? { percent } : { perGram };
  const isWhole = gram && ![...Object.values(wage), ...Object.values(shared)].includes(undefined);
  const terms = isWhole ? ({ ...shared, gram, wage } as JewelleryTerms) : undefined; // a cast: `isWhole` checked all fields
  const money = fields.pay === undefined ? undefined : toman("pay", Math.floor);
  const bought = terms && money !== undefined ? affordableJewellery(money, terms) : undefined;
  const grams = number("grams");
  const priced = grams && terms ? priceJewellery(grams, terms) : undefined;
  const receipt = fields.pay === undefined ? priced : bought?.receipt;
  return {
    karat,
    /** The price of a gram of 18-karat gold, and of a gram in the piece's karat. */
    gram18,
    gram,
    fineness,
    /** The wage in percent and in money per gram. Without a price of gold, only the entered value is known. */
    wage: {
      percent: percent ?? (gram && perGram !== undefined ? Math.round((perGram / gram) * 10_000) / 100 : undefined),
      perGram: perGram ?? (gram && percent !== undefined ? Math.round((percent / 100) * gram) : undefined),
    },
    terms,
    money,
    receipt: receipt !== undefined && receipt.total < MOST_TOMAN ? receipt : undefined,
    left: bought?.left,
  };
}

/** The totals of the piece at five wages, 5 % apart: around its own wage, or around 17 % if its wage is in money. */
export function otherWages({ grams }: JewelleryReceipt, terms: JewelleryTerms) {
  const own = "percent" in terms.wage ? terms.wage.percent : 17;
  const first = Math.max(own % 5, own - 10);
  return [0, 5, 10, 15, 20].map((more) => {
    const percent = Number((first + more).toFixed(4));
    return { percent, total: priceJewellery(grams, { ...terms, wage: { percent } }).total };
  });
}
