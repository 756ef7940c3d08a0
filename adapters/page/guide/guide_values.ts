// The values that a guide states about its server.
import { DAY_MS, MINUTE_MS } from "../../../core/internal.ts";
import { ASSETS } from "../../../core/mod.ts";
import type { Language } from "../browser/data/preferences.ts";
import type { PageSettings } from "../page_settings.ts";

/** The settings that a guide depends on. */
export interface GuideFacts {
  readonly settings: Omit<PageSettings, "application" | "isSample" | "isPublic" | "isEmpty" | "demoKey">;
  /** The part before `/api/v1`, without a slash at the end. */
  readonly baseUrl: string;
  /** The key in the examples, or a placeholder. */
  readonly key: string;
}

/** Returns the values for the `{{names}}` in a guide. The examples use dollar and Bitcoin if the catalog has them. */
export function guideValues({ settings, baseUrl, key }: GuideFacts, language: Language): ReadonlyMap<string, string> {
  const { assets, marketTimeZone, quotaTimeZone, maxCandles, documentationUrl, version } = settings;
  const { code, labelEn, labelFa, quoteUnit } =
    assets.find((asset) => asset.code === "USD_RLS") ?? assets[0] ?? ASSETS[0]!;
  const others = assets.filter((asset) => asset.code !== code);
  const other = others.find((asset) => asset.code === "BTC_USD") ?? others[0];
  const names = { code, name: code, slug: code.toLowerCase(), labelEn, labelFa };
  const record = { ...names, quoteUnit, value: 1_905_000, businessTime: "2026-08-21T16:30:00.000Z" };
  const number = new Intl.NumberFormat(language === "fa" ? "fa-IR" : "en-US");
  const longest = (minutes: number): string => number.format(Math.floor((maxCandles * minutes * MINUTE_MS) / DAY_MS));
  // In Persian, direction marks isolate the URL, because it is written left to right.
  const keySource =
    language === "fa" ? ` (چگونه: \u2066${documentationUrl}\u2069)` : ` (${documentationUrl} tells how)`;
  return new Map(
    Object.entries({
      baseUrl,
      key,
      marketTimeZone,
      quotaTimeZone,
      code,
      codes: other ? `${code},${other.code}` : code,
      record: JSON.stringify(record, undefined, 2),
      keySource: documentationUrl === undefined ? "" : keySource,
      staleMinutes: number.format(settings.staleThresholdMinutes),
      maxCandles: number.format(maxCandles),
      longest15m: longest(15),
      longest1h: longest(60),
      longest4h: longest(240),
      program: version === undefined ? "mazaneh" : `mazaneh ${version}`,
      changes: "",
    }),
  );
}

/** Replaces the `{{names}}` in a text. Unknown names stay as they are. */
export function fillGuide(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values.get(name) ?? whole);
}
