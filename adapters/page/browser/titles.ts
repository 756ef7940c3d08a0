import type { PageSettings } from "../page_settings.ts";
import { unitOf } from "./format.ts";
import type { Format } from "./format.ts";
import { FRAME } from "./header/messages.ts";
import type { MarketState } from "./market/known.ts";
import type { Place } from "./places.ts";
import type { Language, Preferences } from "./preferences.ts";

/** What an asset is called: the base name of its label. */
export function nameOf({ labelEn, labelFa }: { readonly labelEn: string; readonly labelFa: string }, language: Language): string {
  return (language === "fa" ? labelFa : labelEn).split(" / ")[0]!;
}

/** The name of the service; Mazaneh's own is written as the language does. */
export function serviceName(application: string, language: Language): string {
  return application === "mazaneh" ? FRAME[language].mazaneh : application;
}

/** The title of the document, e.g. `1,985,528 rial US Dollar (USD_RLS) – Mazaneh`: with the price, so that a tab in the background is of use. */
export function titleOf({ place: { view, id }, settings: { application, assets, isSample }, preferences: { language }, format, market }: TitleFacts): string {
  const texts = FRAME[language];
  const asset = view === "asset" ? assets.find(({ code }) => code === id) : undefined;
  const latest = asset && market.rows.get(asset.code);
  const price = latest === undefined ? "" : `${format.price(latest.value, unitOf(asset!))} `;
  const here = view !== "asset" ? texts[view] : asset === undefined ? id : `${price}${nameOf(asset, language)} (${asset.code})`;
  return `${here} – ${serviceName(application, language)}${isSample ? ` (${texts.sampleMark})` : ""}`;
}

/** The part of the page's context that a title is made of. */
interface TitleFacts {
  readonly place: Place;
  readonly settings: PageSettings;
  readonly preferences: Preferences;
  readonly format: Format;
  readonly market: MarketState;
}
