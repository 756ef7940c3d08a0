// What a guide says of the server that serves it.
import type { PageAsset, PageSettings } from "../page_settings.ts";
import type { GuideLanguage } from "./error_text.ts";

/** What the guide's `{{names}}` stand for. */
export type GuideValues = ReadonlyMap<string, string>;

/** What a guide depends on. */
export interface GuideFacts {
  readonly settings: Pick<PageSettings, "assets" | "marketTimeZone" | "quotaTimeZone" | "staleThresholdMinutes" | "maxCandles" | "documentationUrl" | "version">;
  /** Before `/api/v1`, without a slash at its end. */
  readonly baseUrl: string;
  /** The key in the examples, or a text that stands for it. */
  readonly key: string;
}

const MINUTES_A_DAY = 1_440;
const EXAMPLE = { value: 1_905_000, businessTime: "2026-08-21T16:30:00.000Z" };

/** Makes the values; numbers are written in the digits of the language. */
export function guideValues({ settings, baseUrl, key }: GuideFacts, language: GuideLanguage): GuideValues {
  const { assets, marketTimeZone, quotaTimeZone, staleThresholdMinutes, maxCandles, documentationUrl, version } = settings;
  const [asset, other] = exampleAssets(assets);
  const number = new Intl.NumberFormat(language === "fa" ? "fa-IR" : "en-US");
  const longest = (minutes: number): string => number.format(Math.floor((maxCandles * minutes) / MINUTES_A_DAY));
  return new Map(Object.entries({
    baseUrl, key, marketTimeZone, quotaTimeZone,
    keySource: documentationUrl === undefined ? "" : KEY_SOURCE[language](documentationUrl),
    staleMinutes: number.format(staleThresholdMinutes),
    maxCandles: number.format(maxCandles),
    longest15m: longest(15), longest1h: longest(60), longest4h: longest(240),
    code: asset.code,
    codes: other ? `${asset.code},${other.code}` : asset.code,
    record: recordText(asset),
    program: version === undefined ? "mazaneh" : `mazaneh ${version}`,
    changes: "",
  }));
}

/** Where keys come from. Isolated in the Persian sentence, as it reads from left to right. */
const KEY_SOURCE: Readonly<Record<GuideLanguage, (url: string) => string>> = {
  en: (url) => ` (${url} tells how)`,
  fa: (url) => ` (چگونه: \u2066${url}\u2069)`,
};

/** Replaces the `{{names}}` in a text. One that is not known stays as it is. */
export function fillGuide(text: string, values: GuideValues): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values.get(name) ?? whole);
}

const DOLLAR: PageAsset = { code: "USD_RLS", baseCode: "USD", category: "FX", labelEn: "US Dollar / Iranian Rial", labelFa: "دلار آمریکا / ریال ایران", quoteUnit: "RLS" };

/** The dollar and Bitcoin where the catalog has them, else its first assets. */
function exampleAssets(assets: readonly PageAsset[]): readonly [PageAsset, PageAsset?] {
  const asset = assets.find(({ code }) => code === "USD_RLS") ?? assets[0] ?? DOLLAR;
  const other = assets.find(({ code }) => code === "BTC_USD" && code !== asset.code) ?? assets.find(({ code }) => code !== asset.code);
  return other ? [asset, other] : [asset];
}

/** An answer of `GET /api/v1/assets/{assetName}`. */
function recordText({ code, labelEn, labelFa, quoteUnit }: PageAsset): string {
  return JSON.stringify({ code, name: code, slug: code.toLowerCase(), labelEn, labelFa, quoteUnit, ...EXAMPLE }, undefined, 2);
}
