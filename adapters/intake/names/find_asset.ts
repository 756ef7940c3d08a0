import type { Asset, AssetCode, QuoteUnit } from "../../../core/mod.ts";
import { ALIASES, PRICE_SERVICES, type PriceService } from "./alias_table.ts";
import { fold } from "./fold_text.ts";

/** The unit that a name gives its values. */
export type NamedUnit = "rial" | "toman" | "usd";

/** What a text names. */
export interface FoundAsset {
  /** The asset; several if the name has several meanings, in catalog order; none if it names no asset. */
  readonly codes: readonly AssetCode[];
  /** How many of the base a value is for, e.g. 100 for `۱۰۰ ین`: a power of ten. */
  readonly per: number;
  /** The unit that the name tells, e.g. toman for `BTC-TMN`; `undefined` where it tells none. */
  readonly unit: NamedUnit | undefined;
}

/** Finds assets by their names. */
export interface AssetNames {
  /** The asset that a text names, in tables of `service` by that one's names, units and scales. */
  find(text: string, service?: PriceService): FoundAsset;
}

type UnitAndCount = Omit<FoundAsset, "codes">;

const NONE: FoundAsset = { codes: [], per: 1, unit: undefined };
const MAX_REMEMBERED = 10_000;

const UNITS: Readonly<Record<string, NamedUnit>> = {
  usdt: "usd",
  usd: "usd",
  dollar: "usd",
  dollars: "usd",
  دلار: "usd",
  rls: "rial",
  irr: "rial",
  rial: "rial",
  rials: "rial",
  ریال: "rial",
  irt: "toman",
  tmn: "toman",
  toman: "toman",
  tomans: "toman",
  تومان: "toman",
  تومن: "toman",
};
const LINKS: ReadonlySet<string> = new Set(["به", "in", "to"]);
const GLUED_UNIT = /^(.+?)(usdt|usd|irt|tmn|irr|rls)$/;
const COUNTS: Readonly<Record<string, number>> = {
  هر: 1,
  یک: 1,
  1: 1,
  ده: 10,
  10: 10,
  صد: 100,
  یکصد: 100,
  100: 100,
  هزار: 1_000,
  یکهزار: 1_000,
  1000: 1_000,
  "1k": 1_000,
  میلیون: 1_000_000,
  "1m": 1_000_000,
  1000000: 1_000_000,
};
const GLUED_COUNT = /^(?:(10{1,6}|1[km])([a-z]+)|([a-z]+)(10{1,6}))$/;
/** Words that a name may begin and end with. `price usd` is a price in dollars, so English ones only follow. */
const BEFORE = /^(?:قیمت|نرخ)$/;
const AFTER = /^(?:امروز|فروش|price|rate|today|close|last|sell)$/;
const FLAG = /[\u{1f1e6}-\u{1f1ff}]{2}/u;

/**
 * Makes the names of a catalog: its codes, its own names, the aliases of its bases, and pairs such as `BTC-USD`,
 * `USDT/IRT` and `بیت کوین به تومان`. Only a whole name counts, never a part of one: «پوند سوریه» is no pound.
 *
 * @param added Codes by further names, which win.
 */
export function createAssetNames(assets: readonly Asset[], added: ReadonlyMap<string, string> = new Map()): AssetNames {
  const { exact, labels, bases } = namesOf(assets);
  const whole = new Map([...labels, ...[...added].map(([name, code]) => [joined(name), code] as const)]);
  const found = new Map<string, FoundAsset>();

  function find(text: string, service?: PriceService): FoundAsset {
    // A code has the unit and the scale of the catalog in any table.
    const own = exact.get(text);
    if (own) return own;
    const key = `${service?.name ?? ""} ${text}`;
    const known = found.get(key);
    if (known) return known;
    const result = withScale(readWhole(text, service) ?? readFlag(text, service), service);
    if (found.size >= MAX_REMEMBERED) found.clear();
    found.set(key, result);
    return result;
  }

  function readWhole(text: string, service: PriceService | undefined): FoundAsset | undefined {
    return exact.get(service?.names[dashed(text)] ?? whole.get(joined(text)) ?? "");
  }

  /** A flag must agree with the words beside it. */
  function readFlag(text: string, service: PriceService | undefined): FoundAsset {
    const [flag] = FLAG.exec(text) ?? [];
    const named = readName(text, service);
    if (flag === undefined) return named;
    const country = String.fromCharCode(...[...flag].map((letter) => letter.codePointAt(0)! - 0x1f1e6 + 65));
    const flagged = assets
      .filter(({ category, baseCode }) => category === "FX" && baseCode.startsWith(country))
      .map(({ code }) => code);
    const both = named.codes.filter((code) => flagged.includes(code));
    if (both.length > 0) return { ...named, codes: both };
    return {
      ...NONE,
      codes:
        flagged.length === 0 || (fold(text) !== "" && named.codes.length === 0) ? [] : [...flagged, ...named.codes],
    };
  }

  function readName(text: string, service: PriceService | undefined): FoundAsset {
    const words = fold(text.replace(/^[a-z]+:/i, "")).split(" ");
    if (service?.name === "tgju" && /^(?:price|retail)$/.test(words[0]!)) words.shift();
    if (service?.name === "bonbast") words[0] = words[0]!.replace(/^([a-z]{3})1$/, "$1");
    // A key with underscores, or a sign such as €, which has no letters.
    const key = dashed(text);
    const spelt = key.includes("_") || words[0] === "" ? bases.get(key) : undefined;
    if (spelt) return { ...NONE, codes: codesOf(spelt, undefined) };
    while (words.length > 1 && AFTER.test(words.at(-1)!)) words.pop();
    if (words.length > 1 && BEFORE.test(words[0]!)) {
      words.shift();
      // «قیمت دلار» is the dollar, «قیمت (دلار)» a price in dollars.
      if (words.length === 1 && UNITS[words[0]!] !== undefined && /[([]/.test(text)) return NONE;
    }
    return readWords(words, NONE);
  }

  /** The meaning of words, as a whole or without a unit or a count beside them. */
  function readWords(words: readonly string[], stated: UnitAndCount): FoundAsset {
    const named = codesOf(bases.get(words.join("")) ?? new Set(), stated.unit);
    if (named.length > 0) return stated.per === 1 || named.every(isCountable) ? { ...stated, codes: named } : NONE;
    for (const [fewer, more] of withoutUnitOrCount(words, stated)) {
      const found = readWords(fewer, more);
      if (found.codes.length > 0) return found;
    }
    const twice = readTwice(words, stated.unit);
    return twice.length > 0 ? { ...stated, codes: twice } : NONE;
  }

  /** A name that is said in two ways, e.g. `Bitcoin (BTC)`. */
  function readTwice(words: readonly string[], unit: NamedUnit | undefined): readonly AssetCode[] {
    for (let at = 1; at < words.length; at++) {
      const [left, right] = [bases.get(words.slice(0, at).join("")), bases.get(words.slice(at).join(""))];
      const both = new Set([...(left ?? [])].filter((base) => right?.has(base)));
      if (both.size > 0) return codesOf(both, unit);
    }
    return [];
  }

  function codesOf(wanted: ReadonlySet<string>, unit: NamedUnit | undefined): readonly AssetCode[] {
    const quoteUnit: QuoteUnit | undefined = unit && (unit === "usd" ? "USD" : "RLS");
    return assets
      .filter((asset) => wanted.has(asset.baseCode) && (quoteUnit === undefined || asset.quoteUnit === quoteUnit))
      .map(({ code }) => code);
  }

  function isCountable(code: AssetCode): boolean {
    return assets.some((asset) => asset.code === code && (asset.category === "FX" || asset.category === "CRYPTO"));
  }

  function withScale(result: FoundAsset, service: PriceService | undefined): FoundAsset {
    const [code] = result.codes;
    if (service === undefined || code === undefined || !code.endsWith("_RLS")) return result;
    return {
      codes: result.codes,
      unit: service.unit,
      per: result.per === 1 ? (service.per[code.slice(0, -4)] ?? 1) : result.per,
    };
  }

  return { find };
}

/** What words may be without the unit or the count at one of their ends. */
function withoutUnitOrCount(
  words: readonly string[],
  stated: UnitAndCount,
): (readonly [words: readonly string[], stated: UnitAndCount])[] {
  const { unit, per } = stated;
  const [first = "", last = "", rest] = [words[0], words.at(-1), words.slice(0, -1)];
  const [before, after] = [COUNTS[first], /^\d/.test(last) ? COUNTS[last] : undefined];
  const [, base = "", glued = ""] = GLUED_UNIT.exec(last) ?? [];
  const [, count, counted, counting, trailing] = GLUED_COUNT.exec(first) ?? [];
  const found: (readonly [readonly string[], UnitAndCount] | false)[] = [
    unit === undefined &&
      UNITS[last] !== undefined && [
        LINKS.has(rest.at(-1) ?? "") ? rest.slice(0, -1) : rest,
        { ...stated, unit: UNITS[last] },
      ],
    first === "crypto" && [words.slice(1), { ...stated, unit: unit ?? "usd" }],
    before !== undefined && [words.slice(1), { ...stated, per: per * before }],
    // «دلار هزار تومان» is in thousands of toman, which is no count of dollars.
    after !== undefined && unit === undefined && [rest, { ...stated, per: per * after }],
    unit === undefined && base !== "" && [[...rest, base], { ...stated, unit: UNITS[glued] }],
    per === 1 &&
      words.length === 1 &&
      (count ?? trailing) !== undefined && [
        [counted ?? counting ?? ""],
        { ...stated, per: COUNTS[count ?? trailing ?? ""] ?? 1 },
      ],
  ];
  return found.filter((one) => one !== false).filter(([fewer]) => fewer.length > 0);
}

/** The service whose names a table has; `undefined` if it is none that is known. */
export function findService(names: readonly string[]): PriceService | undefined {
  const keys = [...new Set(names.map((name) => name.trim().toLowerCase()))];
  return PRICE_SERVICES.find(({ marks, markCount }) => keys.filter((key) => marks.test(key)).length >= markCount);
}

interface CatalogNames {
  readonly exact: ReadonlyMap<string, FoundAsset>;
  readonly labels: ReadonlyMap<string, AssetCode>;
  readonly bases: ReadonlyMap<string, ReadonlySet<string>>;
}

const namesByCatalog = new WeakMap<readonly Asset[], CatalogNames>();

/** The names of a catalog, folded once: this takes several milliseconds. */
function namesOf(assets: readonly Asset[]): CatalogNames {
  const known = namesByCatalog.get(assets);
  if (known) return known;
  const names: CatalogNames = {
    exact: new Map(assets.map(({ code }) => [code, { ...NONE, codes: [code] }])),
    labels: new Map(
      assets.flatMap(({ code, labelEn, labelFa }) => [code, labelEn, labelFa].map((name) => [joined(name), code])),
    ),
    bases: basesOf(assets),
  };
  namesByCatalog.set(assets, names);
  return names;
}

/** The bases of each name. An alias with an underscore is known by that spelling alone: `azadi1_2` and `azadi12` differ. */
function basesOf(assets: readonly Asset[]): ReadonlyMap<string, ReadonlySet<string>> {
  const bases = new Map<string, Set<string>>();
  const add = (name: string, base: string): void => void bases.set(name, (bases.get(name) ?? new Set()).add(base));
  for (const { baseCode, labelEn, labelFa } of assets) {
    for (const name of [baseCode, ...[labelEn, labelFa].map((label) => label.slice(0, label.lastIndexOf(" / ")))])
      add(joined(name), baseCode);
    for (const name of ALIASES[baseCode]?.split("|") ?? []) add(name.includes("_") ? name : joined(name), baseCode);
  }
  return bases;
}

/** A name as it is compared: folded, and without spaces; a sign as it is. */
function joined(name: string): string {
  return fold(name).replaceAll(" ", "") || name.trim();
}

/** A key of a program, with any separators. */
function dashed(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s_\-/.]+/g, "_");
}
