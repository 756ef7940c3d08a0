import type { Asset, AssetCode, QuoteUnit } from "../../../core/mod.ts";
import { ALIASES, PRICE_SERVICES, type PriceService } from "./alias_table.ts";
import { fold } from "./fold_text.ts";
import { keysByWord } from "./words.ts";

/** A unit of values that a name can state. */
export type NamedUnit = "rial" | "toman" | "usd";

/** The meaning of a name. */
export interface FoundAsset {
  /** The asset. For an ambiguous name, all its assets in catalog order. Empty for an unknown name. */
  readonly codes: readonly AssetCode[];
  /** How many units a price is for: a power of ten, e.g. 100 for `۱۰۰ ین`. */
  readonly per: number;
  /** The unit that the name states, e.g. toman for `BTC-TMN`. */
  readonly unit: NamedUnit | undefined;
}

/** Finds assets by their names. */
export interface AssetNames {
  /** Finds the asset that a text names. With `service`, the names, unit and scales of that service apply. */
  find(text: string, service?: PriceService): FoundAsset;
}

type UnitAndCount = Omit<FoundAsset, "codes">;

const NONE: FoundAsset = { codes: [], per: 1, unit: undefined };
const MAX_REMEMBERED = 10_000;

const UNITS = keysByWord({
  usd: "usdt usd dollar dollars دلار",
  rial: "rls irr rial rials ریال",
  toman: "irt tmn toman tomans تومان تومن",
});
const LINKS: ReadonlySet<string> = new Set(["به", "in", "to"]);
const GLUED_UNIT = /^(.+?)(usdt|usd|irt|tmn|irr|rls)$/;
const COUNTS = keysByWord({
  1: "هر یک 1",
  10: "ده 10",
  100: "صد یکصد 100",
  1000: "هزار یکهزار 1000 1k",
  1000000: "میلیون 1m 1000000",
});
const GLUED_COUNT = /^(?:(10{1,6}|1[km])([a-z]+)|([a-z]+)(10{1,6}))$/;
/** Words before or after a name. English words may only follow a name: `price usd` is a price in dollars. */
const BEFORE = /^(?:قیمت|نرخ)$/;
const AFTER = /^(?:امروز|فروش|price|rate|today|close|last|sell)$/;
const FLAG = /[\u{1f1e6}-\u{1f1ff}]{2}/u;

/**
 * Creates the search for a catalog's codes, names and aliases, and for pairs such as `BTC-USD`, `USDT/IRT` and `بیت
 * کوین به تومان`. Only a whole name counts: «پوند سوریه» does not mean the pound.
 *
 * @param added More names with their codes, which take precedence over all other names.
 */
export function createAssetNames(assets: readonly Asset[], added: ReadonlyMap<string, string> = new Map()): AssetNames {
  const { exact, labels, bases } = namesOf(assets);
  const codesByName = new Map([...labels, ...[...added].map(([name, code]) => [joined(name), code] as const)]);
  const found = new Map<string, FoundAsset>();

  function find(text: string, service?: PriceService): FoundAsset {
    // A code of the catalog has the catalog's unit and scale in every table.
    const own = exact.get(text);
    if (own) return own;
    const key = `${service?.name ?? ""} ${text}`;
    const known = found.get(key);
    if (known) return known;
    const whole = exact.get(service?.names[dashed(text)] ?? codesByName.get(joined(text)) ?? "");
    const result = withScale(whole ?? readFlag(text, service), service);
    if (found.size >= MAX_REMEMBERED) found.clear();
    found.set(key, result);
    return result;
  }

  /** A flag emoji must agree with the words beside it. */
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
    const isUnknown = flagged.length === 0 || (fold(text) !== "" && named.codes.length === 0);
    return isUnknown ? NONE : { ...NONE, codes: [...flagged, ...named.codes] };
  }

  function readName(text: string, service: PriceService | undefined): FoundAsset {
    const words = fold(text.replace(/^[a-z]+:/i, "")).split(" ");
    if (service?.name === "tgju" && /^(?:price|retail)$/.test(words[0]!)) words.shift();
    if (service?.name === "bonbast") words[0] = words[0]!.replace(/^([a-z]{3})1$/, "$1");
    // The text may be a key with underscores, or a sign without letters, such as €.
    const key = dashed(text);
    const spelt = key.includes("_") || words[0] === "" ? bases.get(key) : undefined;
    if (spelt) return { ...NONE, codes: codesOf(spelt, undefined) };
    while (words.length > 1 && AFTER.test(words.at(-1)!)) words.pop();
    if (words.length > 1 && BEFORE.test(words[0]!)) {
      words.shift();
      // «قیمت دلار» means the dollar, «قیمت (دلار)» a price in dollars.
      if (words.length === 1 && UNITS.has(words[0]!) && /[([]/.test(text)) return NONE;
    }
    return readWords(words, NONE);
  }

  /** Finds the meaning of all words or, if they have none, of the words without a unit or a count at one end. */
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

  /** The meaning of two names for one asset, such as `Bitcoin (BTC)`. */
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

  function withScale(found: FoundAsset, service: PriceService | undefined): FoundAsset {
    const [code] = found.codes;
    if (service === undefined || code === undefined || !code.endsWith("_RLS")) return found;
    const per = found.per === 1 ? (service.per[code.slice(0, -4)] ?? 1) : found.per;
    return { codes: found.codes, unit: service.unit, per };
  }

  return { find };
}

type Reading = readonly [words: readonly string[], stated: UnitAndCount];

/** Returns the words without the unit or the count at either end, and that unit or count. */
function withoutUnitOrCount(words: readonly string[], stated: UnitAndCount): Reading[] {
  const { unit, per } = stated;
  const [first = "", last = "", rest] = [words[0], words.at(-1), words.slice(0, -1)];
  const [before, after] = [COUNTS.get(first), /^\d/.test(last) ? COUNTS.get(last) : undefined];
  const [, base = "", gluedUnit = ""] = GLUED_UNIT.exec(last) ?? [];
  const [, count, counted, counting, trailing] = GLUED_COUNT.exec(first) ?? [];
  const gluedCount = COUNTS.get(count ?? trailing ?? "");
  const readings: Reading[] = [];
  const add = (fewer: readonly string[], more: Partial<UnitAndCount>): void => {
    if (fewer.length > 0) readings.push([fewer, { ...stated, ...more }]);
  };
  if (unit === undefined && UNITS.has(last))
    add(LINKS.has(rest.at(-1) ?? "") ? rest.slice(0, -1) : rest, { unit: UNITS.get(last) });
  if (first === "crypto") add(words.slice(1), { unit: unit ?? "usd" });
  if (before !== undefined) add(words.slice(1), { per: per * Number(before) });
  // «دلار هزار تومان» is in thousands of toman, not a count of dollars.
  if (after !== undefined && unit === undefined) add(rest, { per: per * Number(after) });
  if (unit === undefined && base !== "") add([...rest, base], { unit: UNITS.get(gluedUnit) });
  if (per === 1 && words.length === 1 && (count ?? trailing) !== undefined)
    add([counted ?? counting ?? ""], { per: Number(gluedCount ?? 1) });
  return readings;
}

/** Returns the known service whose names a table uses; `undefined` for none. */
export function findService(names: readonly string[]): PriceService | undefined {
  const keys = [...new Set(names.map((name) => name.trim().toLowerCase()))];
  return PRICE_SERVICES.find(({ marks, markCount }) => keys.filter((key) => marks.test(key)).length >= markCount);
}

const namesByCatalog = new WeakMap<readonly Asset[], ReturnType<typeof foldNames>>();

/** Returns the names of a catalog. Names are folded only once, because folding takes several milliseconds. */
function namesOf(assets: readonly Asset[]) {
  const names = namesByCatalog.get(assets) ?? foldNames(assets);
  namesByCatalog.set(assets, names);
  return names;
}

function foldNames(assets: readonly Asset[]) {
  const labels = assets.flatMap(({ code, labelEn, labelFa }) =>
    [code, labelEn, labelFa].map((name) => [joined(name), code] as const),
  );
  const exact = new Map<string, FoundAsset>(assets.map(({ code }) => [code, { ...NONE, codes: [code] }]));
  return { exact, labels: new Map(labels), bases: basesOf(assets) };
}

/** Returns the bases of each name. Underscores in an alias matter, so `azadi1_2` and `azadi12` differ. */
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

/** Returns a name as it is compared: folded and without spaces. A sign without letters stays unchanged. */
function joined(name: string): string {
  return fold(name).replaceAll(" ", "") || name.trim();
}

/** A name with underscores for all separators, as programs write keys. */
function dashed(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s_\-/.]+/g, "_");
}
