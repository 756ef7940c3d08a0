import type { PageSettings } from "../page_settings.ts";
import { unitOf } from "./format.ts";
import type { Format } from "./format.ts";
import { FRAME } from "./header/messages.ts";
import { messagesOf } from "./messages.ts";
import type { Place } from "./places.ts";
import type { Language } from "./preferences.ts";

/** What an asset is called: the base name of its label. */
export function nameOf({ labelEn, labelFa }: { readonly labelEn: string; readonly labelFa: string }, language: Language): string {
  return (language === "fa" ? labelFa : labelEn).split(" / ")[0]!;
}

/** The name of the service; Mazaneh's own is written as the language does. */
export function serviceName(application: string, language: Language): string {
  return application === "mazaneh" ? messagesOf(FRAME, language).mazaneh : application;
}

/** What a title is made of beside its place. */
interface TitleFacts {
  readonly settings: PageSettings;
  readonly language: Language;
  readonly format: Format;
  /** The latest value of the asset, so that a tab in the background is of use. */
  readonly value: number | undefined;
}

/** The title of the document at a place, e.g. `1,985,528 rial US Dollar – Mazaneh`. */
export function titleOf({ view, id }: Place, { settings: { application, assets, isSample }, language, format, value }: TitleFacts): string {
  const texts = messagesOf(FRAME, language);
  const asset = view === "asset" ? assets.find(({ code }) => code === id) : undefined;
  const price = asset === undefined || value === undefined ? "" : `${format.price(value, unitOf(asset))} `;
  const here = view !== "asset" ? texts[view] : asset === undefined ? id : `${price}${nameOf(asset, language)} (${asset.code})`;
  return `${here} – ${serviceName(application, language)}${isSample ? ` (${texts.sampleMark})` : ""}`;
}
